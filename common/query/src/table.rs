//! The outcomes of the start positions.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Solved, Source, published};
use crate::Verification;
use sproutnet_game::{self as game, Game};
use sproutnet_solver::play::{Outcome, Play};

/// The outcome of one start position under one convention.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableEntry {
    /// The size of the start position: the number of spots.
    pub size: u32,
    /// The convention.
    pub play: Play,
    /// Who wins, seen from the player to move.
    pub outcome: Outcome,
    /// The nimber, where it is known.
    pub nimber: Option<u32>,
    /// `store` if solved here, `derived` if a certificate proved it here, else `literature`.
    pub source: Source,
    /// Who published it, if that is the source.
    pub citation: Option<String>,
    /// Whether a checker that shares no code with the search confirmed it.
    pub verified: bool,
}

/// The largest start position looked for among the results.
const LARGEST: u32 = 400;

/// The size of the start position of a game that has this canonical text, if it is one of the first
/// hundreds.
pub fn start_size(game: &str, canonical: &str) -> Option<u32> {
    static SIZES: LazyLock<HashMap<&'static str, HashMap<String, u32>>> = LazyLock::new(|| {
        let sizes = |game: &dyn Game| {
            let text = |n| Some(game.print(&game.parse(&game.start_text(n)).ok()?));
            let sizes = (0..=LARGEST).filter_map(|n| Some((text(n)?, n)));
            sizes.collect()
        };
        let games = game::all();
        games
            .iter()
            .map(|game| (game.name(), sizes(&**game)))
            .collect()
    });
    SIZES.get(game)?.get(canonical).copied()
}

/// The table of a game: what was solved here, what was verified, and for Sprouts what was published
/// beside.
pub fn table(
    game: &dyn Game,
    solved: impl IntoIterator<Item = Solved>,
    verified: impl IntoIterator<Item = Verification>,
) -> Vec<TableEntry> {
    let mut entries: BTreeMap<(u32, Play), TableEntry> = BTreeMap::new();
    if game.name() == "sprouts" {
        for play in Play::ALL {
            for known in published(play) {
                let entry = TableEntry {
                    size: known.spots,
                    play,
                    outcome: known.outcome,
                    nimber: None,
                    source: Source::Literature,
                    citation: Some(known.citation.to_owned()),
                    verified: false,
                };
                entries.insert((known.spots, play), entry);
            }
        }
    }
    for solved in solved {
        if let Some(size) = start_size(game.name(), &solved.position) {
            let entry = TableEntry {
                size,
                play: solved.play,
                outcome: solved.outcome,
                nimber: solved.nimber,
                source: Source::Store,
                citation: None,
                verified: false,
            };
            entries.insert((size, solved.play), entry);
        }
    }
    for verified in verified {
        if let Some(size) = start_size(game.name(), &verified.position) {
            let derived = || TableEntry {
                size,
                play: verified.play,
                outcome: verified.outcome,
                nimber: None,
                source: Source::Derived,
                citation: None,
                verified: true,
            };
            entries
                .entry((size, verified.play))
                .and_modify(|entry| match entry.source {
                    Source::Literature => *entry = derived(),
                    _ => entry.verified = entry.outcome == verified.outcome,
                })
                .or_insert_with(derived);
        }
    }
    entries.into_values().collect()
}
