//! A slot of a virtual worker: real searches, at a virtual pace.
//!
//! Each slot is a thread, but only one of all runs at any moment: a slot runs when it is told how far
//! to go in virtual time, and stops there, in the middle of its search if need be. So all of them
//! advance together, and the same things happen in the same order each time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, anyhow};
use sproutnet_coordinator::scheduler::Searched;
use sproutnet_solver::play::{Convention, Exchange, Outcome, Record, State};
use sproutnet_solver::search::{Children, Control, Search, Table, children, numbers_of};

use crate::clock::Time;
use crate::view::{View, World};

/// Searches recurse as deep as the longest play. Memory is taken only as far as it is used.
const STACK: usize = 16 << 20;

/// What work costs, in virtual time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// A visit of a state.
    pub(crate) visit: Time,
    /// Generating the options of a land.
    pub(crate) expansion: Time,
}

/// A state to search.
pub(crate) struct Task {
    pub(crate) state: Vec<u8>,
    pub(crate) begin: Time,
    /// When to give up.
    pub(crate) end: Time,
}

/// What a slot is told.
enum Order {
    Search(Task, Arc<Control>, Time),
    /// Go on with the search up to that time.
    GoOn(Time),
}

/// What a slot says.
pub(crate) enum Word {
    /// It has come as far as it was told.
    Paused,
    /// The search has ended.
    Ended(anyhow::Result<Searched>),
}

/// Where a slot's time goes, and where it stops.
#[derive(Default)]
pub(crate) struct Pace(Option<(Costs, Mutex<Stage>)>);

struct Stage {
    now: Time,
    /// When the search has to end.
    end: Time,
    /// When the slot has to wait for the others.
    pause: Time,
    control: Arc<Control>,
    orders: Receiver<Order>,
    words: Sender<(Time, Word)>,
}

impl Pace {
    /// Lets time pass for work done. Waits for the others when it is time to.
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

    fn begin(&self) -> Option<(Vec<u8>, Arc<Control>)> {
        let (_, stage) = self.0.as_ref()?;
        let stage = &mut *stage.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(Order::Search(task, control, until)) = stage.orders.recv() else {
            return None;
        };
        stage.now = task.begin;
        stage.end = task.end;
        stage.pause = until;
        stage.control = Arc::clone(&control);
        Some((task.state, control))
    }

    fn say(&self, word: Word) {
        if let Some((_, stage)) = &self.0 {
            let stage = stage.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever does not listen any more does not mind.
            let _ = stage.words.send((stage.now, word));
        }
    }
}

/// A slot of a virtual worker.
pub(crate) struct Searcher {
    view: Arc<View>,
    table: Arc<Table>,
    control: Arc<Control>,
    orders: Option<Sender<Order>>,
    words: Receiver<(Time, Word)>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Searcher {
    /// The first slot of a worker with a table of that many bytes.
    pub(crate) fn first(world: &Arc<World>, costs: Costs, table: usize) -> anyhow::Result<Self> {
        let table = Table::new(table).context("no memory for a table")?;
        let view = |pace| View::of(Arc::clone(world), pace);
        Self::start(view, costs, Arc::new(table))
    }

    /// Another slot of the same worker.
    pub(crate) fn beside(&self, costs: Costs) -> anyhow::Result<Self> {
        let view = |pace| self.view.beside(pace);
        Self::start(view, costs, Arc::clone(&self.table))
    }

    fn start(
        view: impl FnOnce(Pace) -> View,
        costs: Costs,
        table: Arc<Table>,
    ) -> anyhow::Result<Self> {
        let (orders, to_worker) = channel();
        let (to_cluster, words) = channel();
        let control = Arc::<Control>::default();
        let stage = Stage {
            now: 0,
            end: Time::MAX,
            pause: Time::MAX,
            control: Arc::clone(&control),
            orders: to_worker,
            words: to_cluster,
        };
        let view = Arc::new(view(Pace(Some((costs, Mutex::new(stage))))));
        let (its_view, its_table) = (Arc::clone(&view), Arc::clone(&table));
        let thread = thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn(move || {
            while let Some((state, control)) = its_view.pace().begin() {
                let found = search(&*its_view, &state, &its_table, &control);
                its_view.pace().say(Word::Ended(found));
            }
        })?;
        Ok(Self {
            view,
            table,
            control,
            orders: Some(orders),
            words,
            thread: Some(thread),
        })
    }

    /// Begins a search, and runs until the time given.
    pub(crate) fn search(&mut self, task: Task, until: Time) -> anyhow::Result<(Time, Word)> {
        self.control = Arc::default();
        self.tell(Order::Search(task, Arc::clone(&self.control), until))
    }

    /// Goes on with the search until the time given.
    pub(crate) fn go_on(&self, until: Time) -> anyhow::Result<(Time, Word)> {
        self.tell(Order::GoOn(until))
    }

    /// Makes the search stop soon.
    pub(crate) fn cancel(&self) {
        self.control.cancel();
    }

    fn tell(&self, order: Order) -> anyhow::Result<(Time, Word)> {
        let orders = self.orders.as_ref().context("the slot has ended")?;
        let told = orders.send(order).ok();
        told.and_then(|()| self.words.recv().ok())
            .ok_or_else(|| anyhow!("a search panicked"))
    }

    /// What its worker proved since the last call.
    pub(crate) fn take_records(&self) -> Vec<Record> {
        self.view.take_records()
    }

    /// For the options of how many lands its worker asked.
    pub(crate) fn expansions(&self) -> u64 {
        self.view.expansions()
    }

    /// How many states it visited.
    pub(crate) fn visits(&self) -> u64 {
        self.view.visits()
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.cancel();
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // A panic was told where the search was waited for.
            let _ = thread.join();
        }
    }
}

/// What a worker does with a job.
fn search<C: Convention>(
    convention: &C,
    state: &[u8],
    table: &Table,
    control: &Control,
) -> anyhow::Result<Searched> {
    let mut state = State::decode(state, convention)?;
    let numbers = Search::new(convention, table, control).run(&state);
    let is_open = convention.resolve(&mut state).is_none();
    if let Some(outcome) = numbers.outcome() {
        convention.settle(&state, outcome);
        return Ok(Searched::Solved(outcome));
    }
    let stop = || control.must_stop();
    let is_choice = is_open && convention.parts(&state).is_none();
    let children = if is_choice {
        children(convention, &state, &stop)
    } else {
        None
    };
    let mut told = Vec::new();
    for mut child in children.and_then(Children::open).unwrap_or_default() {
        let numbers = numbers_of(convention, table, &mut child);
        if numbers.outcome() != Some(Outcome::Win) {
            let bytes = child.encode(convention);
            told.push((bytes.context("a nimber always travels")?, numbers));
        }
    }
    Ok(Searched::Open(told))
}
