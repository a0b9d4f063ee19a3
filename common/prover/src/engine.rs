//! Searches for what a proof needs and the store does not tell.

use std::cell::Cell;

use super::ProveError;
use sproutnet_solver::play::{Convention, Outcome, State};
use sproutnet_solver::search::{Control, Search, Table};

/// Visits that the first search for one of several states may take.
const FIRST_VISITS: u64 = 16;

/// What each further round of searches may take of the one before.
const GROWTH: u64 = 4;

/// Steps of work, of some dozen nanoseconds, to visit a state.
const STEPS_OF_A_VISIT: u64 = 1500;

/// A convention with all that it knows, and a table to search with.
pub(super) struct Engine<'a, C> {
    pub(super) convention: &'a C,
    table: &'a Table,
    visits: Cell<u64>,
}

impl<'a, C: Convention> Engine<'a, C> {
    pub(super) fn new(convention: &'a C, table: &'a Table) -> Self {
        Self {
            convention,
            table,
            visits: Cell::new(0),
        }
    }

    /// The work done by searches so far, in steps.
    pub(super) fn work(&self) -> u64 {
        self.visits.get() * STEPS_OF_A_VISIT
    }

    /// The outcome of a state by that many threads, however long it takes.
    ///
    /// # Errors
    /// A thread could not be started, or what is known contradicts itself.
    pub(super) fn solve(
        &self,
        threads: usize,
        state: &State<C::Value>,
    ) -> Result<Outcome, ProveError> {
        let control = Control::until(None);
        let search = Search::new(self.convention, self.table, &control);
        let numbers = search.run_on(threads, state).map_err(ProveError::Thread)?;
        self.agreed()?;
        Ok(numbers
            .outcome()
            .expect("a search without a limit ends with an outcome"))
    }

    /// How many visits make so many steps of work.
    pub(super) fn visits_of(work: u64) -> u64 {
        work / STEPS_OF_A_VISIT
    }

    /// The outcome of a state, if so many visits are enough.
    pub(super) fn try_to_solve(&self, state: &State<C::Value>, visits: u64) -> Option<Outcome> {
        let control = Control::with_visits(visits);
        let search = Search::new(self.convention, self.table, &control);
        let outcome = search.run(state).outcome();
        self.visits.set(self.visits.get() + control.visits());
        outcome
    }

    /// One of these states that the player to move loses. None if that player wins all.
    pub(super) fn find_lost(&self, states: &[State<C::Value>]) -> Option<usize> {
        let mut open: Vec<usize> = (0..states.len()).collect();
        let mut visits = FIRST_VISITS;
        while !open.is_empty() && self.convention.contradiction().is_none() {
            let mut lost = None;
            open.retain(|&place| {
                if lost.is_some() {
                    return true;
                }
                let outcome = self.try_to_solve(&states[place], visits);
                if outcome == Some(Outcome::Loss) {
                    lost = Some(place);
                }
                outcome.is_none()
            });
            if lost.is_some() {
                return lost;
            }
            visits = visits.saturating_mul(GROWTH);
        }
        None
    }

    /// About how many bytes of memory all takes that is known.
    pub(super) fn bytes(&self) -> usize {
        self.convention.lands().bytes() + self.convention.bytes()
    }

    /// # Errors
    /// Two facts contradict each other.
    pub(super) fn agreed(&self) -> Result<(), ProveError> {
        match self.convention.contradiction() {
            Some(contradiction) => Err(contradiction.clone().into()),
            None => Ok(()),
        }
    }
}
