//! Play conventions, and the search that solves positions under them.
//!
//! - [`solve()`]: the outcome of a position in one call.
//! - [`play`]: the conventions, normal and misère, behind [`play::Convention`].
//! - [`search`]: proof-number search over the states of a convention.
//! - [`theory`]: results from the theory of a game, without a search. Tests compare it with the search.
//!
//! ```
//! use sproutnet_notation::{Outcome, Play};
//!
//! assert_eq!(sproutnet_solver::solve("0*8", Play::Normal, 1)?, Outcome::Loss);
//! # Ok::<(), sproutnet_solver::NotSolved>(())
//! ```

pub mod play;
pub mod search;
mod solve;
pub mod theory;

pub use solve::{NotSolved, solve};
