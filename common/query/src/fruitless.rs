//! Searches that ended without a result. They are not made again at once: otherwise each visit of a page would take as
//! long as the first one.

use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use sproutnet_game::{Game, Position};
use sproutnet_solver::play::Play;

/// The maximum number of remembered searches.
const MOST: usize = 4096;

/// A search is made again after this many times the time that was spent on it so far, or after [`LONGEST_PAUSE`]. It may
/// then succeed, because the facts that it proved, and those of all others, are kept: some small positions take three or
/// four such searches.
const PAUSE: u32 = 10;
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// What was searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    /// The outcome of the position.
    Outcome(Play),
    /// The nimber of the position.
    Nimber,
    /// The outcomes of its options.
    Options(Play),
}

/// The name of a game, a position of it, and what was searched for.
pub(super) type Key = (&'static str, Position, Wanted);

/// The key of a search.
pub(super) fn key(game: &dyn Game, position: &Position, wanted: Wanted) -> Key {
    (game.name(), position.clone(), wanted)
}

/// Searches of one key that ended without a result.
#[derive(Clone, Copy, Debug)]
struct Ended {
    /// The time that the longest of them took.
    longest: Duration,
    /// The time that all of them took.
    in_all: Duration,
    /// When the last of them ended.
    at: Instant,
}

/// The searches that ended without a result, as far as they are remembered. What becomes known meanwhile has to be looked
/// up before.
pub(super) struct Fruitless(Cache<Key, Ended>);

impl Default for Fruitless {
    fn default() -> Self {
        Self(Cache::new(MOST))
    }
}

impl Fruitless {
    /// Whether a search within this time would only repeat what was done a short while ago.
    pub(super) fn repeats(&self, key: &Key, within: Duration, now: Instant) -> bool {
        self.0.get(key).is_some_and(|ended| {
            let pause = (ended.in_all * PAUSE).min(LONGEST_PAUSE);
            // A little more time is not worth another search: no two searches get exactly the same time.
            let is_as_short = within <= ended.longest * 5 / 4;
            is_as_short && now.saturating_duration_since(ended.at) < pause
        })
    }

    /// Notes a search that took this time and ended without a result.
    pub(super) fn note(&self, key: Key, spent: Duration, now: Instant) {
        let before = self.0.get(&key);
        let (longest, in_all) = before.map_or((spent, spent), |before| {
            (before.longest.max(spent), before.in_all + spent)
        });
        let ended = Ended {
            longest,
            in_all,
            at: now,
        };
        self.0.insert(key, ended);
    }
}

#[cfg(test)]
mod tests;
