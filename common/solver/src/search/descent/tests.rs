use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::play::{Exchange, LeastWorth, Misere, Normal, Play, ProvedOutcomes, Record, Rules};
use crate::search::{Control, Group, Search, Team, Teamwork};
use sproutnet_game::{self as game, Lands};

/// A worker with lands, facts and a table of its own.
struct Worker<C> {
    convention: C,
    table: Table,
    team: Team,
    teamwork: Teamwork,
}

impl<C: Convention> Worker<C> {
    fn new(game: &str) -> Self {
        let table = Table::new(1 << 18).expect("memory");
        table.tell_from(1);
        Self {
            convention: C::new(lands(game)),
            table,
            team: Team::new(1),
            teamwork: Teamwork::default(),
        }
    }

    fn search(&self, job: &Job, visits: u64) -> Found {
        let mut state = State::decode(&job.state, &self.convention).expect("a state");
        let control = Control::with_visits(visits);
        let group = Group {
            team: &self.team,
            ended: &AtomicBool::new(false),
        };
        let search = Search::new(&self.convention, &self.table, &control);
        let numbers = search.run_in(group, &state, job.limit);
        if let Some(outcome) = numbers.outcome() {
            self.convention.resolve(&mut state);
            self.convention.settle(&state, outcome);
            return Found::Solved(outcome);
        }
        Found::of(&self.convention, &self.table, state, visits, &|| false)
    }
}

fn lands(game: &str) -> Arc<Lands> {
    Arc::new(Lands::new(game::by_name(game).expect("a game")))
}

/// Solves a position with workers that report, send numbers and learn facts in any order.
fn solve<C: Convention>(text: &str, seed: u64) -> Outcome {
    solve_with::<C>(text, seed, Some(LeastWorth::ALL))
}

/// The same with workers that withhold facts below the least worth, or all facts.
fn solve_with<C: Convention>(text: &str, seed: u64, least_worth: Option<LeastWorth>) -> Outcome {
    let mut random = fastrand::Rng::with_seed(seed);
    let (game, position) = game::parse(text).expect("a position");
    let convention = Arc::new(C::new(lands(game.name())));
    let root = convention.state(&position);
    // Forgotten entries cost work, and nothing else.
    let forgets = random.bool();
    let mut entries = Entries::new(if forgets { 32 } else { 1 << 16 });
    let mut descent = Descent::new(Arc::clone(&convention), root, &entries);
    let mut workers: Vec<Worker<C>> = (0..3).map(|_| Worker::new(game.name())).collect();
    let least = [1, 8, 100][random.usize(..3)];
    let mut out: VecDeque<Job> = VecDeque::new();
    let mut reports: Vec<(JobId, Found)> = Vec::new();
    for round in 0..100_000 {
        if let Some(outcome) = descent.root().outcome() {
            return outcome;
        }
        let worker = &mut workers[random.usize(..3)];
        match random.u32(..8) {
            0..3 if out.len() < 3 => match descent.next(&mut entries, least) {
                Some(job) => out.push_back(job),
                None => assert!(descent.root().outcome().is_some()),
            },
            0..6 => {
                let at = random.usize(..out.len().max(1));
                let Some(job) = out.swap_remove_back(at) else {
                    continue;
                };
                // The search limits grow with time, so that the test ends.
                let found = worker.search(&job, 1 + round / 20);
                let take = |least| worker.convention.take_worthy_records(least);
                for record in least_worth.map(take).into_iter().flatten() {
                    let learned = convention.learn(&record.key, record.value);
                    learned.expect("honest workers do not contradict each other");
                }
                report(&mut descent, &job, &found, &mut entries, forgets);
                reports.push((job.id, found));
            }
            6 => {
                for entry in worker.teamwork.news(&worker.team, &worker.table).entries {
                    entries.hear(entry);
                }
            }
            _ => {
                // Late, repeated or withdrawn reports change nothing.
                if let Some(job) = out.front().filter(|_| random.bool()) {
                    descent.withdraw(job.id);
                    let found = worker.search(job, 1);
                    reports.push((job.id, found));
                    out.pop_front();
                }
                let Some((job, found)) = reports.last().cloned() else {
                    continue;
                };
                let before: Vec<_> = sorted(&entries);
                let root = descent.root();
                descent.report(job, found, &mut entries);
                assert_eq!((sorted(&entries), descent.root()), (before, root));
            }
        }
    }
    panic!("{text} does not end with seed {seed}");
}

fn sorted(entries: &Entries) -> Vec<Entry> {
    let mut all: Vec<Entry> = entries.iter().collect();
    all.sort_unstable_by_key(|entry| entry.key);
    all
}

