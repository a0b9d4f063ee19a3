//! Measures the gain of a second core, with real processes on one machine: one worker with one core, two such workers,
//! and one worker with two cores solve the same position in turn.
//!
//! ```sh
//! cargo run --release -p sproutnet-bench --bin pairs
//! ```
//!
//! Each run has a new coordinator and new workers. All their traffic passes through this program, which counts the
//! bytes. Wall times are meaningful only on an idle machine; expansions and processor times depend little on other
//! load.

#[path = "../load/machine.rs"]
mod machine;
#[path = "../load/metrics.rs"]
mod metrics;
#[path = "../load/program.rs"]
mod program;
mod relay;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;

use metrics::Metrics;
use program::Program;
use relay::Bytes;
use table::Row;

const WORKER: [&str; 2] = ["sproutnet-worker", "sproutnet-worker"];

/// The fleets: the number of workers, and the cores of each. The others are compared with the first.
const FLEETS: [(usize, usize); 3] = [(1, 1), (2, 1), (1, 2)];

/// Solves positions by one worker of one core, by two, and by one of two cores.
#[derive(Debug, Parser)]
struct Args {
    /// Positions to solve, each by all three
    #[arg(default_value = "0*21")]
    positions: Vec<String>,
    /// The play convention, normal or misere
    #[arg(long, default_value = "normal")]
    play: sproutnet_notation::Play,
    /// How often each is done
    #[arg(long, default_value_t = 5)]
    pairs: usize,
    /// The memory of each worker
    #[arg(long, default_value = "3GiB")]
    memory: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let programs = [
        program::built_beside(program::COORDINATOR)?,
        program::built_beside(WORKER)?,
    ];
    println!(
        "machine {}\ncommit {}\n",
        machine::describe(),
        machine::commit()
    );
    table::print_head();
    let mut rows = [const { Vec::new() }; FLEETS.len()];
    for _ in 0..args.pairs {
        for position in &args.positions {
            for (fleet, rows) in FLEETS.iter().zip(&mut rows) {
                let row = run(&args, position, *fleet, &programs).await?;
                row.print(position, *fleet);
                rows.push(row);
            }
        }
    }
    table::print_comparison(&FLEETS, &rows);
    Ok(())
}

/// Solves a position with new processes.
async fn run(
    args: &Args,
    position: &str,
    (workers, cores): (usize, usize),
    [coordinator, worker]: &[PathBuf; 2],
) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let coordinator = Program::start(coordinator, &folder.path().join("coordinator"))?;
    let bytes = Arc::new(Bytes::default());
    let address = coordinator.url().trim_start_matches("http://").parse()?;
    let relay = relay::begin(address, Arc::clone(&bytes)).await?;
    let url = format!("http://{relay}");
    let data = folder.path().join("workers");
    let workers = (0..workers).map(|_| Worker::start(worker, &url, &data, cores, &args.memory));
    let workers: Vec<Worker> = workers.collect::<Result<_, _>>()?;
    while Metrics::read(coordinator.http())
        .await?
        .get("sproutnet_workers")?
        < workers.len() as f64
    {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let at_begin = coordinator_and_workers(&coordinator, &workers)?;
    let progress = solve(coordinator.url(), position, args.play).await?;
    let at_end = coordinator_and_workers(&coordinator, &workers)?;
    let metrics = Metrics::read(coordinator.http()).await?;
    let get = |name: &str| metrics.get(&format!("sproutnet_{name}"));
    let row = Row {
        outcome: progress.outcome().as_str_name(),
        expansions: progress.expansions as f64,
        seconds: progress.seconds,
        worker_seconds: at_end.1 - at_begin.1,
        coordinator_seconds: at_end.0 - at_begin.0,
        messages: get("lease_seconds_count")?
            + get("report_seconds_count")?
            + get("feed_blocks_total")?,
        bytes_in: bytes.to() as f64,
        bytes_out: bytes.from() as f64,
    };
    coordinator.kill()?;
    Ok(row)
}

/// The processor seconds of the coordinator, and of all workers together.
fn coordinator_and_workers(
    coordinator: &Program,
    workers: &[Worker],
) -> anyhow::Result<(f64, f64)> {
    let of = |process| machine::cpu_seconds(process).map(|(user, system)| user + system);
    let workers = workers.iter().map(|worker| of(worker.0.id()));
    Ok((
        of(coordinator.process())?,
        workers.sum::<anyhow::Result<f64>>()?,
    ))
}

/// Solves a position; returns the figures of the run.
async fn solve(
    url: &str,
    position: &str,
    play: sproutnet_notation::Play,
) -> anyhow::Result<v1::Progress> {
    let endpoint = Endpoint::new(url, &Credentials::default(), Patience::default())?;
    let connection: Connection = endpoint.connect_lazy();
    let mut client = ClientServiceClient::new(connection);
    let request = v1::StartRequest {
        position: position.to_owned(),
        play: sproutnet_proto::convert::play_field(play),
        ..v1::StartRequest::default()
    };
    let started = client.start(request).await?.into_inner();
    let request = v1::WatchRequest {
        computation: started.computation,
    };
    let mut following = client.watch(request).await?.into_inner();
    let mut last = None;
    while let Some(response) = following.message().await? {
        last = Some(response);
    }
    last.context("the coordinator told no progress")
}

/// A running worker; killed when dropped.
struct Worker(Child);

impl Worker {
    fn start(
        path: &Path,
        url: &str,
        data: &Path,
        cores: usize,
        memory: &str,
    ) -> anyhow::Result<Self> {
        let cores = cores.to_string();
        let mut command = Command::new(path);
        command.args(["--coordinator", url, "--cores", &cores, "--memory", memory]);
        command.args(["--nice", "0", "--data"]).arg(data);
        command
            .env_clear()
            .env("RUST_LOG", "warn")
            .stdin(Stdio::null());
        let child = command.spawn();
        Ok(Self(child.with_context(|| {
            format!("cannot run {}", path.display())
        })?))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
