//! A search by one thread or several.

use std::cell::Cell;
use std::io;
use std::thread;

use super::dfpn::DfpnWorker;
use super::virtual_loss::Team;
use super::{Control, Numbers, Table};
use crate::play::{Convention, State};
use sproutnet_game::expansions_by_this_thread;

/// A search recurses as deep as the longest play, several frames a move. Only the used part of the stack takes
/// memory.
const STACK: usize = 256 << 20;

/// A search: a convention, a table, and when to stop.
pub struct Search<'a, C> {
    convention: &'a C,
    table: &'a Table,
    control: &'a Control,
}

impl<'a, C: Convention> Search<'a, C> {
    /// A search with these means.
    pub fn new(convention: &'a C, table: &'a Table, control: &'a Control) -> Self {
        Self {
            convention,
            table,
            control,
        }
    }

    /// Searches until the state is solved or the search has to stop; returns its numbers.
    ///
    /// Recursion is as deep as the longest play, several frames a move: run it on a thread with a
    /// stack of tens of megabytes.
    pub fn run(&self, state: &State<C::Value>) -> Numbers {
        self.search(state, None)
    }

    /// The same by that many threads, each with a stack of its own. They share what they find, and spread out.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn run_on(&self, threads: usize, state: &State<C::Value>) -> io::Result<Numbers> {
        let team = (threads > 1).then(|| Team::new(threads));
        thread::scope(|scope| {
            let start = |_| {
                let thread = thread::Builder::new().name("search".to_owned());
                let search = || self.search(state, team.as_ref());
                thread.stack_size(STACK).spawn_scoped(scope, search)
            };
            let started: io::Result<Vec<_>> = (0..threads.max(1)).map(start).collect();
            if started.is_err() {
                self.control.cancel();
            }
            let mut best: Option<Numbers> = None;
            for thread in started? {
                match thread.join() {
                    Ok(numbers) => {
                        let is_solved = |best: Numbers| best.outcome().is_some();
                        best = best.filter(|&best| is_solved(best)).or(Some(numbers));
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(best.unwrap_or(Numbers::UNLIMITED))
        })
    }

    /// One thread's share of a search by a team. Ends early when another
    /// thread of the team has solved the state. For the stack, see [`Search::run`].
    pub fn run_in(&self, team: &Team, state: &State<C::Value>) -> Numbers {
        self.search(state, Some(team))
    }

    fn search(&self, state: &State<C::Value>, team: Option<&Team>) -> Numbers {
        let means = Means {
            table: self.table,
            control: self.control,
            team,
        };
        self.convention.search(&means, state)
    }
}

/// What the threads of a search share beside the convention.
pub struct Means<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    /// The threads that search with this one, if there are any.
    pub(super) team: Option<&'a Team>,
}

impl Means<'_> {
    /// One thread's share of a search of a state; for [`Convention::search`].
    pub fn search<C: Convention>(&self, convention: &C, state: &State<C::Value>) -> Numbers {
        let worker = DfpnWorker {
            convention,
            means: self,
            visits: Cell::new(0),
        };
        let before = expansions_by_this_thread();
        let numbers = worker.search(state.clone(), Numbers::UNLIMITED, None);
        if let (Some(_), Some(team)) = (numbers.outcome(), self.team) {
            team.end();
        }
        let expansions = expansions_by_this_thread() - before;
        self.control.count_expansions(expansions);
        numbers
    }
}
