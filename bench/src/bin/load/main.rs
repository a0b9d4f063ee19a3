//! Measures the capacity of one coordinator on one core, with synthetic workers over real gRPC and a durable store.
//!
//! ```sh
//! cargo run --release -p sproutnet-bench --bin load -- --check
//! ```
//!
//! The real program `sproutnet-coordinator` runs alone on one core, with a new store in a folder that is removed at the
//! end. The workers run in this process, on another core. Each has its own connection, leases jobs, reports their
//! children with estimates instead of a search, hands over a block of new records with each report, and renews its
//! leases once a second. Some read the feed of all records. They keep a fixed pace, like workers whose searches take
//! time. The keys of records are lands from random plays, made in advance; their values are true but weak.
//!
//! With `--queries`, positions are also looked up over HTTP.
//!
//! At the end the coordinator is killed under load, and its store is checked for acknowledged records. With `--check`
//! the exit code is 1 unless all targets are met. The cores must be otherwise idle; CPU time per cycle depends least on
//! other load.

mod durability;
mod figures;
mod fleet;
mod jobs;
mod machine;
mod measures;
mod metrics;
mod program;
mod queries;
mod records;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use rustix::thread::{CpuSet, sched_setaffinity};
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;

use figures::{Figures, Snapshot, Targets};
use jobs::Jobs;
use program::Program;
use records::Blocks;
use worker::Load;

/// Puts a coordinator on one core under load, and measures it.
#[derive(Debug, Parser)]
#[command(max_term_width = 100)]
struct Args {
    /// Lease and report so often a second, all workers together
    #[arg(long, default_value_t = 2100)]
    rate: u32,
    /// Blocks of new records in each report
    #[arg(long, default_value_t = 1)]
    blocks: u32,
    /// New records in each block
    #[arg(long, default_value_t = 250)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256))]
    records: u32,
    /// Workers, each with a connection
    #[arg(long, default_value_t = 50)]
    workers: u32,
    /// Jobs that a worker holds at a time
    #[arg(long, default_value_t = 8)]
    slots: u32,
    /// How many of the workers read the feed of records
    #[arg(long, default_value_t = 4)]
    feeds: u32,
    /// Positions looked up over HTTP a second
    #[arg(long, default_value_t = 0)]
    queries: u32,
    /// Records that are in the store before it begins
    #[arg(long, default_value_t = 0)]
    fill: u32,
    /// Hand over what so many cores prove in workers of 32, as far as it is worth what the coordinator asks, and tell
    /// numbers and places, both as often as real workers do; in place of --rate, --blocks, --workers, --slots and --feeds
    #[arg(long, value_name = "N")]
    cores: Option<u32>,
    /// Seconds of load before measuring
    #[arg(long, default_value_t = 5)]
    warm_up: u32,
    /// Seconds of measuring
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// A position to solve under normal play; records are of plays from there too
    #[arg(long, default_value = "0*16")]
    position: String,
    /// The core of the coordinator
    #[arg(long, default_value_t = 0)]
    core: usize,
    /// The core of the workers
    #[arg(long, default_value_t = 1)]
    workers_core: usize,
    /// The coordinator; by default the one built beside this program, which cargo brings up to date
    #[arg(long, value_name = "FILE")]
    coordinator: Option<PathBuf>,
    /// Where the folder of the store is made; the default is the system's for temporary files
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Exit with 1 unless all targets are met; with 1 in any case if a record is lost
    #[arg(long)]
    check: bool,
}

/// The number of records that a fleet hands over before its least worth is high enough.
const FLOOD: u32 = 16_000_000;

