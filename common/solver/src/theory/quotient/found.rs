//! Quotients that were found before, so that each is found once, on a thread of its own.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use sproutnet_game::heaps::Heap;
use sproutnet_game::{Game, Position};
use sproutnet_notation::Outcome;

use super::super::Theorem;
use super::{Limits, Quotient, TooLarge};

/// The maximum number of kept quotients.
const MOST_KEPT: usize = 32;

/// The maximum number of looked-up outcomes of sums in finding a quotient while somebody waits. Kayles takes eight
/// million.
const MOST_LOOKS: u64 = 12_000_000;

/// The name of the game whose quotient is being found, if any: one at a time.
static FINDING: Mutex<Option<String>> = Mutex::new(None);

/// Notified when [`FINDING`] becomes `None`.
static ENDED: Condvar = Condvar::new();

/// The quotients that were found last, the newest one at the end.
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());

/// The quotient of a game of heaps.
#[derive(Clone)]
pub struct Found {
    /// The game's name with its parameters.
    game: String,
    /// The quotient.
    pub quotient: Arc<Quotient>,
    /// Whether the quotient with the next heap is too large.
    pub is_last: bool,
}

impl Found {
    /// Whether a new quotient could tell no more about heaps up to this one.
    fn is_enough_for(&self, largest: u32) -> bool {
        let has_ended = self.is_last || self.quotient.period.is_some();
        has_ended || self.quotient.values.len() > largest as usize
    }
}

/// Whether a new quotient may be found. That takes a few seconds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A new quotient may be found. The caller waits for it until this time; it is found for later questions in any
    /// case.
    Find(Instant),
    /// Only quotients found before are used.
    Look,
}

/// Why the quotient of a game is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnderWay {
    /// It is being found.
    This,
    /// That of another game is being found, and one is found at a time.
    Other,
}

impl UnderWay {
    /// Which game is meant, while the quotient of one is being found.
    fn of(finding: &str, game: &str) -> Self {
        if finding == game {
            Self::This
        } else {
            Self::Other
        }
    }
}

/// Why a quotient did not give the outcome of a sum of heaps in time; `None` if none will give it.
pub fn under_way(game: &dyn Game, position: &Position) -> Option<UnderWay> {
    let ((parameters, _), _) = game.heaps(position)?;
    let game = format!("{}{parameters}", game.name());
    if kept(&game).is_some_and(|found| found.is_last) {
        return None;
    }
    finding().as_ref().map(|of| UnderWay::of(of, &game))
}

/// The quotient of a game with its canonical parameters, of all heaps up to `largest` at least, or of as many as there
/// are. Waits for it until then.
///
/// # Errors
/// It was not found in time.
pub fn of_game(
    game: &str,
    heap: impl Fn() -> Box<dyn Heap>,
    largest: u32,
    until: Instant,
) -> Result<Found, UnderWay> {
    let known = || kept(game).filter(|found| found.is_enough_for(largest));
    // The first wait may be for a quotient of fewer heaps, which others asked for.
    for _ in 0..2 {
        if known().is_none() {
            find(game, heap(), largest, until);
        }
    }
    known().ok_or_else(|| match finding().as_deref() {
        Some(of) => UnderWay::of(of, game),
        None => UnderWay::This,
    })
}

/// The outcome of a sum of heaps with the same parameters under misère play, if their quotient gives it.
pub(in crate::theory) fn told(
    game: &dyn Game,
    position: &Position,
    effort: Effort,
) -> Option<(Outcome, Theorem)> {
    let ((parameters, heap), sizes) = game.heaps(position)?;
    let game = format!("{}{parameters}", game.name());
    let known = kept(&game);
    let told = |found: &Found| {
        let outcome = found.quotient.outcome(sizes.iter().copied())?;
        Some((outcome, Theorem::Quotient(found.quotient.monoid.order())))
    };
    if let Some(found) = &known
        && (told(found).is_some() || found.is_last)
    {
        return told(found);
    }
    let Effort::Find(until) = effort else {
        return None;
    };
    // Twice the largest heap asked about: a series of questions about growing heaps then finds few quotients.
    let largest = sizes.iter().copied().max()?.saturating_mul(2);
    find(&game, heap, largest, until);
    told(&kept(&game)?)
}

/// Finds the quotient of a game, after that of another game if one is being found, and waits for it until then.
fn find(game: &str, heap: Box<dyn Heap>, largest: u32, until: Instant) {
    let Some(mut finding) = wait_while(finding(), until, |of| of.is_some_and(|of| of != game))
    else {
        return;
    };
    if finding.is_none() {
        let name = game.to_owned();
        let thread = thread::Builder::new().name("quotient".to_owned());
        let started = thread.spawn(move || {
            let _ended = Ended;
            keep(found(name, &*heap, largest));
        });
        if started.is_err() {
            return;
        }
        *finding = Some(game.to_owned());
    }
    wait_while(finding, until, |of| of == Some(game));
}

/// Waits while it holds of the game whose quotient is being found; `None` if it still holds at the deadline.
fn wait_while(
    finding: MutexGuard<'static, Option<String>>,
    until: Instant,
    holds: impl Fn(Option<&str>) -> bool,
) -> Option<MutexGuard<'static, Option<String>>> {
    let wait = until.saturating_duration_since(Instant::now());
    let waited = ENDED.wait_timeout_while(finding, wait, |of| holds(of.as_deref()));
    let (finding, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
    (!timeout.timed_out()).then_some(finding)
}

fn finding() -> MutexGuard<'static, Option<String>> {
    FINDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says that the quotient was found, or that finding it panicked.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        *finding() = None;
        ENDED.notify_all();
    }
}

fn found(game: String, heap: &dyn Heap, largest: u32) -> Found {
    let limits = Limits {
        looks: MOST_LOOKS,
        ..Limits::default()
    };
    let (quotient, is_last) = match Quotient::limited(heap, largest, limits) {
        Ok(quotient) => (quotient, false),
        Err(too_large) => {
            let TooLarge { smaller, .. } = *too_large;
            (smaller, true)
        }
    };
    Found {
        game,
        quotient: Arc::new(quotient),
        is_last,
    }
}

fn kept(game: &str) -> Option<Found> {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.iter().find(|found| found.game == game).cloned()
}

fn keep(new: Found) {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.retain(|found| found.game != new.game);
    if found.len() == MOST_KEPT {
        found.remove(0);
    }
    found.push(new);
}
