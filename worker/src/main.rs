//! `sproutnet-worker`: searches jobs for a coordinator elsewhere.

use anyhow::Context;
use clap::Parser;
use sproutnet_worker::{Config, Memory, Worker};
use tokio::sync::watch;
use tonic::transport::Endpoint;

/// Leases jobs from a coordinator, searches them, and reports what it finds.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    /// The coordinator
    #[arg(long, env = "SPROUTNET_COORDINATOR", value_name = "URL")]
    #[arg(default_value = "http://127.0.0.1:7350")]
    coordinator: String,
    /// How many searches to run at a time [default: all cores]
    #[arg(long, env = "SPROUTNET_CORES", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,
    /// The size of the transposition table
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "1GiB"
    )]
    memory: Memory,
    /// A name for people to read
    #[arg(long, env = "SPROUTNET_NAME", default_value = "worker")]
    name: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let default = "info".parse()?;
    let filter = tracing_subscriber::EnvFilter::builder().with_default_directive(default);
    tracing_subscriber::fmt()
        .with_env_filter(filter.from_env_lossy())
        .with_writer(std::io::stderr)
        .init();
    let endpoint = Endpoint::from_shared(args.coordinator.clone());
    let endpoint = endpoint.with_context(|| format!("--coordinator {}", args.coordinator))?;
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let worker = Worker::new(Config {
        cores: args.cores.map_or_else(all_cores, usize::from),
        memory: args.memory,
        name: args.name,
    })?;
    let stop = watch::Sender::new(false);
    let mut running = tokio::spawn({
        let (channel, stop) = (endpoint.connect_lazy(), stop.subscribe());
        async move { worker.run(channel, stop).await }
    });
    tokio::select! {
        ended = &mut running => return ended?.map_err(Into::into),
        signal = end_requested() => signal?,
    }
    tracing::info!("handing back what is under way; a second request ends at once");
    stop.send_replace(true);
    tokio::select! {
        ended = running => ended?.map_err(Into::into),
        signal = end_requested() => Ok(signal?),
    }
}

/// Resolves at Ctrl-C or SIGTERM.
async fn end_requested() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
