//! No learned fact is lost, in any order in which threads meet lands and learn of them.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

use sproutnet_game::{Game, Kayles, Lands, Sprouts};
use sproutnet_solver::play::{
    Archive, Convention, Misere, NimberStep, Normal, Outcome, Play, Record, Rules, State,
};

use sproutnet_testkit::solver::{Shelf, Solver};

fn shuffled<T: Clone>(items: &[T], random: &mut u64) -> Vec<T> {
    let mut items = items.to_vec();
    for i in (1..items.len()).rev() {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        items.swap(i, (*random >> 33) as usize % (i + 1));
    }
    items
}

/// Records of a few searches, of some lands several, each saying more.
fn records_of<C: Convention>(positions: &[&str]) -> Vec<Record> {
    let solver = Solver::<C>::new(Sprouts);
    let mut records = Vec::new();
    for position in positions {
        let outcome = solver.outcome(position);
        solver.convention.settle(&solver.state(position), outcome);
        records.extend(solver.convention.take_records());
    }
    records
}

/// The states whose outcomes a record of normal play tells.
fn told(solver: &Solver<Normal>, record: &Record) -> Vec<(State<u32>, Outcome)> {
    let subject = record
        .subject(Sprouts.code(), Play::Normal)
        .expect("normal play");
    let land = solver
        .convention
        .lands()
        .read(subject)
        .expect("a record of a land");
    let of = |value: u32, outcome| {
        let lands = [land].into_iter().collect();
        (State { lands, value }, outcome)
    };
    if record.value & 1 == 1 {
        return vec![of((record.value >> 1) as u32, Outcome::Loss)];
    }
    let excluded = (0..62).filter(|nimber| record.value >> 1 >> nimber & 1 == 1);
    excluded.map(|nimber| of(nimber, Outcome::Win)).collect()
}

/// One thread learns the records while others meet their subjects; then all must be known.
fn nothing_is_lost<C: Convention>(
    records: &[Record],
    rounds: u64,
    solver: impl Fn(&Arc<Shelf>) -> Solver<C>,
    told: impl Fn(&Solver<C>, &Record) -> Vec<(State<C::Value>, Outcome)> + Sync,
) {
    for round in 1..=rounds {
        let mut random = round;
        let shelf = Shelf::of(&[]);
        let solver = &solver(&shelf);
        let orders: [_; 3] = std::array::from_fn(|_| shuffled(records, &mut random));
        let [to_learn, rest @ ..] = &orders;
        let start = Barrier::new(orders.len());
        thread::scope(|scope| {
            let (start, told) = (&start, &told);
            for to_meet in rest {
                scope.spawn(move || {
                    start.wait();
                    for record in to_meet {
                        for (mut state, outcome) in told(solver, record) {
                            let known = solver.convention.resolve(&mut state);
                            assert!(known.is_none_or(|known| known == outcome));
                        }
                    }
                });
            }
            start.wait();
            for record in to_learn {
                shelf.put(record);
                solver.learn(record);
            }
        });
        for record in records {
            for (mut state, outcome) in told(solver, record) {
                let known = solver.convention.resolve(&mut state);
                assert_eq!(known, Some(outcome), "round {round}: {record:?}");
            }
        }
        assert_eq!(solver.convention.contradiction(), None);
    }
}

#[test]
fn normal_play() {
    let records = records_of::<Normal>(&["0*5", "0*4.1a1a", "0*6", "0*7", "0*8", "0*10"]);
    assert!(records.len() > 100, "{}", records.len());
    nothing_is_lost(&records, 100, |_| Solver::<Normal>::new(Sprouts), told);
    let over = |shelf: &_| Solver::<Normal>::over(Sprouts, shelf);
    nothing_is_lost(&records, 100, over, told);
}

#[test]
fn misere_play() {
    let records = records_of::<Misere>(&["0*7", "0*8", "0*9", "0*10"]);
    assert!(records.len() > 100, "{}", records.len());
    let told = |solver: &Solver<Misere>, record: &Record| {
        let subject = record.subject(Sprouts.code(), Play::Misere);
        let state = State::decode(subject.expect("misère play"), &solver.convention);
        let outcome = Outcome::win_if(record.value == 1);
        vec![(state.expect("a record of a state"), outcome)]
    };
    nothing_is_lost(&records, 50, |_| Solver::<Misere>::new(Sprouts), told);
    let over = |shelf: &_| Solver::<Misere>::over(Sprouts, shelf);
    nothing_is_lost(&records, 50, over, told);
}

