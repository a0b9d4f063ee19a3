//! How positions of Sprouts are written, and the words that every other crate shares.
//!
//! - [`text`]: positions as text. [`raw`] is what a text says, as flat arrays; [`regions`] the same as lists.
//! - [`Play`] and [`Outcome`]: the play conventions, and who wins.
//! - [`Numbers`]: proof and disproof numbers.
//! - [`ids`](ComputationId): what tells computations, workers, leases, sources and epochs apart.

mod ids;
mod numbers;
mod outcome;
mod play;
pub mod raw;
pub mod regions;
pub mod text;

pub use ids::{ComputationId, Epoch, GameCode, LeaseId, SourceId, WorkerId};
pub use numbers::Numbers;
pub use outcome::Outcome;
pub use play::Play;
pub use raw::MAX_LIVES;
pub use text::ParseError;
