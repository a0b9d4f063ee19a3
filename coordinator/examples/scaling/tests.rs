//! The model in bounded form, and what it rests on.

use std::sync::Arc;

use clap::Parser;
use sproutnet_coordinator::scheduler::computation::Request;
use sproutnet_game::{self as game, Lands};
use sproutnet_solver::play::{Outcome, Play};

use crate::args::Args;
use crate::cluster::{self, Run};
use crate::costs;

fn position(text: &str) -> (Arc<Lands>, Request) {
    let (game, position) = game::parse(text).expect("a position");
    let request = Request {
        game: game.name(),
        position,
        play: Play::Normal,
        nimber: false,
    };
    (Arc::new(Lands::new(game)), request)
}

/// Computes a position with fleets of these sizes, `slots` searches in each worker.
fn runs(text: &str, sizes: &[usize], slots: &str) -> Vec<Run> {
    let (lands, request) = position(text);
    let setting = Args::parse_from(["scaling", text, "--slots", slots]).setting();
    let run = |&size| cluster::run(&request, &lands, size, &setting).expect("an outcome");
    sizes.iter().map(run).collect()
}

#[test]
fn a_virtual_worker_searches_as_a_real_one() {
    for text in ["0*8", "0*10", "0*5+0*4.1a1a"] {
        let (lands, request) = position(text);
        let measured = costs::measure(&lands, &request.position, 1 << 20).expect("a search");
        assert_eq!(measured.virtually, measured.really, "{text}");
    }
}

#[test]
fn fleets_of_all_sizes_agree_and_small_ones_repeat_little() {
    let runs = runs("0*10", &[1, 8, 64], "1");
    for run in &runs {
        // Applegate, Jacobson and Sleator, 1991.
        assert_eq!(run.outcome, Outcome::Win);
        assert!((0.0..1.0).contains(&run.idle()), "{run:?}");
        assert!(run.distinct <= run.expansions, "{run:?}");
        assert!(run.time < 2 * runs[0].time, "{run:?}");
    }
    assert!(runs[1].expansions < 6 * runs[0].expansions, "{runs:?}");
}

#[test]
fn slots_of_one_worker_repeat_little() {
    let runs = runs("0*9", &[1, 8], "8");
    for run in &runs {
        assert_eq!(run.outcome, Outcome::Win);
        // A land that was decided at its first look may be looked at again.
        let repeated = run.expansions - run.distinct;
        assert!(repeated < run.distinct / 5, "{run:?}");
    }
}

#[test]
fn the_same_happens_each_time() {
    let figures = |run: Run| (run.expansions, run.visits, run.time, run.busy, run.jobs);
    let once = || {
        let runs = runs("0*8", &[1, 8, 64], "4").into_iter();
        runs.map(figures).collect::<Vec<_>>()
    };
    assert_eq!(once(), once());
}
