//! Quotients that were found before, so that each is found once.

use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_game::{Game, Position};
use sproutnet_notation::Outcome;

use super::{Quotient, TooLarge};

/// The maximum number of kept quotients.
const MOST_KEPT: usize = 32;

/// The maximum number of looked-up outcomes of sums in finding a quotient while somebody waits. Kayles takes eight
/// million.
const MOST_LOOKS: u64 = 12_000_000;

/// The quotients that were found last, the newest one at the end.
static FOUND: Mutex<Vec<Found>> = Mutex::new(Vec::new());

/// The quotient of a game of heaps.
#[derive(Clone)]
struct Found {
    /// The game's name with its parameters.
    game: String,
    quotient: Arc<Quotient>,
    /// Whether the quotient with the next heap is too large.
    is_last: bool,
}

/// Whether a new quotient may be found. That takes a second or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A new quotient may be found.
    Find,
    /// Only quotients found before are used.
    Look,
}

/// The outcome of a sum of heaps with the same parameters under misère play, if their quotient gives it.
pub(in crate::theory) fn outcome(
    game: &dyn Game,
    position: &Position,
    effort: Effort,
) -> Option<Outcome> {
    let ((parameters, heap), sizes) = game.heaps(position)?;
    let game = format!("{}{parameters}", game.name());
    let known = kept(&game);
    let told = |found: &Found| found.quotient.outcome(sizes.iter().copied());
    if let Some(found) = &known
        && (told(found).is_some() || found.is_last)
    {
        return told(found);
    }
    if effort == Effort::Look {
        return None;
    }
    // Twice the largest heap asked about: a series of questions about growing heaps then finds few quotients.
    let largest = sizes.iter().copied().max()?.saturating_mul(2);
    let (quotient, is_last) = match Quotient::within(MOST_LOOKS, &*heap, largest) {
        Ok(quotient) => (quotient, false),
        Err(too_large) => {
            let TooLarge { smaller, .. } = *too_large;
            (smaller, true)
        }
    };
    let quotient = Arc::new(quotient);
    let found = Found {
        game,
        quotient,
        is_last,
    };
    let outcome = told(&found);
    keep(found);
    outcome
}

/// The quotient by which [`outcome`] gives an outcome, in words.
pub(in crate::theory) fn theorem(game: &dyn Game, position: &Position) -> Option<String> {
    let ((parameters, _), sizes) = game.heaps(position)?;
    let known = kept(&format!("{}{parameters}", game.name()))?;
    known.quotient.outcome(sizes)?;
    let order = known.quotient.monoid.order();
    Some(format!("the misère quotient of order {order}"))
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
