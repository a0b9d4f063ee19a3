//! Searches with measured time and memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use sproutnet_game::{Game, Lands, Position};
use sproutnet_solver::play::{Convention, Misere, Normal, Outcome, Play, Switches};
use sproutnet_solver::search::{Control, Search, Table};
use sproutnet_system::machine;

use crate::exit::BadInput;
use crate::terminal::text;

/// The settings of each search.
#[derive(Clone)]
pub(super) struct Budget {
    pub(super) switches: Switches,
    /// The number of threads that search a position.
    pub(super) threads: usize,
    /// The size of the transposition table, in bytes.
    pub(super) table: usize,
    pub(super) deadline: Option<Duration>,
}

/// The result and the cost of one search.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) outcome: Option<Outcome>,
    pub(super) nimber: Option<u32>,
    /// Wall-clock time.
    pub(super) seconds: f64,
    /// The sum of the time on all processors.
    pub(super) cpu_seconds: f64,
    pub(super) visits: u64,
    pub(super) expansions: u64,
    /// The number of interned lands.
    pub(super) lands: u64,
    /// The size of the interned lands and their options, in bytes.
    pub(super) land_bytes: u64,
    /// The number of proved facts that are worth a record.
    pub(super) records: u64,
    /// The peak memory in bytes, if known.
    pub(super) peak_memory: Option<u64>,
}

/// Solves positions of one game under one convention, and keeps its facts for the next search.
pub(super) trait Searcher: Sync {
    /// Searches a position. Fails if no thread can be started, or if two proofs contradict each other.
    fn search(&self, position: &Position, budget: &Budget) -> anyhow::Result<Run>;
}

/// A searcher without any facts.
pub(super) fn searcher(
    game: &Arc<dyn Game>,
    play: Play,
    budget: &Budget,
) -> Result<Box<dyn Searcher>, BadInput> {
    let lands = Arc::new(Lands::new(Arc::clone(game)));
    let table = Table::new(budget.table).ok_or_else(|| too_large(budget.table))?;
    let switches = budget.switches;
    Ok(match play {
        Play::Normal => Box::new(World {
            convention: Normal::new(lands).with(switches),
            table,
        }),
        Play::Misere => Box::new(World {
            convention: Misere::new(lands).with(switches),
            table,
        }),
    })
}

/// The error for a transposition table of `table` bytes that cannot be allocated.
pub(super) fn too_large(table: usize) -> BadInput {
    let size = text::bytes(table as u64);
    BadInput(format!("--memory: there is no room for a table of {size}"))
}

struct World<C> {
    convention: C,
    table: Table,
}

impl<C: Convention> Searcher for World<C> {
    fn search(&self, position: &Position, budget: &Budget) -> anyhow::Result<Run> {
        let state = self.convention.state(position);
        machine::forget_peak_memory();
        let (began, cpu_before) = (Instant::now(), machine::cpu_time());
        // A deadline beyond the clock's range is no deadline.
        let deadline = budget.deadline.and_then(|time| began.checked_add(time));
        let control = Control::until(deadline);
        let search = Search::new(&self.convention, &self.table, &control);
        let numbers = search.run_on(budget.threads, &state);
        let outcome = numbers.context("no thread could be started")?.outcome();
        let seconds = began.elapsed().as_secs_f64();
        let cpu_seconds = machine::cpu_time().saturating_sub(cpu_before).as_secs_f64();
        if let Some(contradiction) = self.convention.contradiction() {
            return Err(anyhow!("the proofs contradict each other: {contradiction}"));
        }
        let lands = self.convention.lands();
        Ok(Run {
            outcome,
            nimber: outcome.and_then(|outcome| self.nimber(position, outcome)),
            seconds,
            cpu_seconds,
            visits: control.visits(),
            expansions: control.expansions(),
            peak_memory: machine::peak_memory(),
            lands: lands.len() as u64,
            land_bytes: lands.bytes() as u64,
            records: self.convention.take_records().len() as u64,
        })
    }
}

impl<C: Convention> World<C> {
    /// The nimber of a solved position, if the search found it.
    fn nimber(&self, position: &Position, outcome: Outcome) -> Option<u32> {
        match (C::PLAY, outcome) {
            (Play::Misere, _) => None,
            (Play::Normal, Outcome::Loss) => Some(0),
            (Play::Normal, Outcome::Win) => {
                let lands = self.convention.lands().intern_position(position);
                let nimber = |&land| self.convention.nimber(land)?.known();
                lands
                    .iter()
                    .try_fold(0, |sum, land| Some(sum ^ nimber(land)?))
            }
        }
    }
}
