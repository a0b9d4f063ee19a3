//! `sproutnet-coordinator`: a coordinator on a port, for workers and clients of other processes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use clap::builder::FalseyValueParser;
use sproutnet_coordinator::{Coordinator, rpc};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

/// How long open calls may go on after a request to end.
const LONGEST_CLOSE: Duration = Duration::from_secs(10);

/// Splits positions into jobs for workers, keeps what they find, and answers clients.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    /// The folder of the store; made if there is none
    #[arg(
        long,
        env = "SPROUTNET_DATA",
        value_name = "DIR",
        default_value = "./sproutnet-data"
    )]
    data: PathBuf,
    /// The address to listen on
    #[arg(
        long,
        env = "SPROUTNET_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:7350"
    )]
    listen: SocketAddr,
    /// Allow an address that other machines can reach. There is no protection: whoever reaches it
    /// can use the coordinator
    #[arg(long, env = "SPROUTNET_INSECURE", value_parser = FalseyValueParser::new())]
    insecure: bool,
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
    if !args.listen.ip().is_loopback() && !args.insecure {
        let address = args.listen;
        anyhow::bail!("{address} can be reached from other machines; allow it with --insecure");
    }
    let data = args.data.clone();
    let opened = tokio::task::spawn_blocking(move || Coordinator::open(&data)).await?;
    let coordinator =
        opened.with_context(|| format!("cannot use the store in {}", args.data.display()))?;
    let listener = TcpListener::bind(args.listen).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", args.listen))?;
    println!("gRPC on http://{}", listener.local_addr()?);
    let stop = Arc::new(tokio::sync::Notify::new());
    let stopped = Arc::clone(&stop);
    let incoming = TcpListenerStream::new(listener);
    let serving = rpc::serve(Arc::new(coordinator), incoming, async move {
        stopped.notified().await;
    });
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        served = &mut serving => return served.context("serving"),
        signal = end_requested() => signal?,
    }
    tracing::info!("ending; a second request ends at once");
    stop.notify_one();
    tokio::select! {
        served = serving => served.context("serving"),
        // All that was acknowledged is durable.
        () = tokio::time::sleep(LONGEST_CLOSE) => Ok(()),
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
