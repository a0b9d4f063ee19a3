//! Certificates of outcomes of Sprouts, and the checker that trusts nothing but the rules.
//!
//! - [`certificate`]: the file format, as it is written and read.
//!
//! What is checked and why it suffices is told in `docs/proofs.md`.

pub mod certificate;
mod check;
