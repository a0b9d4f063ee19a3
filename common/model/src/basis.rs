//! The kinds of reasons for an outcome.

use serde::{Deserialize, Serialize};

use crate::Source;

/// The kind of reason for an outcome. It is more precise than the [`Source`]: what is derived may follow from a theorem or
/// from records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// All plays to the end were looked at.
    PlayedOut,
    /// A theorem about the game, or a formula for the nimbers of its heaps.
    Theorem,
    /// The nimbers of the heaps, each from those of smaller heaps.
    Sequence,
    /// The nimbers of the heaps, which are proved to repeat.
    Period,
    /// The misère quotient of the game.
    Quotient,
    /// The nimbers of the lands.
    Sum,
    /// Records of this store, which earlier searches proved.
    Records,
    /// The search for this query.
    Search,
    /// An earlier computation of this position.
    Computation,
    /// A certificate: one of the atlas, or one that was checked here.
    Certificate,
    /// A publication of others.
    Publication,
}

impl From<Source> for Basis {
    /// The basis of most outcomes from this source.
    fn from(source: Source) -> Self {
        match source {
            Source::Search => Self::Search,
            Source::Store => Self::Computation,
            Source::Derived => Self::Records,
            Source::Atlas => Self::Certificate,
            Source::Literature => Self::Publication,
        }
    }
}
