//! Simulates the search of one position by up to a thousand workers, on one core.
//!
//! The scheduler and the searches are real; only the time is virtual. `docs/explanation/scaling.md` describes the model, its limits
//! and the results.
//!
//! - [`args`]: the options of the program.
//! - [`clock`]: virtual time, and the agenda of events.
//! - [`cluster`]: the real scheduler, and virtual workers around it.
//! - [`member`]: a slot of a virtual worker, and its job.
//! - [`link`]: the connection of a worker.
//! - [`run`]: the figures of a computation.
//! - [`shape`]: the numbers of workers, slots and threads.
//! - [`worker`]: real searches at a virtual pace.
//! - [`view`]: the knowledge of a virtual worker.
//! - [`costs`]: the cost of visits and expansions on this machine.

mod args;
mod clock;
mod cluster;
mod costs;
mod link;
mod member;
mod run;
mod shape;
#[cfg(test)]
mod tests;
mod view;
mod worker;

use std::io::{Write, stdout};

use args::Args;
use clap::Parser;
use run::Run;
use shape::Shape;
use sproutnet_coordinator::scheduler::computation::Request;
use sproutnet_game as game;

const COLUMNS: [&str; 17] = [
    "shape",
    "outcome",
    "expansions",
    "overhead",
    "distinct",
    "seconds",
    "speed-up",
    "idle",
    "jobs",
    "solved",
    "unwanted",
    "kB/s up",
    "kB/s down",
    "least worth",
    "lag ms",
    "told/s",
    "from visits",
];

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let setting = args.setting();
    for text in &args.positions {
        let (game, position) = game::parse(text)?;
        if args.measure {
            let measured = costs::measure(&game, &position, args.play, setting.table)?;
            println!("{text}: {measured}");
            continue;
        }
        let request = Request {
            game: game.name(),
            position,
            play: args.play,
            nimber: false,
        };
        println!("{text}\n\n| {} |", COLUMNS.join(" | "));
        println!("|{}", "--:|".repeat(COLUMNS.len()));
        let mut first: Option<Run> = None;
        for &shape in &args.fleets {
            let run = cluster::run(&request, shape, &setting)?;
            print_row(shape, &run, first.get_or_insert_with(|| run.clone()));
            stdout().flush()?;
        }
        println!();
    }
    Ok(())
}

/// Prints the figures of a computation, compared with the first.
fn print_row(shape: Shape, run: &Run, first: &Run) {
    let share = |expansions: u64| expansions as f64 / first.expansions as f64;
    let seconds = run.time as f64 / clock::SECOND as f64;
    // In kB per second for each worker.
    let rate = |bytes: u64| bytes as f64 / 1e3 / seconds / shape.workers as f64;
    println!(
        "| {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.1} | {:.0} % | {} | {} | {} | {:.1} | {:.1} | {} | {} | {:.0} | {} |",
        shape,
        run.outcome,
        run.expansions,
        share(run.expansions),
        share(run.distinct),
        seconds,
        first.time as f64 / run.time as f64,
        100.0 * run.idle(),
        run.jobs,
        run.solved,
        run.unwanted,
        rate(run.bytes.0),
        rate(run.bytes.1),
        run.least,
        run.lag,
        run.exchanged as f64 / seconds / shape.workers as f64,
        run.least_shared,
    );
}
