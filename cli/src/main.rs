//! `sproutnet`: solve positions, look them up, see the tables, and look after a fleet.
//!
//! Commands that ask about positions or computations call a coordinator over gRPC. Without `--coordinator` they
//! run one inside the process, over the store in `--data`; `solve` adds a worker. `prove`, `export`, `import`,
//! `merge` and `store` open that store themselves. `bench`, `draw` and `verify` need neither.

mod args;
mod bench;
mod commands;
mod exit;
mod remote;
mod terminal;

use std::io::IsTerminal;
use std::process::ExitCode;

use sproutnet_transport::telemetry::log_filter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::Args;
use crate::exit::report;

/// The same allocator as in the worker, which does the same searches.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::read();
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let log = log.with_filter(log_filter(LevelFilter::ERROR));
    tracing_subscriber::registry().with(log).init();
    let exit = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime.block_on(commands::run(args)),
        Err(error) => Err(error.into()),
    };
    exit.unwrap_or_else(|error| report(&error)).into()
}
