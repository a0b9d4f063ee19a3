//! What the coordinator answers, as it is printed.

use sproutnet_model::{Answer, Known, Line, Provenance, Source, Standing, Step, Verdict};
use sproutnet_proto::v1;
use sproutnet_solver::play::Play;

/// `win`, `loss` or `unknown`.
pub(crate) fn outcome(outcome: i32) -> &'static str {
    match v1::Outcome::try_from(outcome) {
        Ok(v1::Outcome::Win) => "win",
        Ok(v1::Outcome::Loss) => "loss",
        _ => "unknown",
    }
}

/// Where an outcome comes from.
pub(crate) fn source(source: i32) -> Option<Source> {
    match v1::Source::try_from(source) {
        Ok(v1::Source::Search) => Some(Source::Search),
        Ok(v1::Source::Store) => Some(Source::Store),
        Ok(v1::Source::Derived) => Some(Source::Derived),
        Ok(v1::Source::Literature) => Some(Source::Literature),
        Ok(v1::Source::Unspecified) | Err(_) => None,
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

/// The convention of a computation, which always has one.
pub(crate) fn play_of(play: i32) -> Play {
    match v1::Play::try_from(play) {
        Ok(v1::Play::Misere) => Play::Misere,
        _ => Play::Normal,
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

/// What is known of a position.
pub(crate) fn answer(response: v1::QueryResponse) -> (Answer, Vec<Move>) {
    let answer = Answer {
        canonical: response.canonical,
        game: response.game,
        most_moves: response.most_moves,
        normal: standing(response.normal.unwrap_or_default()),
        misere: standing(response.misere.unwrap_or_default()),
        nimber: response.nimber,
        genus: response.genus,
        lands: response.lands.into_iter().map(verdict).collect(),
    };
    (answer, response.moves.into_iter().map(of_move).collect())
}

fn standing(standing: v1::Standing) -> Standing {
    let known = known(standing.outcome);
    let outcome = match (known, standing.computation) {
        (Known::Unknown, Some(_)) => Known::InProgress,
        _ => known,
    };
    Standing {
        outcome,
        source: source(standing.source),
        citation: Some(standing.citation).filter(|citation| !citation.is_empty()),
        solved: standing.solved.map(|solved| Provenance {
            computation: solved.computation,
            solved_at: solved.solved_at,
            seconds: solved.seconds,
            expansions: solved.expansions,
            records: solved.records,
        }),
        computation: standing.computation,
        verified: standing.verified,
    }
}

/// What is known of who wins.
pub(crate) fn known(outcome: i32) -> Known {
    match v1::Outcome::try_from(outcome) {
        Ok(v1::Outcome::Win) => Known::Win,
        Ok(v1::Outcome::Loss) => Known::Loss,
        _ => Known::Unknown,
    }
}

fn verdict(verdict: v1::Verdict) -> Verdict {
    Verdict {
        canonical: verdict.canonical,
        normal: known(verdict.normal),
        misere: known(verdict.misere),
        nimber: verdict.nimber,
        genus: verdict.genus,
        verified: plays(&verdict.verified),
    }
}

fn of_move(verdict: v1::Verdict) -> Move {
    Move {
        canonical: verdict.canonical,
        normal: known(verdict.normal),
        misere: known(verdict.misere),
        nimber: verdict.nimber,
        genus: verdict.genus,
        verified: plays(&verdict.verified),
    }
}

/// Conventions in an answer.
fn plays(plays: &[i32]) -> Vec<Play> {
    let is_meant = |play: &Play| plays.contains(&self::play(*play));
    Play::ALL.into_iter().filter(is_meant).collect()
}

/// How play goes on.
pub(crate) fn line(response: v1::LineResponse, play: Play) -> Line {
    let step = |step: v1::Step| Step {
        canonical: step.canonical,
        outcome: known(step.outcome),
        verified: step.verified,
    };
    Line {
        play,
        steps: response.steps.into_iter().map(step).collect(),
        complete: response.complete,
    }
}
