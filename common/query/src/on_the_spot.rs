//! Searches of small positions for an answer, one at a time.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_game::Position;
use sproutnet_solver::play::{GameKnowledge, Outcome, Play};

use super::outcome::{is_small, nimber_of_small, resolved, solve_small, told_by_theory};

/// The time limit of the first search of each of several positions.
const FIRST_SEARCH: Duration = Duration::from_millis(2);

/// The least time of a question that waits longer for theory. A question that was given a second has more than this left
/// after what comes before theory.
const PATIENT: Duration = Duration::from_millis(500);

/// The time that such a question waits for theory after its deadline. Finding the quotient of Kayles takes a second.
const PATIENCE: Duration = Duration::from_secs(4);

/// Searches small positions for an answer until its deadline.
pub struct OnTheSpot<'a> {
    known: &'a GameKnowledge,
    permit: &'a SearchPermit,
    until: Instant,
    /// The deadline of theory.
    theory_until: Instant,
    has_searched: Cell<bool>,
}

impl<'a> OnTheSpot<'a> {
    /// Searches until the deadline, one search at a time for all with the same permit. Theory may take some seconds more,
    /// unless the deadline is less than half a second away.
    pub fn new(known: &'a GameKnowledge, permit: &'a SearchPermit, until: Instant) -> Self {
        let is_patient = until.saturating_duration_since(Instant::now()) >= PATIENT;
        let patience = if is_patient { PATIENCE } else { Duration::ZERO };
        Self {
            known,
            permit,
            until,
            theory_until: until + patience,
            has_searched: Cell::new(false),
        }
    }

    /// The known facts, including those that the searches prove.
    pub fn known(&self) -> &'a GameKnowledge {
        self.known
    }

    /// Whether there was a search, so that more may be known than before.
    pub fn has_searched(&self) -> bool {
        self.has_searched.get()
    }

    /// The outcome of a position: from knowledge, or by a search of a small position, or by the theory of a large one.
    ///
    /// # Errors
    /// See [`solve_small`].
    pub fn solve(&self, position: &Position, play: Play) -> io::Result<Option<Outcome>> {
        match resolved(self.known, position, play) {
            Some(outcome) => Ok(Some(outcome)),
            None => self.search(position, play, self.until),
        }
    }

    /// The nimber of a small position, by a search.
    ///
    /// # Errors
    /// See [`solve_small`].
    pub fn nimber(&self, position: &Position) -> io::Result<Option<u32>> {
        let has_nimber = !self.known.game().is_partizan() && is_small(self.known, position);
        if !has_nimber || Instant::now() >= self.until {
            return Ok(None);
        }
        let Some(_permit) = self.permit.enter(self.until) else {
            return Ok(None);
        };
        self.has_searched.set(true);
        nimber_of_small(self.known, position, self.until)
    }

    /// Solves the small positions of unknown outcome among several, until `found` breaks. Each gets a little time at
    /// first, then more.
    pub(super) fn solve_each<'p>(
        &self,
        positions: impl IntoIterator<Item = &'p Position>,
        play: Play,
        mut found: impl FnMut(&'p Position, Outcome) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let mut open: Vec<&Position> = positions.into_iter().collect();
        open.retain(|position| {
            is_small(self.known, position) && resolved(self.known, position, play).is_none()
        });
        open.sort_by_cached_key(|position| self.known.game().max_moves_of(position));
        let mut time = FIRST_SEARCH;
        while !open.is_empty() && Instant::now() < self.until {
            let mut left = Vec::new();
            for position in open {
                let until = self.until.min(Instant::now() + time);
                match self.search(position, play, until)? {
                    Some(outcome) if found(position, outcome).is_break() => return Ok(()),
                    Some(_) => {}
                    None => left.push(position),
                }
            }
            open = left;
            time *= 4;
        }
        Ok(())
    }

    /// Searches a small position until the deadline, or asks theory about a large one.
    fn search(
        &self,
        position: &Position,
        play: Play,
        until: Instant,
    ) -> io::Result<Option<Outcome>> {
        if Instant::now() >= until {
            return Ok(None);
        }
        if !is_small(self.known, position) {
            let told = told_by_theory(self.known, position, play, self.theory_until);
            return Ok(told.map(|told| told.outcome));
        }
        let Some(_permit) = self.permit.enter(until) else {
            return Ok(None);
        };
        self.has_searched.set(true);
        solve_small(self.known, position, play, until)
    }
}

/// A permit for one search at a time.
#[derive(Debug, Default)]
pub struct SearchPermit {
    taken: Mutex<bool>,
    left: Condvar,
}

/// The taken permit.
struct Taken<'a>(&'a SearchPermit);

impl SearchPermit {
    /// Takes the permit, if it is free before the deadline.
    fn enter(&self, until: Instant) -> Option<Taken<'_>> {
        let wait = until.saturating_duration_since(Instant::now());
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.left.wait_timeout_while(taken, wait, |taken| *taken);
        let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *taken {
            return None;
        }
        *taken = true;
        Some(Taken(self))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.left.notify_one();
    }
}
