//! `sproutnet-coordinator`: a coordinator on a port, for workers and clients of other processes.

mod healthcheck;
mod standard_services;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use clap::{Parser, Subcommand};
use sproutnet_coordinator::{AuditShare, Config, Coordinator, rpc};
use sproutnet_system::options::{Memory, Nice, Time};
use sproutnet_transport::listen::ListenArgs;
use sproutnet_transport::serve::{Limits, tcp};
use sproutnet_transport::telemetry::TelemetryArgs;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Who asks for a job stands still until it comes; who reports what was found may wait a little.
const NICE_TO_CALLS: Nice = Nice(10);

/// Splits positions into jobs for workers, keeps what they find, and answers clients.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    listen: ListenArgs,
    /// The folder of the store; made if there is none
    #[arg(long, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-data")]
    data: PathBuf,
    /// The address to serve the web pages and metrics on, over HTTP
    #[arg(long, env = "SPROUTNET_HTTP", value_name = "ADDRESS")]
    #[arg(default_value = "127.0.0.1:7351")]
    http: SocketAddr,
    /// How much memory the proofs of the computations may take, such as 2GiB or 25%; the index of
    /// the store comes on top, with some 20 bytes a record
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "25%"
    )]
    memory: Memory,
    /// Audit at least this share of what each worker reports, such as 5%; 2% if it is not given. All
    /// records of a new worker are audited, then fewer as they are confirmed; `off` audits none
    #[arg(long, env = "SPROUTNET_AUDIT", value_name = "SHARE")]
    audit: Option<AuditShare>,
    /// The former name of --audit
    #[arg(long, env = "SPROUTNET_RECHECK", value_name = "SHARE", hide = true)]
    recheck: Option<AuditShare>,
    /// How long open calls may go on after a request to end
    #[arg(
        long,
        env = "SPROUTNET_GRACE",
        value_name = "TIME",
        default_value = "10s"
    )]
    grace: Time,
    #[command(flatten)]
    telemetry: TelemetryArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask whether the coordinator on this machine is well; exit with 0 if it is
    Healthcheck,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let telemetry = args.telemetry.start("sproutnet-coordinator")?;
    let ended = match args.command {
        Some(Command::Healthcheck) => healthcheck::run(&args.listen).await,
        None => run(args).await,
    };
    telemetry.end();
    ended
}

async fn run(args: Args) -> anyhow::Result<()> {
    let listening = args.listen.listening()?;
    let protection = listening.protection.clone();
    let reachable = !args.http.ip().to_canonical().is_loopback();
    if reachable && protection.token.is_none() && !args.listen.insecure {
        let address = args.http;
        anyhow::bail!(
            "--http {address} can be reached from other machines; protect it with --token-file, \
             or allow it without a token with --insecure"
        );
    }
    let memory = args.memory.bytes();
    let config = Config {
        memory: memory.context("the machine does not say how much memory it has")?,
        nice: NICE_TO_CALLS,
        audit: args.audit.or(args.recheck).unwrap_or_default(),
        ..Config::default()
    };
    let data = args.data.clone();
    let opening = move || Coordinator::open(&data, config, Instant::now());
    let opened = tokio::task::spawn_blocking(opening).await?;
    let coordinator =
        opened.with_context(|| format!("cannot use the store in {}", args.data.display()))?;
    let coordinator = Arc::new(coordinator);
    let listener = listening.bind().await?;
    let http_listener = TcpListener::bind(args.http).await;
    let http_listener = http_listener.with_context(|| format!("cannot listen on {}", args.http))?;
    println!(
        "gRPC on {}://{}",
        listening.scheme(),
        listener.local_addr()?
    );
    println!("HTTP on http://{}", http_listener.local_addr()?);
    let stop = watch::Sender::new(false);
    let ends = || {
        let mut stop = stop.subscribe();
        async move {
            // The sender lives as long as this process serves.
            let _ = stop.wait_for(|&stop| stop).await;
        }
    };
    let token = protection.token.clone();
    let metrics = sproutnet_web::serve(Arc::clone(&coordinator), token, http_listener, ends());
    let metrics = tokio::spawn(metrics);
    let incoming = tcp(listener, &Limits::default());
    let standard = standard_services::adding().await?;
    let serving = rpc::serve(coordinator, &protection, incoming, ends(), standard);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        served = &mut serving => return served.context("serving"),
        signal = end_requested() => signal?,
    }
    tracing::info!("ending; a second request ends at once");
    stop.send_replace(true);
    metrics.abort();
    tokio::select! {
        served = serving => served.context("serving"),
        // All that was acknowledged is durable.
        () = tokio::time::sleep(args.grace.0) => {
            tracing::warn!("open calls were broken off");
            Ok(())
        }
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
