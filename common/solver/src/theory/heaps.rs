//! Sums of heaps by their nimbers.
//!
//! The nimber of a sum is the exclusive or of the nimbers of its heaps (Sprague 1935, Grundy 1939). That of a heap comes
//! from a formula, or from the [`sequence`](super::sequence) of its game, for any size if a period is proved.

use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_game::heaps::Heap;
use sproutnet_game::{Game, Position};
use sproutnet_notation::Outcome;

use super::Theorem;
use super::period::Period;
use super::sequence::Sequence;

/// The maximum number of kept sequences.
const MOST_KEPT: usize = 32;

/// The maximum number of options looked at for a sequence while somebody waits. That takes some tenths of a second.
const MOST_OPTIONS: u64 = 30_000_000;

/// The number of heaps that are looked at for a period if that takes little time, whatever the size of the heap.
const FURTHEST: usize = 1024;

/// The sequences that were found last, the newest one at the end.
static FOUND: Mutex<Vec<(String, Arc<Found>)>> = Mutex::new(Vec::new());

/// The sequence of a game of heaps.
struct Found {
    sequence: Sequence,
    /// The number of nimbers that were asked for. There are fewer if they take too many options.
    asked: usize,
}

impl Found {
    /// Whether a new sequence could tell no more about a heap.
    fn is_enough_for(&self, size: u32) -> bool {
        let computed = self.sequence.computed;
        let has_ended = self.sequence.period.is_some() || computed < self.asked;
        has_ended || (size as usize) < computed
    }
}

/// The outcome of Nim under misère play (Bouton 1901): as under normal play if a heap has several tokens, else the
/// opposite. `None` in other games.
pub(super) fn misere_nim(game: &dyn Game, position: &Position) -> Option<Outcome> {
    let ((_, heap), sizes) = game.heaps(position)?;
    let has_large = sizes.iter().any(|&size| size > 1);
    let sum = sizes.iter().fold(0, |sum, size| sum ^ size);
    heap.is_nim()
        .then(|| Outcome::win_if((sum != 0) == has_large))
}

/// The nimber of a sum of heaps, if it is known by a formula or from sequences.
pub(super) fn nimber(game: &dyn Game, position: &Position) -> Option<(u32, Theorem)> {
    let mut sum = 0;
    let mut theorem = None;
    for land in position.lands() {
        let part = game.part(land);
        let (game, land) = match &part {
            Some((game, land)) => (&**game, land),
            None => (game, land),
        };
        let ((parameters, heap), sizes) = game.heaps(&Position::new(vec![land.clone()]))?;
        let name = format!("{}{parameters}", game.name());
        for size in sizes {
            let (nimber, by) = of_heap(&name, &*heap, size)?;
            sum ^= nimber;
            // Heaps of different parameters may be known by different theorems.
            let is_same = theorem.is_none_or(|theorem| theorem == by);
            theorem = Some(if is_same { by } else { Theorem::Heaps });
        }
    }
    Some((sum, theorem?))
}

/// The nimber of a heap of a game with this name.
fn of_heap(name: &str, heap: &dyn Heap, size: u32) -> Option<(u32, Theorem)> {
    if let Some(nimber) = heap.nimber(size) {
        let is_nim = heap.is_nim();
        let theorem = if is_nim {
            Theorem::Bouton
        } else {
            Theorem::Formula
        };
        return Some((nimber, theorem));
    }
    let known = kept(name).filter(|known| known.is_enough_for(size));
    let known = known.unwrap_or_else(|| {
        // A series of questions about growing heaps then computes few sequences.
        let asked = (size as usize + 1).next_power_of_two();
        let sequence = Sequence::within(MOST_OPTIONS, heap, asked, FURTHEST, None);
        keep(name, Found { sequence, asked })
    });
    let theorem = match known.sequence.period {
        None => Theorem::Heaps,
        Some(Period {
            length, saltus: 0, ..
        }) => Theorem::Period(length),
        Some(Period { length, saltus, .. }) => Theorem::ArithmeticPeriod { length, saltus },
    };
    Some((known.sequence.nimber(size)?, theorem))
}

fn kept(name: &str) -> Option<Arc<Found>> {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, kept) = found.iter().find(|(of, _)| of == name)?;
    Some(Arc::clone(kept))
}

fn keep(name: &str, new: Found) -> Arc<Found> {
    let new = Arc::new(new);
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.retain(|(of, _)| of != name);
    if found.len() == MOST_KEPT {
        found.remove(0);
    }
    found.push((name.to_owned(), Arc::clone(&new)));
    new
}

#[cfg(test)]
mod tests;
