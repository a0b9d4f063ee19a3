//! Certificates of outcomes of Sprouts, and the checker that trusts nothing but the rules.
//!
//! - [`certificate`]: the file format, as it is written and read.
//! - [`Marks`]: what was verified as records of a store, and the [`Verification`] kept with them.
//! - [`verify`]: the checker, with an engine of its own (`check`).
//! - [`prove`]: makes certificates.
//!
//! What is checked and why it suffices is told in `docs/proofs.md`.

pub mod certificate;
mod marks;
mod verification;

pub use marks::Marks;
pub use verification::Verification;
mod check;
pub mod prove;

pub use check::{Options, Proved, Verified, VerifyError, verify};
