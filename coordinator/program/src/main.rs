//! `sproutnet-coordinator`: a coordinator on a port, for workers and clients of other processes.

mod healthcheck;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Parser, Subcommand};
use sproutnet_coordinator::scheduler::quotas::Quota;
use sproutnet_coordinator::{AuditShare, Config, Coordinator, CoordinatorError, LeastWorth};
use sproutnet_coordinator_program::{Bound, EndRequests, Ended, Ports, Server, Waiting};
use sproutnet_system::build;
use sproutnet_system::causes::with_causes;
use sproutnet_system::exit::{self, WrongOption};
use sproutnet_system::options::{DailySize, Memory, Nice, Size, StoreSize, Time};
use sproutnet_system::process::restart;
use sproutnet_transport::listen::{ListenArgs, address};
use sproutnet_transport::telemetry::TelemetryArgs;
use sproutnet_web::Unopened;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// The niceness of threads that take in reports. A worker without a job is idle, so its call goes first.
const NICE_TO_CALLS: Nice = Nice(10);

/// The pause between attempts to open a store on a full disk, and between log lines about it.
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(1);
const BETWEEN_NOTICES: Duration = Duration::from_mins(1);

/// The time to open the store from which on calls are answered with the reason instead of waiting.
const BEFORE_ANSWERS: Duration = Duration::from_secs(1);

/// Splits positions into jobs for workers, keeps what they find, and answers clients.
#[derive(Debug, Parser)]
#[command(name = "sproutnet-coordinator", version = build::version(), max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    listen: ListenArgs,
    /// The folder of the store; created if missing
    #[arg(long, env = "SPROUTNET_DATA", value_name = "DIR")]
    #[arg(default_value = "./sproutnet-data")]
    data: PathBuf,
    /// The address to serve the web pages and metrics on, over HTTP
    #[arg(long, env = "SPROUTNET_HTTP", value_name = "ADDRESS", value_parser = address)]
    #[arg(default_value = "127.0.0.1:7351")]
    http: SocketAddr,
    /// How much memory the proofs of the computations may take, such as 2GiB or 25%; the index of the store takes
    /// about 1.3 bytes a record in addition. The default leaves room for two workers on the same machine, with 30%
    /// each
    #[arg(
        long,
        env = "SPROUTNET_MEMORY",
        value_name = "SIZE",
        default_value = "20%"
    )]
    memory: Memory,
    /// How much of the disk of --data is kept free, such as 1GiB; if less is free, the coordinator hands
    /// out no jobs and writes nothing until there is room [default: 256MiB, or a tenth of a smaller disk]
    #[arg(long, env = "SPROUTNET_DISK_RESERVE", value_name = "SIZE")]
    disk_reserve: Option<Size>,
    /// Audit at least this share of what each worker reports, such as 5%; 2% if it is not given. All
    /// records of a new worker are audited, then fewer as they are confirmed; `off` audits none
    #[arg(long, env = "SPROUTNET_AUDIT", value_name = "SHARE")]
    audit: Option<AuditShare>,
    /// The time limit for open calls after a request to end
    #[arg(
        long,
        env = "SPROUTNET_GRACE",
        value_name = "TIME",
        default_value = "10s"
    )]
    grace: Time,
    /// How long a certificate may take to be sent and checked, such as 2h; then the check is stopped, and
    /// `sproutnet mark` reports that. One certificate is checked at a time
    #[arg(
        long,
        env = "SPROUTNET_VERIFY_LIMIT",
        value_name = "TIME",
        default_value = "10m"
    )]
    verify_limit: Time,
    /// How many bytes of records all workers together are to send in a day, such as 100GB; `unlimited` or 0 sets no
    /// limit. If more come, workers withhold the facts that took the least work
    #[arg(
        long,
        env = "SPROUTNET_RECORD_BUDGET",
        value_name = "SIZE",
        default_value = "100GB"
    )]
    record_budget: DailySize,
    /// Let workers withhold facts that took fewer visits, 1 to 32768, rounded up to a power of two; in place of
    /// --record-budget
    #[arg(long, env = "SPROUTNET_LEAST_WORTH", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=LeastWorth::HIGHEST.visits()))]
    least_worth: Option<u64>,
    /// How much disk the store may take, such as 50GB, at least 1MB [default: no limit]. Above that, the facts that
    /// took the least work leave it, and workers withhold such facts
    #[arg(long, env = "SPROUTNET_STORE_BUDGET", value_name = "SIZE")]
    store_budget: Option<StoreSize>,
    /// The most that all computations of an owner count together, such as anna=3: as one computation of weight 3, as
    /// long as others want the rest. Below that, their weights count. `*=1` holds for all other owners. Commas separate
    /// several quotas: `anna=3,*=1`
    #[arg(
        long,
        env = "SPROUTNET_QUOTA",
        value_name = "OWNER=WEIGHT",
        value_delimiter = ','
    )]
    quota: Vec<Quota>,
    /// The folder with the certificates of the atlas, to be downloaded from `/api/v1/certificates` [default: none, only
    /// their list]
    #[arg(long, env = "SPROUTNET_ATLAS", value_name = "DIR")]
    atlas: Option<PathBuf>,
    #[command(flatten)]
    telemetry: TelemetryArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Ask whether the coordinator on this machine is healthy; exit with 0 if it is
    Healthcheck,
}

