//! What the theory of a game gives without a search.
//!
//! - [`sequence`]: the nimbers of heaps of 0, 1, 2, … tokens.
//! - [`period`]: that such a sequence repeats for ever.
//! - [`quotient`]: who wins sums of heaps under misère play.

pub mod period;
pub mod quotient;
pub mod sequence;
