//! Answers to queries: the knowledge about a position, and searches of small positions while the client waits.
//!
//! - [`verdict`]: the knowledge about a position, without a search.
//! - [`moves`]: the moves of a position, winning ones first.
//! - [`line`](fn@line): a line of play to the end.
//! - [`solve_small`]: searches a small position.
//! - [`table`]: the start positions, solved here or published.
//! - [`describe`]: records in words.
//! - [`merge_result`]: merges results from other stores.

mod describe;
mod line;
mod moves;
mod result;
mod small;
mod table;
mod verdict;

pub use describe::describe;
pub use line::line;
pub use moves::{MAX_MOVES, TooManyMoves, moves};
pub use result::{merge_result, read_result};
pub use small::{MAX_MOVES_OF_SMALL, is_small, solve_small};
pub use table::{published_of, start_size, table};
pub use verdict::verdict;
