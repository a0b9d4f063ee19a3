//! Outcomes of start positions.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::LazyLock;

use sproutnet_game::{self as game, Game};
use sproutnet_model::{Published, Solved, Source, TableEntry, Verification, published};
use sproutnet_solver::play::Play;

use super::OnTheSpot;
use super::outcome::{Looks, is_small};

/// The largest size of a start position that is recognized.
const LARGEST: u32 = 400;

/// The size of the start position with this canonical text, as stores have it or as people and programs see it,
/// if it is at most 400.
pub fn start_size(game: &str, canonical: &str) -> Option<u32> {
    static SIZES: LazyLock<HashMap<&'static str, HashMap<String, u32>>> = LazyLock::new(|| {
        let sizes = |game: &dyn Game| {
            let text = |n| Some(game.print(&game.parse(&game.start_text(n)?).ok()?));
            let sizes = (0..=LARGEST).filter_map(|n| Some((text(n)?, n)));
            let both = |(text, n): (String, u32)| [(game::qualified(game, &text), n), (text, n)];
            sizes.flat_map(both).collect()
        };
        let games = game::all();
        games
            .iter()
            .map(|game| (game.name(), sizes(&**game)))
            .collect()
    });
    SIZES.get(game)?.get(canonical).copied()
}

/// The table of a game: solved and verified start positions, published ones for Sprouts, and small ones. A small
/// one of unknown outcome is searched on the spot.
///
/// # Errors
/// A search cannot be made.
pub fn table(
    on_the_spot: &OnTheSpot<'_>,
    solved: impl IntoIterator<Item = Solved>,
    verified: impl IntoIterator<Item = Verification>,
) -> io::Result<Vec<TableEntry>> {
    let known = on_the_spot.known();
    let game = known.game().as_ref();
    let mut entries: BTreeMap<(u32, Play), TableEntry> = BTreeMap::new();
    let entry = |size, play, outcome, source| TableEntry {
        size,
        play,
        outcome,
        nimber: None,
        source,
        citation: None,
        verified: false,
    };
    if game.name() == "sprouts" {
        for play in Play::ALL {
            for known in published(play) {
                let published = TableEntry {
                    citation: Some(known.citation.to_owned()),
                    ..entry(known.spots, play, known.outcome, Source::Literature)
                };
                entries.insert((known.spots, play), published);
            }
        }
    }
    for solved in solved {
        if let Some(size) = start_size(game.name(), &solved.position) {
            let stored = TableEntry {
                nimber: solved.nimber,
                ..entry(size, solved.play, solved.outcome, Source::Store)
            };
            entries.insert((size, solved.play), stored);
        }
    }
    for verified in verified {
        let (play, outcome) = (verified.play, verified.outcome);
        if let Some(size) = start_size(game.name(), &verified.position) {
            let derived = || entry(size, play, outcome, Source::Derived);
            let known = entries.entry((size, play)).or_insert_with(derived);
            if known.source == Source::Literature {
                *known = derived();
            }
            known.verified = known.outcome == outcome;
        }
    }
    let mut looks = Looks::default();
    for size in 0..=LARGEST {
        let start = game.start_text(size).map(|start| game.parse(&start));
        let Some(Ok(start)) = start else {
            continue;
        };
        if !is_small(known, &start) {
            break;
        }
        for play in Play::ALL {
            let listed = entries.get(&(size, play)).map(|entry| entry.source);
            let outcome = match listed {
                Some(Source::Literature) => looks.outcome(known, &start, play),
                Some(_) => None,
                None => on_the_spot.solve(&start, play)?,
            };
            if let Some(outcome) = outcome {
                entries.insert((size, play), entry(size, play, outcome, Source::Derived));
            }
        }
    }
    Ok(entries.into_values().collect())
}

/// The published outcome of the position of Sprouts with this canonical text, if it is a start position.
pub fn published_of(canonical: &str, play: Play) -> Option<Published> {
    let spots = start_size("sprouts", canonical)?;
    published(play).find(|known| known.spots == spots)
}

#[cfg(test)]
mod tests;
