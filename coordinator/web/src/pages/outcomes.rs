//! What is known of the start positions of Sprouts, and what is being found out.

use std::collections::{HashMap, HashSet};

use sproutnet_game::{Game, Sprouts};
use sproutnet_model::{Source, TableEntry};
use sproutnet_query::start_size;
use sproutnet_solver::play::{Outcome, Play};

use super::conjecture;
use sproutnet_model::Computation;

/// The tables go on so far at least, in spots: where what was published ends.
const LAST: u32 = 107;

/// Where an outcome is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was solved here.
    Here,
    /// And a checker that shares no code with the search confirmed it.
    Verified,
    /// These published it.
    Literature(String),
}

/// A start position under one convention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) spots: u32,
    pub(super) play: Play,
    /// Its outcome, where it is known.
    pub(super) known: Option<(Outcome, Origin)>,
    /// Whether a computation of it runs.
    pub(super) in_progress: bool,
}

/// The start positions under one convention, from no spots on.
pub(super) struct Outcomes {
    pub(super) play: Play,
    pub(super) starts: Vec<Start>,
}

impl Start {
    /// The text of the position.
    pub(super) fn position(&self) -> String {
        Sprouts.start_text(self.spots)
    }

    /// Whether it is known that the conjecture is wrong here.
    pub(super) fn is_exception(&self) -> bool {
        let expected = conjecture::outcome(self.play, self.spots);
        matches!(self.known, Some((outcome, _)) if outcome != expected)
    }

    /// Whether it was solved here.
    pub(super) fn is_solved_here(&self) -> bool {
        matches!(self.known, Some((_, Origin::Here | Origin::Verified)))
    }
}

/// The tables of both conventions, of the same length: whole rows of so many.
pub(super) fn of(
    entries: Vec<TableEntry>,
    computations: &[Computation],
    row: u32,
) -> [Outcomes; 2] {
    let running: HashSet<(u32, Play)> = computations
        .iter()
        .filter(|listed| !listed.progress.status.has_ended())
        .filter_map(|listed| Some((start_size("sprouts", &listed.position)?, listed.play)))
        .collect();
    let farthest = entries
        .iter()
        .map(|entry| entry.size)
        .chain(running.iter().map(|(spots, _)| *spots));
    let end = farthest.fold(LAST, u32::max) / row * row + row;
    let mut known: HashMap<(u32, Play), (Outcome, Origin)> = HashMap::new();
    for entry in entries {
        let origin = match entry.source {
            _ if entry.verified => Origin::Verified,
            Source::Literature => Origin::Literature(entry.citation.unwrap_or_default()),
            Source::Search | Source::Store | Source::Derived => Origin::Here,
        };
        known.insert((entry.size, entry.play), (entry.outcome, origin));
    }
    Play::ALL.map(|play| Outcomes {
        play,
        starts: (0..end)
            .map(|spots| Start {
                spots,
                play,
                known: known.remove(&(spots, play)),
                in_progress: running.contains(&(spots, play)),
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests;
