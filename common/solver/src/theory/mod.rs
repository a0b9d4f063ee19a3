//! What the theory of a game gives without a search.
//!
//! - [`sequence`]: the nimbers of heaps of 0, 1, 2, … tokens.
//! - [`period`]: that such a sequence repeats for ever.
//! - [`quotient`]: who wins sums of heaps under misère play.
//! - [`lehman`]: who wins the Shannon switching game, and by which move.

pub mod lehman;
pub mod period;
pub mod quotient;
pub mod sequence;
