//! A search by one thread or several.

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::dfpn::DfpnWorker;
use super::virtual_loss::Team;
use super::{Control, Numbers, Table};
use crate::play::{Convention, State};
use sproutnet_game::expansions_by_this_thread;

/// The stack of a thread, in bytes. A search recurses as deep as the longest play, several frames a move. Only the used
/// part takes memory.
const STACK: usize = 256 << 20;

/// A search: a convention, a table, and limits.
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
        self.search(state, Numbers::UNLIMITED, None)
    }

    /// Like [`Self::run`] with `threads` threads, each with its own stack. They share their facts, and spread out.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn run_on(&self, threads: usize, state: &State<C::Value>) -> io::Result<Numbers> {
        let team = (threads > 1).then(|| Team::new(threads));
        self.run_as(threads, team.as_ref(), state, Numbers::UNLIMITED)
    }

    /// Like [`Self::run_on`] until a number reaches its limit, with threads of a team that may have others.
    ///
    /// # Errors
    /// A thread could not be started.
    pub fn run_until(
        &self,
        limit: Numbers,
        threads: usize,
        team: &Team,
        state: &State<C::Value>,
    ) -> io::Result<Numbers> {
        self.run_as(threads, Some(team), state, limit)
    }

    fn run_as(
        &self,
        threads: usize,
        team: Option<&Team>,
        state: &State<C::Value>,
        limit: Numbers,
    ) -> io::Result<Numbers> {
        let ended = AtomicBool::new(false);
        let group = team.map(|team| Group {
            team,
            ended: &ended,
        });
        // WebAssembly has no threads: the caller's thread searches.
        if cfg!(target_family = "wasm") {
            return Ok(self.search(state, limit, group));
        }
        thread::scope(|scope| {
            let start = |_| {
                let thread = thread::Builder::new().name("search".to_owned());
                let search = || self.search(state, limit, group);
                thread.stack_size(STACK).spawn_scoped(scope, search)
            };
            let started: io::Result<Vec<_>> = (0..threads.max(1)).map(start).collect();
            if started.is_err() {
                self.control.cancel();
            }
            let mut found: Option<Numbers> = None;
            for thread in started? {
                match thread.join() {
                    Ok(numbers) => {
                        let is_solved = |found: Numbers| found.outcome().is_some();
                        found = found.filter(|&found| is_solved(found)).or(Some(numbers));
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(found.unwrap_or(Numbers::UNLIMITED))
        })
    }

    /// One thread's share of a search by a group of threads. For the stack, see [`Search::run`].
    pub fn run_in(&self, group: Group<'_>, state: &State<C::Value>, limit: Numbers) -> Numbers {
        self.search(state, limit, Some(group))
    }

    fn search(&self, state: &State<C::Value>, limit: Numbers, group: Option<Group<'_>>) -> Numbers {
        let means = Means {
            table: self.table,
            control: self.control,
            group,
        };
        self.convention.search(&means, state, limit)
    }
}

/// The threads of one search.
#[derive(Clone, Copy)]
pub struct Group<'a> {
    /// The team to which they belong.
    pub team: &'a Team,
    /// Whether one of the threads has ended. Then the others end, too: the outcome is not kept everywhere that they
    /// look for it, and a number at its limit nowhere.
    pub ended: &'a AtomicBool,
}

/// The shared parts of a search beside the convention.
pub struct Means<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    /// The threads that may search with this one.
    pub(super) group: Option<Group<'a>>,
}

impl Means<'_> {
    /// One thread's share of a search of a state until a number reaches its limit; for [`Convention::search`].
    pub fn search<C: Convention>(
        &self,
        convention: &C,
        state: &State<C::Value>,
        limit: Numbers,
    ) -> Numbers {
        let worker = DfpnWorker {
            convention,
            means: self,
            visits: Cell::new(0),
        };
        let before = expansions_by_this_thread();
        let numbers = worker.search(state.clone(), limit, None);
        if let Some(Group { ended, .. }) = self.group {
            ended.store(true, Ordering::Relaxed);
        }
        let expansions = expansions_by_this_thread() - before;
        self.control.count_expansions(expansions);
        numbers
    }
}
