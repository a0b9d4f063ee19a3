//! A worker's search, bounded by visits instead of time.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_coordinator::scheduler::Grant;
use sproutnet_coordinator::scheduler::exchange::Told;
use sproutnet_solver::play::{self, Archive, Convention, Knowledge, Play, Record, State};
use sproutnet_solver::search::{Control, Found, Group, News, Search, Table, Team, Teamwork};

/// All reported records, merged as in a store.
#[derive(Default)]
pub(crate) struct Records(Mutex<BTreeMap<Box<[u8]>, u64>>);

impl Records {
    /// Merges records.
    pub(crate) fn merge(&self, records: &[Record]) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for Record { key, value, .. } in records {
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
        all.map(|(key, value)| Record {
            key,
            value,
            worth: sproutnet_store::Worth::LEAST,
        })
        .collect()
    }
}

impl Archive for Records {
    fn value(&self, key: &[u8]) -> Option<u64> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(key).copied()
    }
}

/// Knowledge over the reported records.
pub(crate) fn knowledge_over(records: &Arc<Records>) -> Arc<Knowledge> {
    let archive: Arc<dyn Archive> = Arc::<Records>::clone(records);
    Arc::new(Knowledge::over(archive))
}

/// A worker's own knowledge and table.
pub(crate) struct Searcher {
    knowledge: Knowledge,
    table: Table,
    team: Team,
    teamwork: Teamwork,
    cursor: u64,
}

impl Searcher {
    pub(crate) fn new() -> Self {
        Self {
            knowledge: Knowledge::default(),
            table: Table::new(1 << 16).expect("memory"),
            team: Team::new(1),
            teamwork: Teamwork::default(),
            cursor: 0,
        }
    }

    /// The worker's cursor and news.
    pub(crate) fn news(&mut self) -> (u64, News) {
        self.table.tell_from(1);
        (self.cursor, self.teamwork.news(&self.team, &self.table))
    }

    /// Takes in the news of others.
    pub(crate) fn hear(&mut self, told: &Told) {
        self.cursor = told.cursor;
        let (news, starts_over) = (&told.news, told.starts_over);
        self.teamwork
            .hear(news, starts_over, &self.team, &self.table);
    }

    /// Learns the records of others.
    pub(crate) fn learn(&self, records: &[Record]) {
        for Record { key, value, .. } in records {
            let learned = self.knowledge.learn(key, *value);
            learned.expect("honest workers do not contradict each other");
        }
    }

    /// Searches a job with at most `visits` visits. Returns the result and the proved records.
    pub(crate) fn search(&self, job: &Grant, visits: u64) -> (Found, Vec<Record>) {
        let game = self.knowledge.game(job.game).expect("a game");
        let found = match job.play {
            Play::Normal => self.search_in(&*game.normal, job, visits),
            Play::Misere => self.search_in(&*game.misere, job, visits),
        };
        (found, self.knowledge.take_records())
    }

    fn search_in<C: Convention>(&self, convention: &C, job: &Grant, visits: u64) -> Found {
        let mut state = State::decode(&job.state, convention).expect("a state");
        let control = Control::with_visits(visits);
        let group = Group {
            team: &self.team,
            ended: &AtomicBool::new(false),
        };
        let search = Search::new(convention, &self.table, &control);
        let numbers = search.run_in(group, &state, job.limit);
        if let Some(outcome) = numbers.outcome() {
            convention.resolve(&mut state);
            convention.settle(&state, outcome);
            return Found::Solved(outcome);
        }
        Found::of(convention, &self.table, state, control.visits(), &|| false)
    }
}
