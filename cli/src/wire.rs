//! What the coordinator answers, as it is printed.

use serde::Serialize;
use sproutnet_common::play::Play;
use sproutnet_proto::v1;

/// `win`, `loss` or `unknown`.
pub(crate) fn outcome(outcome: i32) -> &'static str {
    match v1::Outcome::try_from(outcome) {
        Ok(v1::Outcome::Win) => "win",
        Ok(v1::Outcome::Loss) => "loss",
        _ => "unknown",
    }
}

/// The outcome for the player who made the move that led there.
pub(crate) fn outcome_of_move(outcome: i32) -> &'static str {
    match self::outcome(outcome) {
        "win" => "loss",
        "loss" => "win",
        unknown => unknown,
    }
}

/// `search`, `store` or `literature`.
pub(crate) fn source(source: i32) -> Option<&'static str> {
    match v1::Source::try_from(source) {
        Ok(v1::Source::Search) => Some("search"),
        Ok(v1::Source::Store) => Some("store"),
        Ok(v1::Source::Literature) => Some("literature"),
        _ => None,
    }
}

/// The status of a computation that is searched, or waits for its turn.
pub(crate) const RUNNING: &str = "running";

/// How far a computation is.
pub(crate) fn status(status: v1::Status) -> &'static str {
    match status {
        v1::Status::Running => RUNNING,
        v1::Status::Solved => "solved",
        v1::Status::Cancelled => "cancelled",
        v1::Status::Expired => "expired",
        v1::Status::Failed => "failed",
        v1::Status::Paused => "paused",
        v1::Status::Unspecified => "unknown",
    }
}

/// A convention in a request.
pub(crate) fn play(play: Play) -> i32 {
    match play {
        Play::Normal => v1::Play::Normal.into(),
        Play::Misere => v1::Play::Misere.into(),
    }
}

/// A convention in an answer.
pub(crate) fn play_name(play: i32) -> &'static str {
    match v1::Play::try_from(play) {
        Ok(v1::Play::Normal) => Play::Normal.name(),
        Ok(v1::Play::Misere) => Play::Misere.name(),
        _ => "unknown",
    }
}

/// What is known of a position or a move, as JSON.
#[derive(Serialize)]
pub(crate) struct Verdict {
    /// Canonical text.
    pub(crate) canonical: String,
    /// Under normal play.
    pub(crate) normal: &'static str,
    /// Under misère play.
    pub(crate) misere: &'static str,
    /// Where known.
    pub(crate) nimber: Option<u32>,
    /// Of a position with few moves left.
    pub(crate) genus: Option<String>,
}

impl Verdict {
    /// For the player to move.
    pub(crate) fn of_position(verdict: v1::Verdict) -> Self {
        Self {
            normal: outcome(verdict.normal),
            misere: outcome(verdict.misere),
            canonical: verdict.canonical,
            nimber: verdict.nimber,
            genus: verdict.genus,
        }
    }

    /// For the player who moves there.
    pub(crate) fn of_move(verdict: v1::Verdict) -> Self {
        Self {
            normal: outcome_of_move(verdict.normal),
            misere: outcome_of_move(verdict.misere),
            canonical: verdict.canonical,
            nimber: verdict.nimber,
            genus: verdict.genus,
        }
    }
}
