//! Play conventions, and the search that solves positions under them.
//!
//! - [`play`]: the conventions, normal and misère, behind [`play::Convention`].
//! - [`search`]: proof-number search over the states of a convention.

pub mod play;
pub mod search;
