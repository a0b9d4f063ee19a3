//! What a worker does with a job, as a worker does it, but bounded by visits in place of time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_coordinator::scheduler::{Grant, Searched};
use sproutnet_solver::play::{self, Archive, Convention, Knowledge, Play, Record, State};
use sproutnet_solver::search::{Control, Frontier, Search, Table};

/// All that was reported, as a store keeps it.
#[derive(Default)]
pub(crate) struct Records(Mutex<BTreeMap<Box<[u8]>, u64>>);

impl Records {
    /// Keeps records beside those that are there.
    pub(crate) fn merge(&self, records: &[Record]) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for Record { key, value } in records {
            let known = all.get(key).copied();
            let merged = known.map_or(Ok(*value), |known| play::merge(key, known, *value));
            all.insert(
                key.clone(),
                merged.expect("honest workers do not contradict each other"),
            );
        }
    }

    /// All records.
    pub(crate) fn all(&self) -> Vec<Record> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all = all.clone().into_iter();
        all.map(|(key, value)| Record { key, value }).collect()
    }
}

impl Archive for Records {
    fn value(&self, key: &[u8]) -> Option<u64> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(key).copied()
    }
}

/// Knowledge of what was reported.
pub(crate) fn knowledge_over(records: &Arc<Records>) -> Arc<Knowledge> {
    let archive: Arc<dyn Archive> = Arc::<Records>::clone(records);
    Arc::new(Knowledge::over(archive))
}

/// A worker's own knowledge and table.
pub(crate) struct Searcher {
    knowledge: Knowledge,
    table: Table,
}

impl Searcher {
    pub(crate) fn new() -> Self {
        Self {
            knowledge: Knowledge::default(),
            table: Table::new(1 << 16).expect("memory"),
        }
    }

    /// Takes in what others found.
    pub(crate) fn learn(&self, records: &[Record]) {
        for Record { key, value } in records {
            let learned = self.knowledge.learn(key, *value);
            learned.expect("honest workers do not contradict each other");
        }
    }

    /// Searches a job with so many visits of states at most. Returns what came of it, and the
    /// records that were proved.
    pub(crate) fn search(&self, job: &Grant, visits: u64) -> (Searched, Vec<Record>) {
        let game = self.knowledge.game(job.game).expect("a game");
        let found = match job.play {
            Play::Normal => self.search_in(&*game.normal, &job.state, visits),
            Play::Misere => self.search_in(&*game.misere, &job.state, visits),
        };
        (found, self.knowledge.take_records())
    }

    fn search_in<C: Convention>(&self, convention: &C, state: &[u8], visits: u64) -> Searched {
        let mut state = State::decode(state, convention).expect("a state");
        let control = Control::with_visits(visits);
        let numbers = Search::new(convention, &self.table, &control).run(&state);
        if let Some(outcome) = numbers.outcome() {
            convention.resolve(&mut state);
            convention.settle(&state, outcome);
            return Searched::Solved(outcome);
        }
        Searched::Open(Frontier::of(
            convention,
            &self.table,
            state,
            control.visits(),
            &|| false,
        ))
    }
}
