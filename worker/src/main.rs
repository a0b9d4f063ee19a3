//! `sproutnet-worker`: searches jobs for a coordinator elsewhere.

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use sproutnet_system::options::{Cores, Grace, Memory, Name, Nice};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::ConnectArgs;
use sproutnet_transport::telemetry::TelemetryArgs;
use sproutnet_worker::{Config, Worker};
use tokio::sync::watch;

/// Knowledge that is given up has to go back to the system, whatever threads built it: only then
/// does a bound on memory mean anything.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Blocking threads beside those of the searches: for the store and the feed.
const MORE_THREADS: usize = 64;

/// Leases jobs from a coordinator, searches them, and reports what it finds.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    connect: Connect,
    /// How many threads search at a time [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    cores: Option<Cores>,
    /// The memory to use: an amount, or a share of what the machine or container has
    #[arg(long, env = "SPROUTNET_MEMORY", value_name = "SIZE", default_value_t)]
    memory: Memory,
    /// By how much to let other processes go first, 0 to 19
    #[arg(long, env = "SPROUTNET_NICE", value_name = "N", default_value = "10")]
    nice: Nice,
    /// A name for people to read [default: that of the machine]
    #[arg(long, env = "SPROUTNET_NAME")]
    name: Option<Name>,
    /// Where workers keep what they prove; this one takes the first folder in it that is free
    #[arg(long, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-worker-data")]
    data: PathBuf,
    /// How long handing back jobs may take at the end
    #[arg(
        long,
        env = "SPROUTNET_GRACE",
        value_name = "TIME",
        default_value = "20s"
    )]
    grace: Grace,
    #[command(flatten)]
    telemetry: TelemetryArgs,
}

/// How to reach the coordinator.
#[derive(Debug, clap::Args)]
struct Connect {
    /// The coordinator
    #[arg(long, env = "SPROUTNET_COORDINATOR", value_name = "URL")]
    #[arg(default_value = "http://127.0.0.1:7350")]
    coordinator: String,
    #[command(flatten)]
    credentials: ConnectArgs,
}

impl Connect {
    /// A connection that is made when it is first used, and again whenever it breaks.
    fn connection(&self) -> anyhow::Result<Connection> {
        let credentials = self.credentials.credentials()?;
        let endpoint = Endpoint::new(&self.coordinator, &credentials, Patience::default());
        Ok(endpoint.context("--coordinator")?.connect_lazy())
    }
}

fn main() -> anyhow::Result<()> {
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
        args.telemetry.start("sproutnet-worker")?
    };
    let ended = runtime.block_on(work(args, cores));
    telemetry.end();
    // A search that does not end is not waited for.
    runtime.shutdown_background();
    ended
}

async fn work(args: Args, cores: usize) -> anyhow::Result<()> {
    let connection = args.connect.connection()?;
    let mut requests = EndRequests::new()?;
    let config = Config {
        cores,
        memory: args.memory,
        name: args.name.unwrap_or_default().0,
        data: Some(args.data),
        grace: args.grace.0,
        ..Config::default()
    };
    let opening = tokio::task::spawn_blocking(|| Worker::new(config));
    let worker = tokio::select! {
        opened = opening => opened??,
        () = requests.next() => return Ok(()),
    };
    let stop = watch::Sender::new(false);
    let running = worker.run(connection, stop.subscribe());
    let mut running = std::pin::pin!(running);
    tokio::select! {
        ended = &mut running => return Ok(ended?),
        () = requests.next() => {}
    }
    tracing::info!("handing back what is under way; a second request ends at once");
    stop.send_replace(true);
    tokio::select! {
        ended = running => ended?,
        () = requests.next() => tracing::warn!("ending at once"),
    }
    Ok(())
}

/// Ctrl-C and SIGTERM.
struct EndRequests {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

impl EndRequests {
    /// From now on they do not end the process by themselves.
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Resolves at the next.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
