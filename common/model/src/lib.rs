//! The data that clients see: one set of types for the command line, web pages, JSON and gRPC.
//!
//! - [`Known`]: an outcome, or that it is unknown.
//! - [`Answer`], [`Standing`]: the answer about a position, and the source of an outcome.
//! - [`Verdict`]: the knowledge about a position, or about a move, without a search.
//! - [`Line`]: a line of play to the end.
//! - [`TableEntry`], [`published`]: the start positions, solved here or published.
//! - [`Solved`], [`Verification`]: results of computations and accepted certificates, as a store keeps them.
//! - [`Computation`], [`Fleet`]: running and ended computations, and the workers.
//! - [`DescribedRecord`]: a record in words.

mod answer;
mod computation;
mod described_record;
mod fleet;
mod known;
mod line;
mod literature;
mod solved;
mod standing;
mod table;
mod verdict;
mod verification;

pub use answer::Answer;
pub use computation::{Computation, Progress, Status};
pub use described_record::DescribedRecord;
pub use fleet::{Fleet, FleetWorker, Quarantine, RecordSource};
pub use known::Known;
pub use line::{Line, Step};
pub use literature::{Published, published};
pub use solved::{Solved, Source};
pub use standing::{Provenance, Standing};
pub use table::TableEntry;
pub use verdict::Verdict;
pub use verification::Verification;
