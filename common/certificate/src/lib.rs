//! Certificates of outcomes of Sprouts, and the checker that trusts nothing but the rules.
//!
//! - [`format`](mod@format): the file format, as it is written and read.
//! - [`verify`]: the checker, with an engine of its own.
//!
//! `docs/proofs.md` says what is checked and why that suffices.
//!
//! **Invariant:** this crate sees the notation and nothing else of Sproutnet.

mod check;
pub mod format;

pub use check::{Options, Proved, Verified, VerifyError, verify};
