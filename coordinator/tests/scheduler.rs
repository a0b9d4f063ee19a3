//! The scheduler alone, in simulated time: for any order of events, no job is lost, none is counted twice, and every
//! outcome is right.
//!
//! A failing case is printed in its shortest form, and its seed is stored next to this file, to be tried first from
//! then on. `PROPTEST_CASES=100000` tries more.

mod model;
mod shares;

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use model::truth;
use model::{Model, Step};

/// The file with the seeds of failed cases.
const SEEDS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/scheduler.proptest-regressions"
);

fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        4 => (0..5_000_u64).prop_map(Duration::from_millis),
        2 => (5..90_u64).prop_map(Duration::from_secs),
        1 => (9..12_u64).prop_map(Duration::from_mins),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let which = any::<usize>;
    let deadline = prop::option::weighted(0.2, (1..100_u64).prop_map(Duration::from_secs));
    prop_oneof![
        2 => which().prop_map(|worker| Step::Register { worker }),
        3 => (which(), -1..=1_i32, deadline).prop_map(|(known, priority, deadline)| Step::Start {
            known,
            priority,
            deadline,
        }),
        12 => (which(), any::<u32>()).prop_map(|(worker, slot)| Step::Lease { worker, slot }),
        10 => recent().prop_flat_map(|grant| {
            (0..40_u64).prop_map(move |visits| Step::Report { grant, visits })
        }),
        1 => which().prop_map(|report| Step::Repeat { report }),
        1 => which().prop_map(|grant| Step::Fault { grant }),
        2 => (recent(), which(), any::<bool>()).prop_map(|(grant, by, releases)| Step::Steal {
            grant,
            by,
            releases,
        }),
        1 => recent().prop_map(|grant| Step::Release { grant }),
        2 => which().prop_map(|worker| Step::Renew { worker }),
        1 => which().prop_map(|worker| Step::Feed { worker }),
        3 => (duration(), any::<bool>()).prop_map(|(time, ticks)| Step::Pass { time, ticks }),
        1 => which().prop_map(|computation| Step::Pause { computation }),
        1 => which().prop_map(|computation| Step::Resume { computation }),
        1 => which().prop_map(|computation| Step::Cancel { computation }),
        2 => Just(Step::Conclude),
        2 => which().prop_map(|worker| Step::Exchange { worker }),
        1 => Just(Step::Reset),
    ]
}

/// A number that prefers the newest items.
fn recent() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0..6_usize, 1 => any::<usize>()]
}

/// The durations of leases: shorter and longer than the silence after which a worker is removed.
fn lease() -> impl Strategy<Value = Duration> {
    prop::sample::select(vec![1, 30, 3600]).prop_map(Duration::from_secs)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(SEEDS))),
        max_shrink_iters: 2048,
        ..ProptestConfig::with_cases(cases())
    })]

    #[test]
    fn every_computation_ends_and_every_outcome_is_right(
        lease in lease(),
        steps in prop::collection::vec(step(), 0..150),
    ) {
        let mut model = Model::new(lease);
        for step in &steps {
            model.step(step);
        }
        model.finish();
    }
}

/// The number of cases: by default enough for each pair of steps to occur many times.
fn cases() -> u32 {
    let told = std::env::var("PROPTEST_CASES").ok();
    told.and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

#[test]
fn the_truth_is_that_of_the_literature() {
    use sproutnet_solver::play::{Outcome, Play};
    // Applegate, Jacobson and Sleator, 1991.
    for (spots, normal, misere) in [
        (2, Outcome::Loss, Outcome::Loss),
        (3, Outcome::Win, Outcome::Loss),
        (4, Outcome::Win, Outcome::Loss),
        (5, Outcome::Win, Outcome::Win),
        (6, Outcome::Loss, Outcome::Win),
    ] {
        let sprouts = sproutnet_game::parse(&format!("0*{spots}"));
        let (_, position) = sprouts.expect("a position");
        for known in truth::all() {
            if known.request.position == position && known.request.game == "sprouts" {
                let expected = match known.request.play {
                    Play::Normal => normal,
                    Play::Misere => misere,
                };
                assert_eq!(known.outcome, expected, "0*{spots}, {}", known.request.play);
            }
        }
    }
}