fn main() -> anyhow::Result<ExitCode> {
    let mut args = Args::parse();
    if let Some(cores) = args.cores {
        args.workers = cores.div_ceil(fleet::CORES);
        args.feeds = args.workers;
        args.slots = 1;
        args.rate = args.workers;
        args.blocks = 0;
    }
    let args = args;
    let path = match &args.coordinator {
        Some(path) => path.clone(),
        None => program::built_beside(program::COORDINATOR)?,
    };
    println!("machine      {}", machine::describe());
    println!("commit       {}", machine::commit());
    let began = Instant::now();
    let seconds = args.warm_up + args.seconds + 2;
    let delivered = match args.cores {
        // The initial flood, and some blocks for each second after it.
        Some(_) => FLOOD / args.records + 200 * seconds,
        None => 0,
    };
    let handed_over = delivered + args.rate * args.blocks * seconds;
    let blocks = Blocks::make(
        &args.position,
        handed_over + args.fill.div_ceil(args.records),
        args.records,
    )?;
    println!(
        "prepared     {} records of {:.1} bytes in {:.1?}",
        blocks.records(),
        blocks.bytes_of_record(),
        began.elapsed()
    );
    let folder = args.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(folder)?;
    let filled = durability::fill(&blocks, args.fill, folder.path())?;
    pin_to(args.core)?;
    let program = Program::start(&path, folder.path())?;
    pin_to(args.workers_core)?;
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build()?;
    let load = Load::new(
        blocks,
        filled,
        args.blocks as usize,
        args.cores.is_some(),
        Jobs::new()?,
    );
    let load = Arc::new(load);
    let figures = runtime.block_on(put_under_load(&args, program, &load))?;
    // All calls end here, so that nothing more is acknowledged.
    drop(runtime);
    figures.print();
    let found = durability::look_for(&load, folder.path())?;
    found.print();
    let meets = figures.meets_targets();
    println!("targets      {}", if meets { "met" } else { "NOT met" });
    Ok(if found.is_all() && (meets || !args.check) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Pins this thread, and all threads and processes that it starts from now on, to one core.
fn pin_to(core: usize) -> anyhow::Result<()> {
    anyhow::ensure!(core < CpuSet::MAX_CPU, "there is no core {core}");
    let mut cores = CpuSet::new();
    cores.set(core);
    sched_setaffinity(None, &cores).with_context(|| format!("cannot run on core {core}"))
}

/// Runs the load until the coordinator is killed; returns the figures.
async fn put_under_load(
    args: &Args,
    program: Program,
    load: &Arc<Load>,
) -> anyhow::Result<Figures> {
    let connections = (0..args.workers).map(|_| connect(program.url()));
    let connections: Vec<Connection> = connections.collect::<Result<_, _>>()?;
    let first = connections.first().context("at least one worker")?;
    start(first, &args.position).await?;
    let slots = args.workers * args.slots;
    let period = Duration::from_secs(1) * slots / args.rate;
    for (number, connection) in (0..).zip(&connections) {
        let worker = worker::Worker::register(connection.clone(), number, args.slots).await?;
        let offset = period * number / args.workers;
        worker.begin(load, period, offset, number < args.feeds);
    }
    if args.queries > 0 {
        queries::begin(load, program.http(), args.queries);
    }
    tokio::time::sleep(Duration::from_secs(args.warm_up.into())).await;
    load.measures().clear();
    let before = Snapshot::take(&program).await?;
    tokio::time::sleep(Duration::from_secs(args.seconds.into())).await;
    let measured = load.measures().take();
    let after = Snapshot::take(&program).await?;
    load.is_sound()?;
    program.kill()?;
    let records = args.rate * args.blocks * args.records;
    let wanted = Targets::of(args.rate, records, args.queries);
    Ok(Figures::new(measured, &before, &after, wanted))
}

fn connect(url: &str) -> anyhow::Result<Connection> {
    let endpoint = Endpoint::new(url, &Credentials::default(), Patience::default())?;
    Ok(endpoint.connect_lazy())
}

async fn start(connection: &Connection, position: &str) -> anyhow::Result<()> {
    let mut people = ClientServiceClient::new(connection.clone());
    let request = v1::StartRequest {
        position: position.to_owned(),
        play: v1::Play::Normal.into(),
        ..v1::StartRequest::default()
    };
    people.start(request).await.context("starting")?;
    Ok(())
}
