//! `sproutnet-worker`: searches jobs for a coordinator.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use sproutnet_system::build;
use sproutnet_system::exit::{self, WrongOption};
use sproutnet_system::options::{Cores, Memory, Name, Nice, Size, StoreSize, Time};
use sproutnet_transport::connect::{Endpoint, Patience};
use sproutnet_transport::credentials::ConnectArgs;
use sproutnet_transport::telemetry::TelemetryArgs;
use sproutnet_worker::{Config, Worker, WorkerError};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Returns freed memory to the system, even if other threads allocated it. The memory bound depends on that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of blocking threads for the store and the feed, in addition to those of the searches.
const MORE_THREADS: usize = 64;

/// Lease jobs from a coordinator, search them, and report the results.
#[derive(Debug, Parser)]
#[command(version = build::version(), max_term_width = 100)]
struct Args {
    /// The coordinator's address
    #[arg(long, env = "SPROUTNET_COORDINATOR", value_name = "URL")]
    #[arg(default_value = "http://127.0.0.1:7350")]
    coordinator: String,
    #[command(flatten)]
    credentials: ConnectArgs,
    /// The number of search threads [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    cores: Option<Cores>,
    /// The memory to use: an amount, or a share of the memory of the machine or container. The default
    /// leaves room for a second worker and a coordinator (20%) on the same machine; alone, take 60%. Only Linux
    /// tells how much a process uses; elsewhere, this bounds the transposition table alone, to half of it
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "30%"
    )]
    memory: Memory,
    /// The niceness of the process, 0 to 19
    #[arg(long, env = "SPROUTNET_NICE", value_name = "N", default_value = "10")]
    nice: Nice,
    /// A display name [default: the host name]
    #[arg(long, env = "SPROUTNET_NAME")]
    name: Option<Name>,
    /// The folder for workers' own stores, with a copy of the coordinator's facts; a worker takes its first free
    /// subfolder
    #[arg(long, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-worker-data")]
    data: PathBuf,
    /// How much of the disk of --data is kept free, such as 1GiB; if less is free, undelivered records are
    /// held in memory only [default: 256MiB, or a tenth of a smaller disk]
    #[arg(long, env = "SPROUTNET_DISK_RESERVE", value_name = "SIZE")]
    disk_reserve: Option<Size>,
    /// How much disk the worker's own store may take, at least 1MB; above that, the facts that took the least work
    /// leave it
    #[arg(
        long,
        env = "SPROUTNET_STORE_BUDGET",
        value_name = "SIZE",
        default_value = "2GB"
    )]
    store_budget: StoreSize,
    /// The time limit for returning jobs at the end
    #[arg(
        long,
        env = "SPROUTNET_GRACE",
        value_name = "TIME",
        default_value = "20s"
    )]
    grace: Time,
    #[command(flatten)]
    telemetry: TelemetryArgs,
}

fn main() -> ExitCode {
    exit::code(start())
}

fn start() -> anyhow::Result<()> {
    let args = Args::parse();
    args.nice.apply().context("--nice")?;
    let cores = args.cores.unwrap_or_default().0;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(cores + MORE_THREADS)
        .enable_all()
        .build()
        .context("cannot start")?;
    let telemetry = {
        let _within = runtime.enter();
        let telemetry = args.telemetry.start("sproutnet-worker");
        telemetry.map_err(WrongOption::new)?
    };
    let ended = runtime.block_on(work(args, cores));
    telemetry.end();
    // Do not wait for a search that does not end.
    runtime.shutdown_background();
    ended
}

/// The error of a worker that cannot begin.
fn not_begun(error: WorkerError) -> anyhow::Error {
    match error {
        WorkerError::Memory(_) => WrongOption::new(error).into(),
        error => error.into(),
    }
}

async fn work(args: Args, cores: usize) -> anyhow::Result<()> {
    let credentials = args.credentials.own_credentials();
    let credentials = credentials.map_err(WrongOption::new)?;
    let endpoint = Endpoint::new(&args.coordinator, &credentials, Patience::default());
    let endpoint = endpoint
        .context("--coordinator")
        .map_err(WrongOption::new)?;
    let connection = endpoint.connect_lazy();
    // From now on these signals do not end the process by themselves.
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut terminations = signal(SignalKind::terminate())?;
    // Nothing is to be done at a hangup: the token is read again when the coordinator refuses the old one.
    let _hangups = signal(SignalKind::hangup())?;
    let mut end_requested = async || {
        tokio::select! {
            _ = interrupts.recv() => {}
            _ = terminations.recv() => {}
        }
    };
    let config = Config {
        cores,
        memory: args.memory,
        name: args.name.unwrap_or_default().0,
        data: Some(args.data),
        disk_reserve: args.disk_reserve.map(|reserve| reserve.0),
        store_budget: Some(args.store_budget.0),
        grace: args.grace.0,
        ..Config::default()
    };
    let opening = tokio::task::spawn_blocking(|| Worker::new(config));
    let worker = tokio::select! {
        opened = opening => opened?.map_err(not_begun)?,
        () = end_requested() => return Ok(()),
    };
    let stop = watch::Sender::new(false);
    let running = worker.run(connection, stop.subscribe());
    let mut running = std::pin::pin!(running);
    tokio::select! {
        ended = &mut running => return Ok(ended?),
        () = end_requested() => {}
    }
    tracing::info!("returning the current jobs; a second signal ends the process at once");
    stop.send_replace(true);
    tokio::select! {
        ended = running => ended?,
        () = end_requested() => tracing::warn!("ending at once"),
    }
    Ok(())
}
