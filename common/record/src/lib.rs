//! Solved records: what was proved, in portable form.

mod archive;
mod record;
mod rules;
pub mod varint;

pub use archive::Archive;
pub use record::{
    Contradiction, Record, RecordError, key, merge, merge_nimbers, news, prefix, subject,
};
pub use rules::{Kind, RecordRules, ResultRefused};
