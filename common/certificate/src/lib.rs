//! Certificates of outcomes of Sprouts and of theory, and a checker that relies only on the rules.
//!
//! - [`format`](mod@format): reads and writes the file format.
//! - [`verify`]: the checker, with its own implementation of the rules, and an example.
//! - [`theory`]: certificates of periods and misère quotients of games of heaps, and their checker.
//!
//! `docs/reference/certificates.md` specifies the checks, and `docs/explanation/proofs.md` says why they are enough.
//!
//! **Invariant:** of Sproutnet, this crate depends on the notation alone.

mod check;
pub mod format;
pub mod theory;

pub use check::{Options, Progress, Verified, VerifyError, verify, verify_watched};
