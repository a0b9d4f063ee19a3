//! Certificates of outcomes of Sprouts, and a checker that relies only on the rules.
//!
//! - [`format`](mod@format): reads and writes the file format.
//! - [`verify`]: the checker, with its own implementation of the rules.
//!
//! `docs/reference/certificates.md` specifies the checks, and `docs/explanation/proofs.md` says why they are enough.
//!
//! **Invariant:** of Sproutnet, this crate depends on the notation alone.

mod check;
pub mod format;

pub use check::{Options, Progress, Verified, VerifyError, verify, verify_watched};
