//! Bounded runs of the model, and tests of its assumptions.

use clap::Parser;
use sproutnet_coordinator::scheduler::computation::Request;
use sproutnet_game as game;
use sproutnet_solver::play::{Outcome, Play};

use crate::args::Args;
use crate::cluster;
use crate::costs;
use crate::run::Run;
use crate::shape::Shape;

/// Computes a position with fleets of these shapes.
fn runs(text: &str, play: Play, shapes: &str) -> Vec<Run> {
    let (game, position) = game::parse(text).expect("a position");
    let request = Request {
        game: game.name(),
        position,
        play,
        nimber: false,
    };
    let args = Args::parse_from(["scaling", text, "--fleets", shapes]);
    let setting = args.setting();
    let run = |&shape| cluster::run(&request, shape, &setting).expect("an outcome");
    args.fleets.iter().map(run).collect()
}

#[test]
fn a_virtual_worker_searches_as_a_real_one() {
    let positions = [
        ("0*8", Play::Normal),
        ("0*10", Play::Normal),
        ("0*5+0*4.1a1a", Play::Normal),
        ("0*7", Play::Misere),
        ("0*3+0*4.1a1a", Play::Misere),
    ];
    for (text, play) in positions {
        let (game, position) = game::parse(text).expect("a position");
        let measured = costs::measure(&game, &position, play, 1 << 20).expect("a search");
        assert_eq!(measured.virtually, measured.really, "{text}, {play}");
    }
}

#[test]
fn fleets_of_all_sizes_agree() {
    let runs = runs("0*10", Play::Normal, "1,8,64");
    for run in &runs {
        // Applegate, Jacobson and Sleator, 1991.
        assert_eq!(run.outcome, Outcome::Win);
        assert!((0.0..1.0).contains(&run.idle()), "{run:?}");
        assert!(run.distinct <= run.expansions, "{run:?}");
        assert!(run.time < 2 * runs[0].time, "{run:?}");
    }
}

#[test]
fn a_second_worker_helps() {
    let runs = runs("0*14", Play::Normal, "1,2");
    assert!(runs[1].expansions < 2 * runs[0].expansions, "{runs:?}");
    assert!(10 * runs[1].time < 9 * runs[0].time, "{runs:?}");
}

#[test]
fn fleets_of_all_sizes_agree_under_misere_play() {
    for run in runs("0*8", Play::Misere, "1,8,2x1x8") {
        // Applegate, Jacobson and Sleator, 1991.
        assert_eq!(run.outcome, Outcome::Loss);
    }
}

#[test]
fn the_threads_of_one_worker_repeat_little() {
    let runs = runs("0*9", Play::Normal, "1,1x8x1,1x1x8");
    for run in &runs {
        assert_eq!(run.outcome, Outcome::Win);
        // A land may be expanded partially first, and then in full.
        assert!(run.expansions < run.distinct * 3 / 2, "{run:?}");
    }
}

#[test]
fn the_same_happens_each_time() {
    let figures = |run: Run| (run.expansions, run.visits, run.time, run.busy, run.jobs);
    let once = || {
        let normal = runs("0*8", Play::Normal, "1,2x4x1,4x4x4,2x1x16");
        let misere = runs("0*7", Play::Misere, "2x1x4");
        let runs = normal.into_iter().chain(misere);
        runs.map(figures).collect::<Vec<_>>()
    };
    assert_eq!(once(), once());
}

#[test]
fn shapes_are_read_as_they_are_printed() {
    for text in ["8x1x32", "1x1x1"] {
        let shape: Shape = text.parse().expect("a shape");
        assert_eq!(shape.to_string(), text);
    }
    let one = "64".parse::<Shape>().expect("a shape");
    assert_eq!(one.to_string(), "64x1x1");
    for text in [
        "",
        "0",
        "8x32",
        "8x1x0",
        "1x1x1x1",
        "10001",
        "9x9x99999999999999999",
    ] {
        assert!(text.parse::<Shape>().is_err(), "{text}");
    }
}
