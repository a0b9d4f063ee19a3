//! Certificates of outcomes of Sprouts, and the checker that trusts nothing but the rules.
//!
//! - [`certificate`]: the file format, as it is written and read.
//! - [`verify`]: the checker, with an engine of its own (`check`).
//! - [`prove`]: makes certificates.
//!
//! What is checked and why it suffices is told in `docs/proofs.md`.

pub mod certificate;
mod check;
pub mod prove;

pub use check::{Options, Proved, Verified, VerifyError, verify};
