//! A convention, the lands and the table it searches with, in one hand.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::thread;

use proptest::test_runner::Config;
use sproutnet_game::{Game, LandId, Lands, Position};
use sproutnet_solver::play::{
    Archive, Convention, NimberStep, Normal, Outcome, Record, Rules, State, merge,
};
use sproutnet_solver::search::{Control, Numbers, Search, Table};

/// A stack that suffices for any search here.
const STACK: usize = 256 << 20;

/// A solver keeps its facts, so later questions about known states are cheap.
pub struct Solver<C> {
    /// The game that is searched.
    pub game: Arc<dyn Game>,
    /// The convention, with all facts found so far.
    pub convention: C,
    /// The table of proof numbers.
    pub table: Table,
}

impl<C: Convention> Solver<C> {
    /// A solver without facts, with a table that never fills up here.
    pub fn new(game: impl Game) -> Self {
        Self::with_table(game, Table::new(64 << 20).expect("memory"))
    }

    /// A solver without facts.
    pub fn with_table(game: impl Game, table: Table) -> Self {
        Self::of(game, table, C::new)
    }

    /// A solver over an archive.
    pub fn over(game: impl Game, archive: &Arc<Shelf>) -> Self {
        let archive = Arc::clone(archive);
        let table = Table::new(64 << 20).expect("memory");
        Self::of(game, table, |lands| C::over(lands, archive))
    }

    /// A solver with a convention made for it.
    pub fn of(game: impl Game, table: Table, convention: impl FnOnce(Arc<Lands>) -> C) -> Self {
        Self::shared(Arc::new(game), table, convention)
    }

    /// A solver of a game with a convention made for it.
    pub fn shared(
        game: Arc<dyn Game>,
        table: Table,
        convention: impl FnOnce(Arc<Lands>) -> C,
    ) -> Self {
        Self {
            convention: convention(Arc::new(Lands::new(Arc::clone(&game)))),
            game,
            table,
        }
    }

    /// A position of the game.
    pub fn position(&self, text: &str) -> Position {
        // Certificates may list lands that no drawing has.
        let position = self.game.parse_stored(text);
        position.unwrap_or_else(|error| panic!("`{text}` is no position: {error}"))
    }

    /// The only land of a position.
    pub fn land(&self, text: &str) -> LandId {
        match self.position(text).lands() {
            [land] => self.convention.lands().intern(land),
            lands => panic!("`{text}` consists of {} lands", lands.len()),
        }
    }

    /// The state of a position.
    pub fn state(&self, text: &str) -> State<C::Value> {
        self.convention.state(&self.position(text))
    }

    /// The known outcome of a position, without a search.
    pub fn known(&self, text: &str) -> Option<Outcome> {
        self.convention.resolve(&mut self.state(text))
    }

    /// Learns a record that must be right.
    pub fn learn(&self, record: &Record) {
        let learned = self.convention.learn(&record.key, record.value);
        learned.unwrap_or_else(|error| panic!("{record:?}: {error}"));
    }

    /// Searches until the state is solved or the control stops the search.
    pub fn search(&self, state: &State<C::Value>, control: &Control) -> Numbers {
        with_large_stack(|| Search::new(&self.convention, &self.table, control).run(state))
    }

    /// The outcome of a state, however long it takes.
    pub fn solve(&self, state: &State<C::Value>) -> Outcome {
        let numbers = self.search(state, &Control::until(None));
        assert_eq!(self.convention.contradiction(), None, "two proofs disagree");
        let outcome = numbers.outcome();
        outcome.expect("a search without a limit ends with an outcome")
    }

    /// The outcome of a position, found by `threads` threads.
    pub fn outcome_by(&self, threads: usize, text: &str) -> Outcome {
        let control = Control::until(None);
        let search = Search::new(&self.convention, &self.table, &control);
        let numbers = search.run_on(threads, &self.state(text));
        assert_eq!(self.convention.contradiction(), None, "two proofs disagree");
        let outcome = numbers.expect("threads").outcome();
        outcome.expect("a search without a limit ends with an outcome")
    }

    /// The outcome of a position, however long it takes.
    pub fn outcome(&self, text: &str) -> Outcome {
        self.solve(&self.state(text))
    }

    /// The outcome of a position, and the number of states visited to find it.
    pub fn outcome_and_visits(&self, text: &str) -> (Outcome, u64) {
        let control = Control::until(None);
        let outcome = self.search(&self.state(text), &control).outcome();
        let outcome = outcome.expect("a search without a limit ends with an outcome");
        (outcome, control.visits())
    }
}

impl Solver<Normal> {
    /// The nimber of a position, however long it takes.
    pub fn nimber(&self, text: &str) -> u32 {
        let position = self.position(text);
        let lands = position.lands().iter();
        lands.fold(0, |sum, land| {
            sum ^ self.nimber_of(self.convention.lands().intern(land))
        })
    }

    /// The nimber of a land, however long it takes.
    pub fn nimber_of(&self, land: LandId) -> u32 {
        // Each round settles one nimber, and a land of m moves has no nimber above m.
        for _ in 0..=self.convention.lands().max_moves(land) + 1 {
            match self.convention.nimber(land) {
                Some(NimberStep::Known(nimber)) => return nimber,
                Some(NimberStep::Next(probe)) => self.solve(&probe),
                None => panic!("normal play has nimbers"),
            };
        }
        panic!("all nimbers that the land may have were refuted");
    }
}

/// An archive in memory.
#[derive(Default)]
pub struct Shelf {
    records: RwLock<HashMap<Box<[u8]>, u64>>,
}

impl Shelf {
    /// An archive of records that fit together.
    pub fn of(records: &[Record]) -> Arc<Self> {
        let shelf = Self::default();
        for record in records {
            shelf.put(record);
        }
        Arc::new(shelf)
    }

    /// Merges a record with the known one of its key.
    pub fn put(&self, record: &Record) {
        let mut records = self.records.write().expect("nothing panics here");
        let value = match records.get(&record.key) {
            Some(&known) => merge(&record.key, known, record.value).expect("both are true"),
            None => record.value,
        };
        records.insert(record.key.clone(), value);
    }
}

impl Archive for Shelf {
    fn value(&self, key: &[u8]) -> Option<u64> {
        let records = self.records.read().expect("nothing panics here");
        records.get(key).copied()
    }
}

/// Runs a search on a thread that it cannot exhaust.
pub fn with_large_stack<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, act);
        let joined = thread.expect("a thread can be started").join();
        joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A configuration of `cases` random cases. Failing cases are printed, not written to files.
pub fn cases(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    }
}
