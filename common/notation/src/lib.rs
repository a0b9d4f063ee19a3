//! The notation of Sprouts positions, and the basic types that all other crates share.
//!
//! - [`text`]: positions as text. Its documentation explains the notation.
//! - [`raw`]: positions as they are read, before any simplification.
//! - [`surface`]: surfaces on which regions can lie.
//! - [`mod@matches`]: records of matches.
//! - [`plane`]: which positions can be drawn in the plane.
//! - [`Play`] and [`Outcome`]: the play conventions, and the result for the player to move.
//! - [`Numbers`]: proof and disproof numbers; [`Entry`], [`Place`]: what searches tell each other.
//! - [`brief`]: input in messages.
//! - [`ComputationId`], [`WorkerId`], [`LeaseId`], [`SourceId`], [`Epoch`], [`GameCode`]: identifiers.
//!
//! ```
//! use sproutnet_notation::text;
//!
//! assert_eq!(text::parse("0*2.AB|AB")?.regions(), 2);
//! # Ok::<(), sproutnet_notation::ParseError>(())
//! ```

pub mod brief;
mod ids;
pub mod matches;
mod news;
mod numbers;
pub mod plane;
mod play;
pub mod raw;
pub mod surface;
pub mod text;

pub use ids::{ComputationId, Epoch, GameCode, LeaseId, SourceId, WorkerId};
pub use news::{Entry, Place};
pub use numbers::Numbers;
pub use play::{Outcome, Play};
pub use raw::MAX_LIVES;
pub use text::ParseError;
