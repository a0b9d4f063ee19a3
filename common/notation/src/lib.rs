//! How positions of Sprouts are written, and the words that every other crate shares.
//!
//! - [`Play`] and [`Outcome`]: the play conventions, and who wins.
//! - [`ids`](ComputationId): what tells computations, workers, leases, sources and epochs apart.

mod ids;
mod outcome;
mod play;

pub use ids::{ComputationId, Epoch, LeaseId, SourceId, WorkerId};
pub use outcome::Outcome;
pub use play::Play;
