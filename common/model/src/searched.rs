//! What came of the search for an answer.

use serde::{Deserialize, Serialize};

/// What came of the search of a small position while a client waited. If several searches were made for one answer, the
/// last of these words that holds for any of them.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Searched {
    /// No search was wanted, or none was needed.
    #[default]
    No,
    /// The search found what was missing.
    Yes,
    /// More moves are left than are searched while a client waits. A computation can find the outcome.
    #[serde(rename = "too large")]
    TooLarge,
    /// The time ended before the search did. Also if a search of this length ended so a short while ago: it is not
    /// repeated at once.
    #[serde(rename = "out of time")]
    OutOfTime,
    /// The time ended while other searches kept all cores busy.
    Busy,
}
