//! Answers about positions, lines of play, and tables.

use sproutnet_model::{
    Answer, DescribedRecord, Known, Line, Provenance, Source, Standing, Step, TableEntry, Verdict,
    Verification,
};
use sproutnet_notation::{Outcome, Play};

use super::{known_field, outcome, outcome_field, play_field, play_of, source, source_field, text};
use crate::v1;

impl From<(Answer, Vec<Verdict>)> for v1::QueryResponse {
    /// An answer, and the verdicts of the moves if they were asked for.
    fn from((answer, moves): (Answer, Vec<Verdict>)) -> Self {
        Self {
            canonical: answer.canonical,
            game: answer.game,
            most_moves: answer.most_moves,
            normal: Some(answer.normal.into()),
            misere: Some(answer.misere.into()),
            nimber: answer.nimber,
            genus: answer.genus,
            lands: answer.lands.into_iter().map(Into::into).collect(),
            moves: moves.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<v1::QueryResponse> for (Answer, Vec<Verdict>) {
    fn from(response: v1::QueryResponse) -> Self {
        let answer = Answer {
            canonical: response.canonical,
            game: response.game,
            most_moves: response.most_moves,
            normal: response.normal.unwrap_or_default().into(),
            misere: response.misere.unwrap_or_default().into(),
            nimber: response.nimber,
            genus: response.genus,
            lands: response.lands.into_iter().map(Into::into).collect(),
        };
        (answer, response.moves.into_iter().map(Into::into).collect())
    }
}

impl From<Standing> for v1::Standing {
    fn from(standing: Standing) -> Self {
        Self {
            outcome: known_field(standing.outcome),
            source: source_field(standing.source),
            citation: standing.citation.unwrap_or_default(),
            solved: standing.solved.map(Into::into),
            computation: standing.computation,
            verified: standing.verified,
        }
    }
}

impl From<v1::Standing> for Standing {
    fn from(standing: v1::Standing) -> Self {
        let known = Known::from(outcome(standing.outcome));
        Self {
            outcome: match (known, standing.computation) {
                (Known::Unknown, Some(_)) => Known::InProgress,
                _ => known,
            },
            source: source(standing.source),
            citation: text(standing.citation),
            solved: standing.solved.map(Into::into),
            computation: standing.computation,
            verified: standing.verified,
        }
    }
}

impl From<Provenance> for v1::Provenance {
    fn from(provenance: Provenance) -> Self {
        let Provenance {
            computation,
            solved_at,
            seconds,
            expansions,
            records,
        } = provenance;
        Self {
            computation,
            solved_at,
            seconds,
            expansions,
            records,
        }
    }
}

impl From<v1::Provenance> for Provenance {
    fn from(provenance: v1::Provenance) -> Self {
        let v1::Provenance {
            computation,
            solved_at,
            seconds,
            expansions,
            records,
        } = provenance;
        Self {
            computation,
            solved_at,
            seconds,
            expansions,
            records,
        }
    }
}

impl From<Verdict> for v1::Verdict {
    fn from(verdict: Verdict) -> Self {
        Self {
            canonical: verdict.canonical,
            normal: known_field(verdict.normal),
            misere: known_field(verdict.misere),
            nimber: verdict.nimber,
            genus: verdict.genus,
            verified: verdict.verified.into_iter().map(play_field).collect(),
        }
    }
}

impl From<v1::Verdict> for Verdict {
    fn from(verdict: v1::Verdict) -> Self {
        let verified = |play: &Play| verdict.verified.contains(&play_field(*play));
        Self {
            verified: Play::ALL.into_iter().filter(verified).collect(),
            canonical: verdict.canonical,
            normal: outcome(verdict.normal).into(),
            misere: outcome(verdict.misere).into(),
            nimber: verdict.nimber,
            genus: verdict.genus,
        }
    }
}

impl From<Line> for v1::LineResponse {
    fn from(line: Line) -> Self {
        let step = |step: Step| v1::Step {
            canonical: step.canonical,
            outcome: known_field(step.outcome),
            verified: step.verified,
        };
        Self {
            steps: line.steps.into_iter().map(step).collect(),
            complete: line.complete,
        }
    }
}

/// A line under the convention that was asked for.
pub fn line(response: v1::LineResponse, play: Play) -> Line {
    let step = |step: v1::Step| Step {
        canonical: step.canonical,
        outcome: outcome(step.outcome).into(),
        verified: step.verified,
    };
    Line {
        play,
        steps: response.steps.into_iter().map(step).collect(),
        complete: response.complete,
    }
}

impl From<TableEntry> for v1::TableEntry {
    fn from(entry: TableEntry) -> Self {
        Self {
            position: entry.position,
            size: entry.size,
            play: play_field(entry.play),
            outcome: outcome_field(Some(entry.outcome)),
            nimber: entry.nimber,
            source: source_field(Some(entry.source)),
            citation: entry.citation.unwrap_or_default(),
            verified: entry.verified,
        }
    }
}

impl From<v1::TableEntry> for TableEntry {
    fn from(entry: v1::TableEntry) -> Self {
        Self {
            position: entry.position,
            size: entry.size,
            play: play_of(entry.play),
            // Only known outcomes are in a table.
            outcome: outcome(entry.outcome).unwrap_or(Outcome::Loss),
            nimber: entry.nimber,
            source: source(entry.source).unwrap_or(Source::Store),
            citation: text(entry.citation),
            verified: entry.verified,
        }
    }
}

impl From<DescribedRecord> for v1::DescribedRecord {
    fn from(record: DescribedRecord) -> Self {
        Self {
            position: record.position,
            value: record.value,
            play: play_field(record.play),
            says: record.says,
        }
    }
}

impl From<v1::DescribedRecord> for DescribedRecord {
    fn from(record: v1::DescribedRecord) -> Self {
        Self {
            position: record.position,
            value: record.value,
            play: play_of(record.play),
            says: record.says,
        }
    }
}

impl From<Verification> for v1::VerifyResponse {
    /// How many records were marked is not part of the verification.
    fn from(verification: Verification) -> Self {
        Self {
            canonical: verification.position,
            play: play_field(verification.play),
            outcome: outcome_field(Some(verification.outcome)),
            facts: verification.facts,
            ..Self::default()
        }
    }
}
