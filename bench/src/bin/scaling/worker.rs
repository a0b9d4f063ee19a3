//! The threads of a virtual worker: real searches, at a virtual pace.
//!
//! Only one thread runs at any moment, up to a given virtual time; it stops there, even in the middle of a search. So
//! all threads advance together, and every run has the same order of events.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, anyhow};
use sproutnet_coordinator::scheduler::Grant;
use sproutnet_solver::play::{Convention, State};
use sproutnet_solver::search::{Control, Found, Group, Numbers, Search, Table, Team};

use crate::clock::Time;
use crate::view::{Expanded, View};

/// The stack size of a thread, in bytes: searches recurse as deep as the longest play. Unused stack takes no memory.
const STACK: usize = 16 << 20;

/// The costs of work in virtual time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// A visit of a state.
    pub(crate) visit: Time,
    /// Generating the options of a land.
    pub(crate) expansion: Time,
}

/// A state to search, by all threads of a slot.
#[derive(Clone)]
pub(crate) struct Task {
    state: Arc<[u8]>,
    limit: Numbers,
    begin: Time,
    /// When the search has to end.
    end: Time,
    control: Arc<Control>,
    team: Arc<Team>,
    /// The number of threads that still search it.
    searching: Arc<AtomicUsize>,
    /// Whether one of them has ended.
    ended: Arc<AtomicBool>,
}

impl Task {
    /// A job to be searched by `threads` threads of a team, from `begin` to the end of its slice.
    pub(crate) fn new(job: Grant, threads: usize, team: Arc<Team>, begin: Time) -> Self {
        Self {
            state: job.state.into(),
            limit: job.limit,
            begin,
            end: begin + job.slice.as_nanos() as Time,
            control: Arc::default(),
            team,
            searching: Arc::new(AtomicUsize::new(threads)),
            ended: Arc::default(),
        }
    }

    /// Makes the search stop soon.
    pub(crate) fn cancel(&self) {
        self.control.cancel();
    }
}

/// An order to a thread.
enum Order {
    Search(Task, Time),
    /// Go on with the search up to this time.
    GoOn(Time),
}

/// An answer of a thread.
pub(crate) enum Word {
    /// It has reached the time of its order.
    Paused,
    /// The search has ended. The last thread of a slot, and each one that solved the state, has a result.
    Ended(anyhow::Result<Option<Found>>),
}

/// Spends a thread's virtual time, and makes it wait.
#[derive(Default)]
pub(crate) struct Pace(Option<(Costs, Mutex<Stage>)>);

struct Stage {
    now: Time,
    /// When the search has to end.
    end: Time,
    /// When the thread has to wait for the others.
    pause: Time,
    control: Arc<Control>,
    orders: Receiver<Order>,
    words: Sender<(Time, Word)>,
}

impl Pace {
    /// Spends the time of work. Waits for the other threads when `pause` is reached.
    pub(crate) fn work(&self, visits: u64, expansions: u64) {
        let Some((costs, stage)) = &self.0 else {
            return;
        };
        let stage = &mut *stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.now += visits * costs.visit + expansions * costs.expansion;
        if stage.now >= stage.end {
            stage.control.cancel();
        }
        if stage.now >= stage.pause {
            let said = stage.words.send((stage.now, Word::Paused));
            match (said, stage.orders.recv()) {
                (Ok(()), Ok(Order::GoOn(until))) => stage.pause = until,
                // The cluster is gone.
                _ => {
                    stage.control.cancel();
                    stage.pause = Time::MAX;
                }
            }
        }
    }

    fn begin(&self) -> Option<Task> {
        let (_, stage) = self.0.as_ref()?;
        let stage = &mut *stage.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(Order::Search(task, until)) = stage.orders.recv() else {
            return None;
        };
        stage.now = task.begin;
        stage.end = task.end;
        stage.pause = until;
        stage.control = Arc::clone(&task.control);
        Some(task)
    }

    fn say(&self, word: Word) {
        if let Some((_, stage)) = &self.0 {
            let stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
            // The receiver may be gone.
            let _ = stage.words.send((stage.now, word));
        }
    }
}

