//! `sproutnet`: solve positions, look them up, see the tables, and look after a fleet.
//!
//! Every command that asks or tells of positions speaks to a coordinator over gRPC, but `bench`, `draw` and `verify`. Unless
//! told of one, it runs its own inside the process, over the store in `--data`, and `solve` a worker beside it. `prove`,
//! `export`, `import`, `merge` and `store` open the store in `--data` themselves.

mod answers;
mod args;
mod bench;
mod client;
mod cluster;
mod completions;
mod computation;
mod control;
mod draw;
mod exit;
mod fleet;
mod follow;
mod id;
mod line;
mod list;
mod live;
mod lookups;
mod man;
mod mark;
mod moves;
mod named;
mod overview;
mod panel;
mod prove;
mod query;
mod rate;
mod records;
mod retry;
mod roots;
mod rows;
mod screen;
mod solve;
mod spark;
mod start;
mod status_line;
mod store;
mod style;
mod table;
mod task;
mod text;
mod travel;
mod verify;
mod watch;
mod withdraw;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use sproutnet_transport::telemetry::log_filter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::{Args, Command};
use crate::control::Act;
use crate::exit::{Exit, report};

/// As in a worker, for the same searches run here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // On a usage error clap prints it and exits with 2, bad input.
    let args = Args::parse();
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = log.with_filter(log_filter(LevelFilter::ERROR));
    tracing_subscriber::registry().with(log).init();
    let exit = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(run(args)),
        Err(error) => Err(error.into()),
    };
    exit.unwrap_or_else(|error| report(&error)).into()
}

async fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command {
        Command::Solve(solve) => solve::run(solve, args.common).await,
        Command::Watch(watch) => watch::run(watch, args.common).await,
        Command::List => list::run(args.common).await,
        Command::Pause(chosen) => control::run(Act::Pause, chosen, args.common).await,
        Command::Resume(chosen) => control::run(Act::Resume, chosen, args.common).await,
        Command::Cancel(chosen) => control::run(Act::Cancel, chosen, args.common).await,
        Command::Fleet(fleet) => fleet::run(fleet, args.common).await,
        Command::Records(records) => records::run(records, args.common).await,
        Command::Withdraw(withdraw) => withdraw::run(withdraw, args.common).await,
        Command::Query(query) => query::run(query, args.common).await,
        Command::Moves(moves) => moves::run(moves, args.common).await,
        Command::Line(line) => line::run(line, args.common).await,
        Command::Draw(draw) => draw::run(&draw),
        Command::Table(table) => table::run(table, args.common).await,
        Command::Export(export) => travel::export(export, args.common).await,
        Command::Import(import) => travel::import(import, args.common).await,
        Command::Merge(merge) => travel::merge(merge, args.common).await,
        Command::Store(store) => store::run(store.act, args.common).await,
        Command::Prove(prove) => prove::run(&prove, &args.common),
        Command::Verify(verify) => verify::run(&verify, &args.common),
        Command::Mark(mark) => mark::run(mark, args.common).await,
        Command::Bench(bench) => bench::run(&bench, &args.common),
        Command::Completions(completions) => completions::run(&completions),
        Command::Man(man) => man::run(&man),
    }
}
