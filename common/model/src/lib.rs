//! The data that clients see: one set of types for the command line, web pages, JSON and gRPC.
//!
//! - [`Known`]: an outcome, or that it is unknown.
//! - [`Answer`], [`Standing`]: the answer about a position; the source of an outcome and its [`Basis`].
//! - [`Verdict`]: the knowledge about a position, or about a move, without a search.
//! - [`Line`]: a line of play to the end.
//! - [`TableEntry`], [`published`]: the start positions, solved here or published.
//! - [`Solved`], [`Verification`]: results of computations and accepted certificates, as a store keeps them.
//! - [`Game`]: a game, as it is listed.
//! - [`Nimbers`], [`FoundQuotient`]: what theory tells of games of heaps; [`CheckedCertificate`].
//! - [`Proof`]: an outcome with a certificate in the atlas of this repository.
//! - [`references`], [`keys_of`]: the publications that citations stand for.
//! - [`Computation`], [`Fleet`]: running and ended computations, and the workers; [`Estimate`]: the expected time.
//! - [`Explanation`]: why a computation is not finished.
//! - [`Searched`]: what came of a search while a client waited.
//! - [`DescribedRecord`]: a record in words.

mod answer;
mod atlas;
mod audit_log;
mod basis;
mod computation;
mod explanation;
mod fleet;
mod games;
mod references;
mod searched;
mod solved;
mod table;
mod theory;

pub use answer::{Answer, Known, Line, Provenance, Standing, Step, Verdict};
pub use atlas::{Proof, proofs};
pub use audit_log::AuditEntry;
pub use basis::Basis;
pub use computation::{Computation, Estimate, Progress, Status, WaitsFor};
pub use explanation::{Branch, Branches, Effort, Explanation, Pace};
pub use fleet::{DescribedRecord, Fleet, FleetWorker, Quarantine, RecordSource};
pub use games::{Game, OtherName};
pub use references::{BIBTEX, Reference, keys_of, references};
pub use searched::Searched;
pub use solved::{Solved, Source, Verification};
pub use table::{Published, TableEntry, published};
pub use theory::{
    CheckedCertificate, FoundQuotient, Generator, Nimbers, ProvedPeriod, Quotient, ValuePeriod,
};