/// The wait before a restart, so that repeated failures do not become a busy loop.
const BEFORE_RESTART: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    exit::code(start())
}

#[tokio::main]
async fn start() -> anyhow::Result<()> {
    let args = Args::parse();
    let telemetry = args.telemetry.start("sproutnet-coordinator");
    let telemetry = telemetry.map_err(WrongOption::new)?;
    if let Some(Command::Healthcheck) = args.command {
        let checked = healthcheck::run(&args.listen).await;
        telemetry.end();
        return checked;
    }
    // From here on, so that no request is lost while the store opens or before a restart.
    let mut requests = EndRequests::new()?;
    let ended = run(args, &mut requests).await;
    telemetry.end();
    let why = match ended? {
        Ended::Requested => return Ok(()),
        Ended::DiskFull(why) => why,
    };
    tracing::error!("{why}; restarting to open it again");
    tokio::select! {
        () = tokio::time::sleep(BEFORE_RESTART) => Err(restart()).context("cannot restart"),
        () = requests.next() => Ok(()),
    }
}

async fn run(args: Args, requests: &mut EndRequests) -> anyhow::Result<Ended> {
    let ports = Ports::new(&args.listen, args.http).map_err(WrongOption::new)?;
    let memory = args.memory.bytes();
    let config = Config {
        memory: memory
            .context("cannot determine the memory of this machine; name an amount with --memory")?,
        nice: NICE_TO_CALLS,
        audit: args.audit.unwrap_or_default(),
        verify_limit: Some(args.verify_limit.0),
        disk_reserve: args.disk_reserve.map(|reserve| reserve.0),
        record_budget: args.record_budget.0,
        least_worth: args.least_worth.map(LeastWorth::of_visits),
        store_budget: args.store_budget.map(|size| size.0),
        quotas: args.quota.into_iter().collect(),
        atlas: args.atlas,
        ..Config::default()
    };
    let hangups = signal(SignalKind::hangup())?;
    let bound = ports.bind(Some(hangups)).await?;
    println!("gRPC on {}", bound.grpc_url()?);
    println!("HTTP on http://{}", bound.http_address()?);
    let coordinator = tokio::select! {
        opened = open(&args.data, &config, &bound) => opened,
        () = requests.next() => return Ok(Ended::Requested),
    };
    let coordinator =
        coordinator.with_context(|| format!("cannot use the store in {}", args.data.display()))?;
    let server = Server::on(bound, Arc::new(coordinator));
    let mut is_ending = false;
    let end_requested = async || {
        requests.next().await;
        if !std::mem::replace(&mut is_ending, true) {
            tracing::info!("ending; a second signal ends at once");
        }
    };
    server.run(args.grace.0, end_requested).await
}

/// Opens the store. If that takes long, or waits for room on the disk, the ports say so meanwhile.
async fn open(data: &Path, config: &Config, bound: &Bound) -> anyhow::Result<Coordinator> {
    let answer = |is_disk_full| {
        let unopened = Unopened {
            is_disk_full,
            data: data.to_owned(),
            disk_reserve: config.disk_reserve,
        };
        Waiting::start(bound, unopened)
    };
    let mut waiting: Option<Waiting> = None;
    let mut logged: Option<Instant> = None;
    loop {
        let mut opening = std::pin::pin!(open_once(data, config));
        let opened = tokio::select! {
            opened = &mut opening => opened?,
            () = tokio::time::sleep(BEFORE_ANSWERS), if waiting.is_none() => {
                waiting = Some(answer(false)?);
                opening.await?
            }
        };
        let error = match opened {
            Err(error) if error.is_disk_full() => error,
            opened => return Ok(opened?),
        };
        if logged.is_none() {
            waiting = Some(answer(true)?);
        }
        if logged.is_none_or(|logged| logged.elapsed() >= BETWEEN_NOTICES) {
            logged = Some(Instant::now());
            let error = with_causes(&error);
            tracing::warn!("disk full: waiting for room to open the store: {error}");
        }
        tokio::time::sleep(BETWEEN_ATTEMPTS).await;
    }
}

/// Opens the store on a thread of its own: a program that is to end does not wait for it.
async fn open_once(
    data: &Path,
    config: &Config,
) -> anyhow::Result<Result<Coordinator, CoordinatorError>> {
    let (data, config) = (data.to_owned(), config.clone());
    let (sender, opened) = oneshot::channel();
    let open = move || {
        // Nobody waits any longer if the program is about to end.
        let _ = sender.send(Coordinator::open(&data, config, Instant::now()));
    };
    let thread = std::thread::Builder::new().name("opening".to_owned());
    thread.spawn(open).context("cannot open the store")?;
    opened
        .await
        .context("the thread that opens the store panicked")
}
