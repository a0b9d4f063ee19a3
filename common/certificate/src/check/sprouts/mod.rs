//! The rules of Sprouts and Mixed Sprouts, implemented for the checker alone. Only the reading and printing of the
//! notation is shared with the search.
//!
//! A [`Land`] lists regions, boundaries and the spots on them in a canonical order. For a move, the spots get
//! names: that is a [`WorkingPosition`]. Each file is one part of the rules:
//!
//! - [`rules`]: the differences between the games.
//! - [`land`]: a land as marks, and how it is read and written.
//! - [`working_position`]: spots with names and lives during a move, and the equivalences that simplify them.
//! - [`moves`]: all moves in a land.
//! - [`canonical`]: one form for all lands that are equal up to names, order, rotation and mirroring.
//!
//! Canonical forms only make proofs shorter. A checker that took equal lands for different ones would refuse
//! more certificates, and accept no wrong one. Two things must be right: a form determines its land, and the
//! equivalences do not change the game.

pub(crate) mod canonical;
pub(crate) mod land;
pub(crate) mod moves;
mod rules;
#[cfg(test)]
mod tests;
pub(crate) mod working_position;

pub(crate) use land::Land;
pub(crate) use working_position::WorkingPosition;
