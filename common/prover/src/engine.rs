//! Searches for facts that are needed for a proof and missing in the store.

use std::cell::Cell;

use smallvec::SmallVec;

use super::ProveError;
use sproutnet_game::LandId;
use sproutnet_solver::play::{Convention, Outcome, State};
use sproutnet_solver::search::{Control, Search, Table};

/// The visits of the first search for one of several states.
const FIRST_VISITS: u64 = 16;

/// The factor of visits from one round of searches to the next.
const GROWTH: u64 = 4;

/// The steps of work of one visit. A step takes a few dozen nanoseconds.
const STEPS_OF_A_VISIT: u64 = 1500;

/// Lands, sorted.
pub(super) type Sum = SmallVec<[LandId; 4]>;

/// A convention with its knowledge, and a table for searches.
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

    /// The work of all searches so far, in steps.
    pub(super) fn work(&self) -> u64 {
        self.visits.get() * STEPS_OF_A_VISIT
    }

    /// Searches for the outcome of a state without a limit.
    ///
    /// # Errors
    /// A thread cannot be started, or known facts contradict each other.
    pub(super) fn solve(
        &self,
        threads: usize,
        state: &State<C::Value>,
    ) -> Result<Outcome, ProveError> {
        let control = Control::until(None);
        let search = Search::new(self.convention, self.table, &control);
        let numbers = search.run_on(threads, state).map_err(ProveError::Thread)?;
        self.check_agreement()?;
        Ok(numbers
            .outcome()
            .expect("a search without a limit ends with an outcome"))
    }

    /// The number of visits in `work` steps of work.
    pub(super) fn visits_of(work: u64) -> u64 {
        work / STEPS_OF_A_VISIT
    }

    /// The outcome of a state, if it is found within this many visits.
    pub(super) fn try_to_solve(&self, state: &State<C::Value>, visits: u64) -> Option<Outcome> {
        let control = Control::with_visits(visits);
        let search = Search::new(self.convention, self.table, &control);
        let outcome = search.run(state).outcome();
        self.visits.set(self.visits.get() + control.visits());
        outcome
    }

    /// Searches until one of these states is found to be lost, or all to be won.
    pub(super) fn find_lost(&self, states: &[State<C::Value>]) {
        let mut open: Vec<_> = states.iter().collect();
        let mut visits = FIRST_VISITS;
        while !open.is_empty() && self.convention.contradiction().is_none() {
            let mut unsolved = Vec::new();
            for state in open {
                match self.try_to_solve(state, visits) {
                    Some(Outcome::Loss) => return,
                    Some(Outcome::Win) => {}
                    None => unsolved.push(state),
                }
            }
            open = unsolved;
            visits = visits.saturating_mul(GROWTH);
        }
    }

    /// The distinct options of a sum, sorted, each after `simplify`.
    pub(super) fn moves(&self, sum: &[LandId], simplify: impl Fn(Sum) -> Sum) -> Vec<Sum> {
        let mut moves = Vec::new();
        for (place, &land) in sum.iter().enumerate() {
            if place > 0 && sum[place - 1] == land {
                continue;
            }
            let options = self.convention.lands().options(land, &|| false);
            for option in options.expect("the search is never stopped").iter() {
                let mut next = Sum::from_slice(option);
                next.extend_from_slice(&sum[..place]);
                next.extend_from_slice(&sum[place + 1..]);
                next.sort_unstable();
                moves.push(simplify(next));
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// The approximate memory use of all knowledge, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.convention.lands().bytes() + self.convention.bytes()
    }

    /// Checks that no facts contradict each other.
    ///
    /// # Errors
    /// Two facts do.
    pub(super) fn check_agreement(&self) -> Result<(), ProveError> {
        match self.convention.contradiction() {
            Some(contradiction) => Err(contradiction.clone().into()),
            None => Ok(()),
        }
    }
}
