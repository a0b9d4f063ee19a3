//! Outcomes of start positions.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, LazyLock};

use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Solved, Source, TableEntry, Verification, proofs, published};
use sproutnet_solver::play::{Outcome, Play};

use super::OnTheSpot;
use super::outcome::{Looks, is_small};
use super::verdict::verdict;

/// The start positions in the table of a game.
#[derive(Default)]
struct Starts {
    positions: Vec<Position>,
    /// The place of each by its canonical text, both as stores have it and as people and programs see it.
    places: HashMap<String, u32>,
}

/// The start positions of the game with this name.
fn starts(game: &str) -> Option<&'static Starts> {
    static STARTS: LazyLock<HashMap<&'static str, Starts>> = LazyLock::new(|| {
        let games = game::all().into_iter();
        let starts = |game: Arc<dyn Game>| (game.name(), Starts::of(&*game, &game.starts()));
        games.map(starts).collect()
    });
    STARTS.get(game)
}

impl Starts {
    /// The positions of these texts, in their order.
    fn of(game: &dyn Game, texts: &[String]) -> Self {
        let mut starts = Self::default();
        for (place, text) in (0..).zip(texts) {
            let Ok(position) = game.parse(text) else {
                continue;
            };
            let canonical = game.print(&position);
            let shown = game::qualified(game, &canonical);
            starts.places.extend([(canonical, place), (shown, place)]);
            starts.positions.push(position);
        }
        starts
    }
}

/// The place of a start position in the table, which is its size if it has one. `canonical` is its text as stores have
/// it or as people and programs see it.
pub fn start_size(game: &str, canonical: &str) -> Option<u32> {
    starts(game)?.places.get(canonical).copied()
}

/// The table of a game, or of these heaps of it: solved and verified start positions, for Sprouts those of the atlas and published
/// ones, and small ones. A small position of unknown outcome is searched on the spot.
///
/// # Errors
/// A search cannot be made.
pub fn table(
    on_the_spot: &OnTheSpot<'_>,
    heaps: Option<&[String]>,
    solved: impl IntoIterator<Item = Solved>,
    verified: impl IntoIterator<Item = Verification>,
) -> io::Result<Vec<TableEntry>> {
    let known = on_the_spot.known();
    let game = known.game().as_ref();
    let mut entries: BTreeMap<(u32, Play), TableEntry> = BTreeMap::new();
    let (none, of_heaps);
    let starts = match heaps {
        Some(texts) => {
            of_heaps = Starts::of(game, texts);
            &of_heaps
        }
        None => {
            none = Starts::default();
            starts(game.name()).unwrap_or(&none)
        }
    };
    let place = |canonical: &str| starts.places.get(canonical).copied();
    let starts = &starts.positions;
    let text = |size: u32| {
        let start = starts.get(size as usize);
        start.map_or_else(String::new, |start| {
            game::qualified(game, &game.print(start))
        })
    };
    let entry = |size, play, outcome, source| TableEntry {
        position: text(size),
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
        for proof in proofs() {
            if let Some(size) = place(proof.position) {
                let certified = TableEntry {
                    nimber: proof.nimber,
                    citation: Some(proof.citation().to_owned()),
                    ..entry(size, proof.play, proof.outcome, Source::Atlas)
                };
                entries.insert((size, proof.play), certified);
            }
        }
    }
    for solved in solved {
        if let Some(size) = place(&solved.position) {
            let stored = TableEntry {
                nimber: solved.nimber,
                ..entry(size, solved.play, solved.outcome, Source::Store)
            };
            entries.insert((size, solved.play), stored);
        }
    }
    for verified in verified {
        let (play, outcome) = (verified.play, verified.outcome);
        if let Some(size) = place(&verified.position) {
            let derived = || entry(size, play, outcome, Source::Derived);
            let known = entries.entry((size, play)).or_insert_with(derived);
            if !known.source.is_here() {
                *known = derived();
            }
            known.verified = known.outcome == outcome;
        }
    }
    let mut looks = Looks::default();
    for (size, start) in (0..).zip(starts) {
        for play in Play::ALL {
            let listed = entries.get(&(size, play)).map(|entry| entry.source);
            let outcome = match listed {
                Some(source) if source.is_here() => None,
                _ if !is_small(known, start) => looks.at_once(known, start, play),
                Some(_) => looks.outcome(known, start, play),
                None => on_the_spot.solve(start, play)?,
            };
            if let Some(outcome) = outcome {
                entries.insert((size, play), entry(size, play, outcome, Source::Derived));
            }
        }
    }
    let mut entries: Vec<TableEntry> = entries.into_values().collect();
    for entry in &mut entries {
        if entry.play == Play::Normal && entry.nimber.is_none() && !game.is_partizan() {
            entry.nimber = match starts.get(entry.size as usize) {
                _ if entry.outcome == Outcome::Loss => Some(0),
                // A search about others would make them known here, too.
                Some(start) if entry.source.is_here() => nimber(on_the_spot, start)?,
                Some(_) | None => None,
            };
        }
    }
    Ok(entries)
}

/// The nimber of a start position: a known one, or by a search if it is small.
fn nimber(on_the_spot: &OnTheSpot<'_>, start: &Position) -> io::Result<Option<u32>> {
    match verdict(on_the_spot.known(), start).nimber {
        Some(nimber) => Ok(Some(nimber)),
        None => on_the_spot.nimber(start),
    }
}
