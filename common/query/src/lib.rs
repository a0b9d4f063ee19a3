//! What a query returns: one type for the command line, web pages, JSON and gRPC alike.
//!
//! - [`known`]: the four things that can be said of an outcome.
//! - [`verdict`]: what is known of a position at sight, without a search.
//! - [`standing`]: who wins under one convention, and how that is known.
//! - [`position`](Answer): the answer about a position.
//! - [`moves`]: its moves, those that win first.
//! - [`line`](Line): how play goes on to the end.
//! - [`spot`]: small positions are searched on the spot.
//! - [`table`](TableEntry), [`literature`]: the start positions, solved here or published.
//! - [`result`](Solved): results of computations, as they are kept.
//! - [`told`]: records in words.
//! - [`computation`](Computation), [`fleet`](Fleet): what is under way, and who works on it.

mod computation;
mod fleet;
mod known;
mod line;
mod literature;
mod moves;
mod position;
mod result;
mod spot;
mod standing;
mod table;
mod told;
mod verdict;
mod verification;

pub use computation::{Computation, ComputationState};
pub use fleet::{Fleet, FleetWorker, SetAside};
pub use known::Known;
pub use line::{Line, Step, line};
pub use literature::{Published, published, published_of};
pub use moves::{MOST_MOVES, Move, TooManyMoves, moves};
pub use position::Answer;
pub use result::{Solved, Source};
pub use spot::{MOST_MOVES_ON_THE_SPOT, find_out, is_small};
pub use standing::{Provenance, Standing};
pub use table::{TableEntry, start_size, table};
pub use told::{Told, told};
pub use verdict::{Verdict, verdict};
pub use verification::Verification;