/// Reports, and checks all numbers that the report may have changed.
fn report<C: Convention>(
    descent: &mut Descent<C>,
    job: &Job,
    found: &Found,
    entries: &mut Entries,
    forgets: bool,
) {
    let way = descent.out[&job.id].clone();
    let before = sorted(entries);
    descent.report(job.id, found.clone(), entries);
    let (last, above) = way.split_last().expect("a job is on its own way");
    match found {
        Found::Solved(outcome) => {
            let known = descent.convention.resolve(&mut last.state.clone());
            let is_untold = known.is_none() && descent.untold.contains(&last.key);
            assert!(is_untold || known == Some(*outcome), "the reported one");
        }
        Found::Open {
            numbers, children, ..
        } => {
            let known = entries.get(last.key);
            let is_forgotten = forgets && known.is_none();
            assert!(is_forgotten || known == Some(*numbers), "the reported one");
            for child in children.iter().filter(|child| child.is_sound()) {
                let earlier = before.iter().find(|entry| entry.key == child.key);
                let is_better = earlier.is_some_and(|entry| entry.work > child.work);
                let known = entries.get(child.key.into());
                let is_forgotten = forgets && known.is_none();
                // The child may be on the way, whose numbers follow from its own children.
                let follows = way.iter().any(|step| step.key as u64 == child.key);
                assert!(
                    is_forgotten || is_better || follows || known == Some(child.numbers),
                    "the reported one, or a better known one"
                );
            }
        }
    }
    for Step { state, key } in above {
        let mut state = state.clone();
        if descent.convention.resolve(&mut state).is_some() {
            continue;
        }
        if let Below::Choice(children) = descent.below(&state, entries)
            && let Some(known) = entries.get(*key)
        {
            let numbers = Numbers::of_children(children.iter().map(|child| child.numbers));
            assert_eq!(known, numbers, "what its children give");
        }
    }
}

#[test]
fn numbers_are_those_of_reports_and_of_children_whatever_comes_when() {
    // Applegate, Jacobson and Sleator, 1991.
    for seed in 0..20 {
        assert_eq!(solve::<Normal>("0*5", seed), Outcome::Win);
        assert_eq!(solve::<Normal>("0*6", seed), Outcome::Loss);
        assert_eq!(solve::<Misere>("0*4", seed), Outcome::Loss);
        assert_eq!(solve::<Misere>("0*5", seed), Outcome::Win);
    }
}

#[test]
fn a_sum_is_divided_into_its_lands() {
    for seed in 0..10 {
        // 0*5 has nimber 1, and so has 0*4.
        assert_eq!(solve::<Normal>("0*4+0*5", seed), Outcome::Loss);
        assert_eq!(solve::<Normal>("0*6+0*5", seed), Outcome::Win);
    }
}

#[test]
fn a_descent_ends_whatever_the_nimbers_are() {
    for (text, outcome) in [
        ("nim:63+64", Outcome::Win),
        ("nim:64+65", Outcome::Win),
        ("nim:62+65+127", Outcome::Loss),
        // The remainders by 101 are 99 and 98.
        ("bash:200/100+199/100", Outcome::Win),
        // Both have nimber 99.
        ("bash:200/100+301/100", Outcome::Loss),
    ] {
        for seed in 0..3 {
            // If few records come or none, the outcomes of the jobs have to be enough.
            for least_worth in [Some(LeastWorth::ALL), Some(LeastWorth::HIGHEST), None] {
                let found = solve_with::<Normal>(text, seed, least_worth);
                assert_eq!(found, outcome, "{text}, {least_worth:?}");
            }
        }
    }
}

/// A descent over facts that contradict each other must not wait forever for the nimber that they leave open.
#[test]
fn a_false_fact_about_a_large_nimber_ends_a_descent() {
    let convention = Arc::new(Normal::new(lands("bash")));
    // The remainders by 70 are 0 and 65.
    let (game, position) = game::parse("bash:140/69+65/69").expect("a position");
    let (_, liar) = game::parse("bash:140/69").expect("a position");
    let none_up_to_61 = ((1 << 62) - 1) << 1;
    let heap = liar.lands()[0].as_bytes();
    let lie = Record::new(game.code(), Play::Normal, heap, none_up_to_61);
    convention.learn(&lie.key, lie.value).expect("plausible");
    let mut entries = Entries::new(1 << 16);
    let root = convention.state(&position);
    let mut descent = Descent::new(Arc::clone(&convention), root, &entries);
    let worker = Worker::<Normal>::new("bash");
    for _ in 0..10_000 {
        let Some(job) = descent.next(&mut entries, 1) else {
            assert_eq!(descent.root().outcome(), Some(Outcome::Win));
            assert_eq!(convention.contradiction().expect("a lie").key, lie.key);
            return;
        };
        let found = worker.search(&job, 1000);
        for record in worker.convention.take_records() {
            // Only the lie is contradicted.
            let learned = convention.learn(&record.key, record.value);
            assert!(learned.is_ok() || record.key == lie.key);
        }
        descent.report(job.id, found, &mut entries);
    }
    panic!("the descent does not end");
}

#[test]
fn a_small_tree_is_one_job_for_all() {
    let convention = Arc::new(Normal::new(lands("sprouts")));
    let (_, position) = game::parse("0*7").expect("a position");
    let root = convention.state(&position);
    let mut entries = Entries::new(1 << 10);
    let mut descent = Descent::new(convention, root, &entries);
    let jobs = [(); 3].map(|()| descent.next(&mut entries, 2).expect("open"));
    for job in &jobs {
        assert_eq!(
            (&job.state, job.limit),
            (&jobs[0].state, Numbers::UNLIMITED)
        );
        assert!(descent.is_wanted(job.id));
    }
    descent.withdraw(jobs[0].id);
    assert!(!descent.is_wanted(jobs[0].id));
}
