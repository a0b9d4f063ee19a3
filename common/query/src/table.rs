//! The outcomes of the start positions.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use sproutnet_game::{self as game, Game};
use sproutnet_model::{Published, Solved, Source, TableEntry, Verification, published};
use sproutnet_solver::play::Play;

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

/// What was published about the position of Sprouts with that canonical text, if it is a start position.
pub fn published_of(canonical: &str, play: Play) -> Option<Published> {
    let spots = start_size("sprouts", canonical)?;
    published(play).find(|known| known.spots == spots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_solver::play::Outcome;

    #[test]
    fn published_outcomes_are_found_by_position() {
        let of_one = |spots: &str, play| published_of(spots, play).map(|known| known.outcome);
        assert_eq!(of_one("0*20", Play::Misere), Some(Outcome::Loss));
        assert_eq!(of_one("0*63", Play::Normal), None);
        assert_eq!(of_one("0*3.1a1a", Play::Normal), None);
    }
}
