//! Certificates of outcomes of Sprouts, and the checker that trusts nothing but the rules.
//!
//! - [`certificate`]: the file format, as it is written and read.
//! - [`Marks`]: verified facts marked in a store, and the [`Verification`] kept with them.
//!
//! What is checked and why it suffices is told in `docs/proofs.md`.

pub mod certificate;
mod marks;
mod verification;

pub use marks::{MarkError, Marked, Marks};
pub use verification::Verification;
