//! What the tests of several crates share. Nothing but tests depends on it.
//!
//! Each part that needs other crates of Sproutnet has a feature, so that the tests of each crate build only what they
//! use.
#![expect(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "errors are those of the call, and a test that cannot go on panics"
)]

#[cfg(feature = "certificates")]
pub mod certificates;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod disk;
pub mod earlier_version;
pub mod folder;
pub mod log;
pub mod page;
pub mod reference;
#[cfg(feature = "solver")]
pub mod solver;
