//! Answers to queries: what is known of a position, and small positions searched while the client waits.
//!
//! - [`verdict`]: what is known of a position without a search.
//! - [`moves`]: the moves of a position, winning ones first.
//! - [`line`]: how play goes on to the end.
//! - [`find_out`]: searches a small position.
//! - [`table`]: the start positions, solved here or published.
//! - [`describe`]: records in words.
//! - [`merge_result`]: results that come from other stores.

mod describe;
mod line;
mod moves;
mod result;
mod spot;
mod table;
mod verdict;

pub use describe::describe;
pub use line::line;
pub use moves::{MOST_MOVES, TooManyMoves, moves};
pub use result::{merge_result, read_result};
pub use spot::{MOST_MOVES_ON_THE_SPOT, find_out, is_small};
pub use table::{published_of, start_size, table};
pub use verdict::verdict;
