//! Whatever happens in whatever order, the outcome is right and the invariants hold throughout.

use super::invariants::{check, check_choices};
use super::*;
use crate::play::Record;

/// What a search of a job found, as it is reported.
type Found<V> = Result<Outcome, Vec<(State<V>, Numbers)>>;

/// A DAG, the jobs that are out, and the reports that come too late.
struct Cluster<C: Convention> {
    convention: Arc<C>,
    text: &'static str,
    dag: Dag<C>,
    table: Table,
    out: Vec<NodeId>,
    late: Vec<(NodeId, Found<C::Value>)>,
    lands: Arc<Lands>,
    /// Whether not all that was proved is known any more: not all is worth a record.
    has_forgotten: bool,
    /// What is on disk.
    records: Vec<Record>,
    random: Random,
}

impl<C: Convention> Cluster<C> {
    fn new(text: &'static str, seed: u64, lands: &Arc<Lands>) -> Self {
        let convention = Arc::new(C::new(Arc::clone(lands)));
        let root = convention.state(&Sprouts.parse(text).expect("a position"));
        Self {
            dag: Dag::new(Arc::clone(&convention), root),
            convention,
            text,
            table: Table::new(1 << 16).expect("memory"),
            out: Vec::new(),
            late: Vec::new(),
            lands: Arc::clone(lands),
            has_forgotten: false,
            records: Vec::new(),
            random: Random(seed),
        }
    }

    fn search(&self, leaf: NodeId, visits: usize) -> Found<C::Value> {
        let control = Control::with_visits(visits as u64);
        let state = self.dag.state(leaf).expect("it is there");
        let numbers = Search::new(&*self.convention, &self.table, &control).run(state);
        if let Some(outcome) = numbers.outcome() {
            return Ok(outcome);
        }
        let found = dfpn::children(&*self.convention, state, &|| false);
        match found.expect("never told to stop") {
            dfpn::Children::Decided(outcome) => Ok(outcome),
            dfpn::Children::Open(states) => {
                let numbered = |mut state| {
                    let numbers =
                        crate::search::numbers_of(&*self.convention, &self.table, &mut state);
                    (state, numbers)
                };
                Err(states.into_iter().map(numbered).collect())
            }
        }
    }

    fn report(&mut self, leaf: NodeId, found: Found<C::Value>) {
        match found {
            Ok(outcome) => self.dag.solve(leaf, outcome),
            Err(children) => self.dag.expand(leaf, children),
        }
    }

    fn end_a_job(&mut self) {
        let visits = 1 + self.random.below(12);
        let leaf = self.out.swap_remove(self.random.below(self.out.len()));
        assert!(self.dag.state(leaf).is_some(), "a leaf under lease");
        let found = self.search(leaf, visits);
        match self.random.below(8) {
            0 => self.dag.unlock(leaf),
            1 => {
                let tries = self.dag.tries(leaf);
                self.dag.expand(leaf, Vec::new());
                assert!(self.dag.tries(leaf) == tries + 1 || found.is_ok());
            }
            2 => {
                self.dag.unlock(leaf);
                self.late.push((leaf, found));
            }
            3 => assert!(self.dag.expand_here(leaf, &|| false)),
            _ => self.report(leaf, found),
        }
    }

    fn report_late(&mut self) {
        let (leaf, found) = self.late.swap_remove(self.random.below(self.late.len()));
        // Leases of others are not touched; the coordinator sees to that.
        if self.out.contains(&leaf) {
            return;
        }
        let before = (self.dag.root(), self.dag.nodes());
        let is_there = self.dag.state(leaf).is_some();
        self.report(leaf, found);
        assert!(is_there || before == (self.dag.root(), self.dag.nodes()));
    }

