//! Play conventions, and the search that solves positions under them.
//!
//! - [`solve()`]: the outcome of a position in one call.
//! - [`play`]: the conventions, normal and misère, behind [`play::Convention`].
//! - [`search`]: proof-number search over the states of a convention.
//! - [`theory`]: results from the theory of a game, without a search. Tests compare it with the search.

pub mod play;
pub mod search;
mod solve;
pub mod theory;

pub use solve::{NotSolved, solve};
