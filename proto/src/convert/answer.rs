//! Answers about positions, lines of play, and tables.

use sproutnet_model::{
    Answer, DescribedRecord, Known, Line, Provenance, Source, Standing, Step, TableEntry, Verdict,
    Verification,
};
use sproutnet_notation::{Outcome, Play};

use super::{
    known, known_field, list, optional, outcome, outcome_field, part, play_field, play_of, source,
    source_field, text, text_field,
};
use crate::v1;

impl From<(Answer, Vec<Verdict>)> for v1::QueryResponse {
    /// An answer, with the verdicts of the moves if these were requested.
    fn from((answer, moves): (Answer, Vec<Verdict>)) -> Self {
        Self {
            canonical: answer.canonical,
            game: answer.game,
            most_moves: answer.most_moves,
            normal: Some(answer.normal.into()),
            misere: Some(answer.misere.into()),
            nimber: answer.nimber,
            genus: answer.genus,
            lands: list(answer.lands),
            moves: list(moves),
        }
    }
}

impl From<v1::QueryResponse> for (Answer, Vec<Verdict>) {
    fn from(response: v1::QueryResponse) -> Self {
        let answer = Answer {
            canonical: response.canonical,
            game: response.game,
            most_moves: response.most_moves,
            normal: part(response.normal),
            misere: part(response.misere),
            nimber: response.nimber,
            genus: response.genus,
            lands: list(response.lands),
        };
        (answer, list(response.moves))
    }
}

impl From<Standing> for v1::Standing {
    fn from(standing: Standing) -> Self {
        Self {
            outcome: known_field(standing.outcome),
            source: source_field(standing.source),
            basis: standing
                .basis
                .map_or(v1::Basis::Unspecified, Into::into)
                .into(),
            citation: text_field(standing.citation),
            solved: optional(standing.solved),
            computation: standing.computation,
            verified: standing.verified,
        }
    }
}

impl From<v1::Standing> for Standing {
    fn from(standing: v1::Standing) -> Self {
        let known = known(standing.outcome);
        Self {
            outcome: match (known, standing.computation) {
                (Known::Unknown, Some(_)) => Known::InProgress,
                _ => known,
            },
            source: source(standing.source),
            basis: v1::Basis::try_from(standing.basis)
                .ok()
                .and_then(v1::Basis::known),
            citation: text(standing.citation),
            solved: optional(standing.solved),
            computation: standing.computation,
            verified: standing.verified,
        }
    }
}

twins!(
    Provenance,
    Provenance {
        computation,
        solved_at,
        seconds,
        expansions,
        records
    }
);

twins!(Verdict, Verdict {
    canonical, nimber, genus;
    normal: known_field, known;
    misere: known_field, known;
    verified: plays_field, |fields: Vec<i32>| plays(&fields);
});

twins!(Step, Step {
    canonical, verified;
    outcome: known_field, known;
});

twins!(TableEntry, TableEntry {
    position, size, nimber, verified;
    play: play_field, play_of;
    // Only known outcomes are in a table.
    outcome: |known| outcome_field(Some(known)), |field| outcome(field).unwrap_or(Outcome::Loss);
    source: |known| source_field(Some(known)), |field| source(field).unwrap_or(Source::Store);
    citation: text_field, text;
});

twins!(DescribedRecord, DescribedRecord {
    position, value, says;
    play: play_field, play_of;
});

fn plays(fields: &[i32]) -> Vec<Play> {
    let is_named = |play: &Play| fields.contains(&play_field(*play));
    Play::ALL.into_iter().filter(is_named).collect()
}

fn plays_field(plays: Vec<Play>) -> Vec<i32> {
    plays.into_iter().map(play_field).collect()
}

impl From<Line> for v1::LineResponse {
    fn from(
        Line {
            steps, complete, ..
        }: Line,
    ) -> Self {
        Self {
            steps: list(steps),
            complete,
        }
    }
}

/// A line under the requested convention.
pub fn line(response: v1::LineResponse, play: Play) -> Line {
    let v1::LineResponse { steps, complete } = response;
    Line {
        play,
        steps: list(steps),
        complete,
    }
}

impl From<Verification> for v1::VerifyResponse {
    /// The numbers of marked records are not part of the verification.
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