    /// Without `facts`, all that was proved is lost.
    fn restart(&mut self, facts: bool) {
        let checkpoint = self.dag.checkpoint();
        self.records.extend(self.convention.take_records());
        let convention = Arc::new(C::new(Arc::clone(&self.lands)));
        let root = convention.state(&Sprouts.parse(self.text).expect("a position"));
        if facts {
            for record in &self.records {
                convention
                    .learn(&record.key, record.value)
                    .expect("a true record");
            }
        } else {
            self.records.clear();
        }
        match Dag::restore(Arc::clone(&convention), root.clone(), &checkpoint) {
            Ok(dag) => self.dag = dag,
            // Facts have changed the root's state, and are lost.
            Err(CheckpointError::Root) => {
                assert!(!facts || C::PLAY == crate::play::Play::Normal);
                self.dag = Dag::new(Arc::clone(&convention), root);
            }
            Err(error) => panic!("{error}"),
        }
        self.convention = convention;
        self.has_forgotten = true;
        self.table = Table::new(1 << 16).expect("memory");
        self.out.clear();
        self.late.clear();
    }

    fn reload(&mut self) {
        let checkpoint = self.dag.checkpoint();
        let root = self.dag.slab.node(Slot::ROOT).state.clone();
        let restored = Dag::restore(Arc::clone(&self.convention), root, &checkpoint);
        self.dag = restored.expect("its own checkpoint");
        self.out.clear();
        self.late.clear();
    }

    fn step(&mut self, upheavals: bool) {
        match self.random.below(40) {
            0 if upheavals => self.restart(true),
            1 if upheavals && self.random.below(4) == 0 => self.restart(false),
            2 if upheavals => self.reload(),
            3..6 if upheavals => {
                let most = self.random.below(2 * self.dag.nodes());
                self.dag.trim(most);
            }
            6..8 if !self.late.is_empty() => self.report_late(),
            8..28 if self.out.len() < 4 => self.out.extend(self.dag.lock()),
            _ if !self.out.is_empty() => self.end_a_job(),
            _ => self.out.extend(self.dag.lock()),
        }
    }

    fn outcome(mut self) -> Outcome {
        for step in 0.. {
            assert!(step < 100_000, "no progress");
            self.step(step < 300);
            if self.dag.nodes() < 200 || step % 16 == 0 {
                check(&self.dag, &self.out);
            }
            if step % 32 == 0 && !self.has_forgotten {
                check_choices(&self.dag);
            }
            if let Some(outcome) = self.dag.root().outcome() {
                return outcome;
            }
            // What is to be done is out, or can be had.
            if self.out.is_empty() {
                match self.dag.lock() {
                    Some(leaf) => self.dag.unlock(leaf),
                    None => assert!(self.dag.root().outcome().is_some(), "nothing to do"),
                }
                check(&self.dag, &self.out);
            }
        }
        unreachable!("the loop has no end")
    }
}

fn all_end_right<C: Convention>(texts: &[&'static str], seeds: u64) {
    // All tests at full length, for those who have the time.
    let is_slow = ["SPROUTNET_FULL_TESTS", "SPROUTNET_SLOW_TESTS"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| value == "1"));
    let seeds = if is_slow { 20 * seeds } else { seeds };
    // Moves do not depend on what is known, so they are generated once for all.
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    for &text in texts {
        let right = outcome_by_search::<C>(text);
        for seed in 0..seeds {
            let found = Cluster::<C>::new(text, seed, &lands).outcome();
            assert_eq!(found, right, "{} {text} seed {seed}", C::PLAY);
        }
    }
}

const SUMS: [&str; 4] = ["0*3+0*4", "0*4+0*5+0*6", "0*4+0*4+0*5", "0*5+0*6+0*3.1a1a"];

#[test]
fn small_starts_normal() {
    all_end_right::<Normal>(&["0*1", "0*2", "0*3", "0*4", "0*5", "0*6", "0*7"], 20);
}

#[test]
fn small_starts_misere() {
    all_end_right::<Misere>(&["0*1", "0*2", "0*3", "0*4", "0*5", "0*6", "0*7"], 20);
}

#[test]
fn sums_normal() {
    all_end_right::<Normal>(&SUMS, 20);
}

#[test]
fn sums_misere() {
    all_end_right::<Misere>(&["0*3+0*3", "0*2+0*4", "0*3+0*4"], 20);
}