/// A thread of a virtual worker.
pub(crate) struct Searcher<C> {
    view: Arc<View<C>>,
    table: Arc<Table>,
    orders: Option<Sender<Order>>,
    words: Receiver<(Time, Word)>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<C: Convention> Searcher<C> {
    /// The first thread of a worker with this knowledge and a table of this size in bytes.
    pub(crate) fn first(
        known: C,
        expanded: &Expanded,
        costs: Costs,
        table: usize,
    ) -> anyhow::Result<Self> {
        let table = Table::new(table).context("no memory for a table")?;
        Self::start(Arc::new(known), expanded, costs, Arc::new(table))
    }

    /// Another thread of the same worker.
    pub(crate) fn beside(&self, expanded: &Expanded, costs: Costs) -> anyhow::Result<Self> {
        let known = Arc::clone(self.known());
        Self::start(known, expanded, costs, Arc::clone(&self.table))
    }

    fn start(
        known: Arc<C>,
        expanded: &Expanded,
        costs: Costs,
        table: Arc<Table>,
    ) -> anyhow::Result<Self> {
        let (orders, to_worker) = channel();
        let (to_cluster, words) = channel();
        let stage = Stage {
            now: 0,
            end: Time::MAX,
            pause: Time::MAX,
            control: Arc::default(),
            orders: to_worker,
            words: to_cluster,
        };
        let pace = Pace(Some((costs, Mutex::new(stage))));
        let view = Arc::new(View::of(known, expanded.clone(), pace));
        let (its_view, its_table) = (Arc::clone(&view), Arc::clone(&table));
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn(move || {
            while let Some(task) = its_view.pace().begin() {
                let found = search(&*its_view, &task, &its_table);
                its_view.pace().say(Word::Ended(found));
            }
        })?;
        Ok(Self {
            view,
            table,
            orders: Some(orders),
            words,
            thread: Some(thread),
        })
    }

    /// Begins a search, and runs until the time given.
    pub(crate) fn search(&self, task: Task, until: Time) -> anyhow::Result<(Time, Word)> {
        self.tell(Order::Search(task, until))
    }

    /// Goes on with the search until the time given.
    pub(crate) fn go_on(&self, until: Time) -> anyhow::Result<(Time, Word)> {
        self.tell(Order::GoOn(until))
    }

    fn tell(&self, order: Order) -> anyhow::Result<(Time, Word)> {
        let orders = self.orders.as_ref().context("the thread has ended")?;
        let told = orders.send(order).ok();
        told.and_then(|()| self.words.recv().ok())
            .ok_or_else(|| anyhow!("a search panicked"))
    }

    /// The table of its worker.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The knowledge of its worker.
    pub(crate) fn known(&self) -> &Arc<C> {
        self.view.known()
    }

    /// The number of lands that it expanded.
    pub(crate) fn expansions(&self) -> u64 {
        self.view.expansions()
    }

    /// The number of states that it visited.
    pub(crate) fn visits(&self) -> u64 {
        self.view.visits()
    }
}

impl<C> Drop for Searcher<C> {
    fn drop(&mut self) {
        // A search under way stops where it waits for its next order.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was reported where the search was awaited.
            let _ = thread.join();
        }
    }
}

/// The search of a job by one thread.
fn search<C: Convention>(
    convention: &C,
    task: &Task,
    table: &Table,
) -> anyhow::Result<Option<Found>> {
    let mut state = State::decode(&task.state, convention)?;
    let search = Search::new(convention, table, &task.control);
    let group = Group {
        team: &task.team,
        ended: &task.ended,
    };
    let numbers = search.run_in(group, &state, task.limit);
    let is_last = task.searching.fetch_sub(1, Ordering::Relaxed) == 1;
    convention.resolve(&mut state);
    if let Some(outcome) = numbers.outcome() {
        convention.settle(&state, outcome);
        return Ok(Some(Found::Solved(outcome)));
    }
    let visits = task.control.visits();
    Ok(is_last.then(|| Found::of(convention, table, state, visits, &|| false)))
}