/// Lets threads begin each step together.
#[derive(Default)]
struct InStep {
    arrived: AtomicUsize,
}

impl InStep {
    fn wait(&self, threads: usize, step: usize) {
        self.arrived.fetch_add(1, Ordering::SeqCst);
        while self.arrived.load(Ordering::SeqCst) < threads * (step + 1) {
            thread::yield_now();
        }
    }
}

#[test]
fn a_land_is_met_while_it_is_learned_of() {
    let solver = &Solver::<Normal>::new(Kayles);
    let in_step = &InStep::default();
    let rows: Vec<_> = (6..10_000)
        .map(|pins| solver.position(&format!("{pins}")))
        .collect();
    let rows = &rows;
    thread::scope(|scope| {
        scope.spawn(move || {
            for (step, row) in rows.iter().enumerate() {
                in_step.wait(2, step);
                (0..step % 97).for_each(|_| spin_loop());
                let land = solver.convention.lands().intern(&row.lands()[0]);
                solver.convention.nimber(land);
            }
        });
        for (step, row) in rows.iter().enumerate() {
            // No row has a nimber of 0: the first player splits it into equal halves.
            let not_0 = Record::new(Kayles.code(), Play::Normal, row.lands()[0].as_bytes(), 2);
            in_step.wait(2, step);
            (0..step % 89).for_each(|_| spin_loop());
            solver.learn(&not_0);
        }
    });
    for row in rows {
        let land = solver.convention.lands().intern(&row.lands()[0]);
        let probed = solver
            .convention
            .nimber(land)
            .expect("normal play has nimbers");
        assert_eq!(
            probed,
            NimberStep::Next(State::single(land, 1)),
            "{}",
            Kayles.print(row)
        );
    }
}

/// An archive whose first answer is given slowly: meanwhile something can happen.
struct Slow {
    shelf: Shelf,
    asked: Sender<()>,
    go_on: Mutex<Receiver<()>>,
    is_first: AtomicBool,
}

impl Archive for Slow {
    fn value(&self, key: &[u8]) -> Option<u64> {
        let value = self.shelf.value(key);
        if self.is_first.swap(false, Ordering::SeqCst) {
            self.asked.send(()).expect("the test waits");
            let go_on = self.go_on.lock().expect("nothing panics here");
            go_on.recv().expect("the test tells");
        }
        value
    }
}

/// A look-up in the archive finds nothing; before its result arrives, the record comes and is learned.
fn learned_while_asking<C: Convention>(position: &str, record: &Record) {
    let (asked, is_asked) = channel();
    let (may_go_on, go_on) = channel();
    let slow = Arc::new(Slow {
        shelf: Shelf::default(),
        asked,
        go_on: Mutex::new(go_on),
        is_first: AtomicBool::new(true),
    });
    let archive: Arc<dyn Archive> = slow.clone();
    let convention = &C::over(Arc::new(Lands::new(Arc::new(Sprouts))), archive);
    let position = Sprouts.parse(position).expect("a position");
    let known = || convention.resolve(&mut convention.state(&position));
    thread::scope(|scope| {
        scope.spawn(known);
        is_asked.recv().expect("the archive is asked");
        slow.shelf.put(record);
        let learned = convention.learn(&record.key, record.value);
        learned.expect("a true record");
        may_go_on.send(()).expect("the archive waits");
    });
    assert_eq!(known(), Some(Outcome::Loss));
}

#[test]
fn a_record_comes_while_the_archive_is_asked() {
    let normal = Solver::<Normal>::new(Sprouts);
    let position = normal.position("0*8");
    let subject = position.lands()[0].as_bytes();
    let is_0 = Record::new(Sprouts.code(), Play::Normal, subject, 1);
    learned_while_asking::<Normal>("0*8", &is_0);

    let misere = Solver::<Misere>::new(Sprouts);
    let subject = misere.state("0*9").encode(&misere.convention);
    let subject = subject.expect("the value of nothing is short");
    let is_lost = Record::new(Sprouts.code(), Play::Misere, &subject, 0);
    learned_while_asking::<Misere>("0*9", &is_lost);
}
