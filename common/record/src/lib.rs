//! Solved records in portable form, and the traits through which other crates read and check them.
//!
//! The crate may depend on `sproutnet-notation` alone.

mod archive;
mod fact;
mod record;
mod rules;
mod set;
pub mod varint;
mod worth;

pub use archive::Archive;
pub use fact::{Fact, Nimbers};
pub use record::{
    Contradiction, Record, RecordError, fact, key, merge, news, play_of, prefix, subject,
};
pub use rules::{Kind, RecordRules, ResultRefused};
pub use set::RecordSet;
pub use worth::Worth;
