//! Tables of start positions, solved here or published.

use serde::{Deserialize, Serialize};
use sproutnet_notation::{Outcome, Play};

use crate::Source;

const NORMAL: &str = include_str!("normal_outcomes.tsv");
const MISERE: &str = include_str!("misere_outcomes.tsv");

/// The source of the outcomes under misère play.
const MISERE_CITATION: &str = "OEIS A164950";

/// A published outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The number of spots.
    pub spots: u32,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The publication.
    pub citation: &'static str,
}

/// All outcomes published for a convention, by number of spots.
pub fn published(play: Play) -> impl Iterator<Item = Published> {
    let (text, citation) = match play {
        Play::Normal => (NORMAL, None),
        Play::Misere => (MISERE, Some(MISERE_CITATION)),
    };
    text.lines().filter_map(move |line| {
        let mut fields = line.split('\t');
        let spots = fields.next()?.parse().ok()?;
        let outcome = match fields.next()? {
            "win" => Outcome::Win,
            "loss" => Outcome::Loss,
            _ => return None,
        };
        let citation = citation.or_else(|| fields.next())?;
        Some(Published {
            spots,
            outcome,
            citation,
        })
    })
}

/// The outcome of one start position under one convention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableEntry {
    /// The start position, as text.
    pub position: String,
    /// Its place in the table, from 0. In games where a number names a start position, that number: the number of spots.
    pub size: u32,
    /// The convention.
    pub play: Play,
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// The nimber, if known.
    pub nimber: Option<u32>,
    /// `store` if solved here, `derived` if it follows from what was proved here, `atlas` if Sproutnet proved it
    /// elsewhere and the atlas has a certificate, else `literature`.
    pub source: Source,
    /// The publication, or the certificate of the atlas, if that is the source.
    pub citation: Option<String>,
    /// Whether the checker of certificates confirmed it.
    pub verified: bool,
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
