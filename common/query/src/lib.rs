//! Answers to queries: the knowledge about a position, and searches of small positions while the client waits.
//!
//! - [`verdict`]: the knowledge about a position and its consequences, without a search.
//! - [`answer`](fn@answer): the whole answer about a position, from any [`Sources`].
//! - [`OnTheSpot`]: searches small positions for an answer, in the order of the [`SearchQueue`]; [`solve_small`] is one
//!   such search, [`told_by_theory`] answers some large ones.
//! - [`derived`](fn@derived): the standing of an outcome that follows from what is known.
//! - [`sum`](fn@sum): the standing of a sum by the nimbers of its lands; [`known_sum`] for a sum across games.
//! - [`moves`]: the moves of a position, winning ones first; [`sorted_moves`] without a search; [`are_slow_to_list`]:
//!   whether that takes too long for a page.
//! - [`line`](fn@line): a line of play to the end.
//! - [`table`]: the start positions, proved here or published; [`published`](fn@published) for one position.
//! - [`games`](fn@games): the games, as they are listed.
//! - [`period`](fn@period), [`quotient`](fn@quotient): what theory tells of games of heaps; [`Family`]: a position for
//!   each number.
//! - [`count`](fn@count): the number of positions that can be reached.
//! - [`describe`]: records in words.
//! - [`estimate`](fn@estimate): the expected time to solve a start position.
//! - [`merge_result`]: merges results from other stores.
//! - [`accepted`], [`accepted_theory`], [`refused`]: what the checker says of a certificate.

mod answer;
mod checked;
mod count;
mod derived;
mod describe;
mod estimate;
mod family;
mod fruitless;
mod games;
mod line;
mod moves;
mod on_the_spot;
mod outcome;
mod published;
mod result;
mod search_queue;
mod sum;
mod table;
mod theory;
mod verdict;
mod work;

pub use answer::{Sources, answer};
pub use checked::{accepted, accepted_theory, refused};
pub use count::{Count, CountLimits, Lost, Ply, count};
pub use derived::derived;
pub use describe::{describe, in_words};
pub use estimate::{SIZES_BELOW, estimate};
pub use family::Family;
pub use games::{game, games};
pub use line::line;
pub use moves::{MAX_MOVES, MovesError, are_slow_to_list, moves, options, sorted_moves};
pub use on_the_spot::{OnTheSpot, Queues, Searches};
pub use outcome::{
    MAX_MOVES_OF_SMALL, is_small, misere_nimber_of_small, nimber_of_small, nimber_within,
    solve_small, solve_within, told_by_theory,
};
pub use published::published;
pub use result::{merge_result, read_result};
pub use search_queue::{SearchQueue, Turn};
pub use sum::{known_sum, sum};
pub use table::{start_size, table};
pub use theory::{period, quotient};
pub use verdict::{nimber_of, verdict};
