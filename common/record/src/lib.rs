//! Solved records in portable form, and the traits through which other crates read and check them.
//!
//! The crate may depend on `sproutnet-notation` alone.

mod archive;
mod record;
mod rules;
pub mod varint;

pub use archive::Archive;
pub use record::{
    Contradiction, Record, RecordError, key, merge, merge_nimbers, news, prefix, subject,
};
pub use rules::{Kind, RecordRules, ResultRefused};
