//! A real worker, in the process of the test.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use sproutnet_system::options::Memory;
use sproutnet_transport::connect::{Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_worker::{Config, Worker, WorkerError};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// One core per job, enough memory for all tests of a process, and no store.
pub fn config() -> Config {
    Config {
        cores: 1,
        team: Some(1),
        memory: Memory::Bytes(2 << 30),
        name: "tested".to_owned(),
        data: None,
        ..Config::default()
    }
}

/// A running worker.
pub struct Running {
    /// The worker's own task.
    pub task: JoinHandle<Result<(), WorkerError>>,
    stop: watch::Sender<bool>,
}

impl Running {
    /// A worker for a coordinator at an address. The coordinator may start later.
    pub fn at(address: SocketAddr, cores: usize) -> Self {
        Self::with(address, Config { cores, ..config() })
    }

    /// A worker with its own store below a folder.
    pub fn in_folder(address: SocketAddr, folder: &Path) -> Self {
        let data = Some(folder.to_owned());
        Self::with(address, Config { data, ..config() })
    }

    /// A worker with this configuration.
    pub fn with(address: SocketAddr, config: Config) -> Self {
        let worker = Worker::new(config).expect("it can begin");
        let stop = watch::Sender::new(false);
        let stopped = stop.subscribe();
        let url = format!("http://{address}");
        let endpoint = Endpoint::new(&url, &Credentials::default(), Patience::default());
        let channel = endpoint.expect("an address").connect_lazy();
        let task = tokio::spawn(worker.run(channel, stopped));
        Self { task, stop }
    }

    /// Requests its end.
    pub fn ask_to_stop(&self) {
        self.stop.send_replace(true);
    }

    /// Stops it. Expects that it ends without an error, well within the grace period.
    pub async fn stop(self) {
        self.ask_to_stop();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.task).await;
        let ended = ended.expect("it ends within ten seconds");
        ended.expect("no panic").expect("no error");
    }
}
