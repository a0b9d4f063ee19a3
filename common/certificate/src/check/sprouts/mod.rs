//! The rules of Sprouts once more, for the checker alone: nothing here is shared with the engines that
//! search but the reading of the notation.
//!
//! A [`Land`] is text in all but looks: regions, boundaries, and what is met on them, in a canonical order.
//! To move, the spots are given names: that is a [`Paper`]. Each file is one part of the rules:
//!
//! - [`land`]: a land as marks; how it is read and written.
//! - [`paper`]: spots with names and lives, as a move leaves them, and the equivalences that simplify that.
//! - [`moves`]: all moves in a land.
//! - [`form`]: one form for all lands that are equal up to names, order, rotation and mirroring.
//!
//! That equal lands get one form only makes proofs shorter: a checker that took equal lands for different
//! ones would refuse more, and accept nothing that is wrong. What must be right is that a form tells all of
//! the land, and that the equivalences leave the game as it is.

pub(crate) mod form;
pub(crate) mod land;
pub(crate) mod moves;
pub(crate) mod paper;
#[cfg(test)]
mod tests;

pub(crate) use land::Land;
pub(crate) use paper::Paper;
