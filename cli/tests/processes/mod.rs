//! A coordinator and workers as separate processes on loopback, and the commands that use them.

#![allow(dead_code, reason = "every test file uses a part")]

mod acknowledged;
pub(crate) mod checks;
mod commands;
pub(crate) mod desk;
pub(crate) mod facts;
pub(crate) mod process;
mod programs;
pub(crate) mod proxy;
pub(crate) mod spy;

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::command::{Clock, Content, LONG};
pub(crate) use acknowledged::Acknowledged;
pub(crate) use commands::Commands;
use process::Process;
use programs::{COORDINATOR, WORKER};
use proxy::Proxy;

/// The token of a fleet, unless it is started without one.
pub(crate) const TOKEN: &str = "a-token-for-tests-only";

/// The names of the files with it.
const TOKENS: &str = "tokens";
const TOKEN_OF_WORKERS: &str = "token";

/// The time that a worker has to leave; it is passed to the worker.
pub(crate) const GRACE: Duration = Duration::from_secs(20);

/// The pause before a command is tried again while the coordinator is down.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(200);

/// Ports for tests. Outgoing connections get ports from 32768 on: such a connection could take the port of a
/// coordinator that is down, or even connect to itself.
const PORTS: std::ops::Range<u16> = 10_000..32_768;

/// A process of a fleet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The coordinator.
    Coordinator,
    /// The worker with this number.
    Worker(usize),
}

impl Part {
    /// The name of the part; a worker registers with it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Coordinator => "coordinator".to_owned(),
            Self::Worker(number) => worker_name(number),
        }
    }

    /// The index of the part in [`Fleet::parts`].
    fn place(self) -> usize {
        match self {
            Self::Coordinator => 0,
            Self::Worker(number) => number + 1,
        }
    }
}

/// A coordinator and workers. Each process can be killed and started again.
pub(crate) struct Fleet {
    programs: PathBuf,
    /// The folder of the coordinator's store.
    store: PathBuf,
    /// The folder above the workers' own stores.
    own_stores: PathBuf,
    /// Additional options of the coordinator.
    options: Vec<String>,
    /// Whether the coordinator asks for the token.
    is_closed: bool,
    /// The networks of the commands and of each worker to the coordinator, by the index of the part. Empty if they use
    /// the machine's network.
    networks: Vec<Proxy>,
    /// The clocks of all processes, by the index of the part. Empty if they use the machine's clock.
    clocks: Vec<Clock>,
    grpc: SocketAddr,
    http: SocketAddr,
    coordinator: Option<Process>,
    workers: Vec<Option<Process>>,
    /// Dropped last: processes that fail show their logs.
    folder: TempDir,
}

impl Fleet {
    /// Starts a coordinator with a token on an empty folder, and this number of workers.
    pub(crate) fn start(workers: usize) -> Self {
        Self::start_as(true, workers, |_| {})
    }

    /// The same with the coordinator's store on a disk, and with options.
    pub(crate) fn start_on(disk: &Path, options: &[&str], workers: usize) -> Self {
        Self::start_as(true, workers, |fleet| {
            fleet.store = disk.join("store");
            fleet.options = options.iter().map(ToString::to_string).collect();
        })
    }

    /// The same with the workers' own stores on a disk.
    pub(crate) fn start_with_workers_on(disk: &Path, workers: usize) -> Self {
        Self::start_as(true, workers, |fleet| {
            fleet.own_stores = disk.join("workers");
        })
    }

    /// The same without a token.
    pub(crate) fn start_open(workers: usize) -> Self {
        Self::start_as(false, workers, |_| {})
    }

    /// Starts a coordinator without a token and without workers, on a store.
    pub(crate) fn start_open_on(store: PathBuf) -> Self {
        Self::start_as(false, 0, |fleet| fleet.store = store)
    }

    /// Starts a fleet with a token, with its stores in two folders, and with networks and clocks that tests can break.
    pub(crate) fn start_breakable(store: PathBuf, own_stores: PathBuf, workers: usize) -> Self {
        Self::start_as(true, workers, |fleet| {
            (fleet.store, fleet.own_stores) = (store, own_stores);
            let proxy = |_: &Part| Proxy::start(fleet.grpc);
            fleet.networks = fleet.parts().iter().map(proxy).collect();
            let clock = |part: &Part| Clock::new(fleet.folder.path(), &part.name());
            fleet.clocks = fleet.parts().iter().map(clock).collect();
        })
    }

    fn start_as(is_closed: bool, workers: usize, set_up: impl FnOnce(&mut Self)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [TOKENS, TOKEN_OF_WORKERS] {
            let file = folder.path().join(name);
            fs::write(&file, TOKEN).expect("written");
            fs::set_permissions(file, Permissions::from_mode(0o600)).expect("it is ours");
        }
        let (grpc, http) = (free_address(), free_address());
        let mut fleet = Self {
            programs: programs::folder(),
            store: folder.path().join("store"),
            own_stores: folder.path().join("workers"),
            options: Vec::new(),
            folder,
            is_closed,
            networks: Vec::new(),
            clocks: Vec::new(),
            grpc,
            http,
            coordinator: None,
            workers: (0..workers).map(|_| None).collect(),
        };
        set_up(&mut fleet);
        for part in fleet.parts() {
            fleet.start_again(part);
        }
        fleet.wait_for_coordinator();
        fleet
    }

    /// All processes.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let workers = (0..self.workers.len()).map(Part::Worker);
        [Part::Coordinator].into_iter().chain(workers).collect()
    }

    /// The URL of the coordinator for commands.
    pub(crate) fn url(&self) -> String {
        self.url_for(Part::Coordinator)
    }

    /// The URL of the coordinator for a worker, or for commands.
    fn url_for(&self, part: Part) -> String {
        let network = self.networks.get(part.place());
        format!("http://{}", network.map_or(self.grpc, Proxy::address))
    }

    /// The network between the coordinator and a worker; for [`Part::Coordinator`], that of the commands.
    pub(crate) fn network(&self, part: Part) -> &Proxy {
        &self.networks[part.place()]
    }

    /// The clock of a process.
    pub(crate) fn clock(&self, part: Part) -> &Clock {
        &self.clocks[part.place()]
    }

    /// Sets the programs and the coordinator's options for all later starts.
    pub(crate) fn use_programs(&mut self, folder: &Path, options: &[&str]) {
        self.programs = folder.into();
        self.options = options.iter().map(ToString::to_string).collect();
    }

    /// The folder of the programs.
    pub(crate) fn programs(&self) -> &Path {
        &self.programs
    }

    /// The URL of the coordinator's pages.
    pub(crate) fn pages(&self) -> String {
        format!("http://{}", self.http)
    }

    /// Starts one more worker.
    pub(crate) fn join(&mut self) {
        self.workers.push(None);
        self.start_again(Part::Worker(self.workers.len() - 1));
    }

    /// The file with the token of the coordinator and the commands.
    pub(crate) fn token_file(&self) -> PathBuf {
        self.folder.path().join(TOKENS)
    }

    /// The file with the token of the workers.
    pub(crate) fn token_file_of_workers(&self) -> PathBuf {
        self.folder.path().join(TOKEN_OF_WORKERS)
    }

    /// Starts a process that does not run, with its earlier folder and port.
    pub(crate) fn start_again(&mut self, part: Part) {
        let process = match part {
            Part::Coordinator => {
                let mut command = programs::command(&self.programs, COORDINATOR);
                command.arg("--listen").arg(self.grpc.to_string());
                command.arg("--http").arg(self.http.to_string());
                command.arg("--data").arg(self.store_folder());
                command.args(&self.options);
                self.spawn(part, command)
            }
            Part::Worker(_) => {
                let mut command = programs::command(&self.programs, WORKER);
                command.args(["--coordinator", &self.url_for(part)]);
                command.args(["--name", &part.name()]);
                command.args(["--cores", "1", "--memory", "512MiB", "--nice", "0"]);
                command.args(["--grace", &format!("{}s", GRACE.as_secs())]);
                command.arg("--data").arg(self.worker_folders());
                self.spawn(part, command)
            }
        };
        let before = self.slot(part).replace(process);
        assert!(before.is_none(), "{part:?} runs already");
    }

    fn spawn(&self, part: Part, mut command: std::process::Command) -> Process {
        if self.is_closed {
            let file = match part {
                Part::Coordinator => self.token_file(),
                Part::Worker(_) => self.token_file_of_workers(),
            };
            command.arg("--token-file").arg(file);
        }
        if let Some(clock) = self.clocks.get(part.place()) {
            clock.give(&mut command);
        }
        Process::start(command, self.log_file(part))
    }

    fn log_file(&self, part: Part) -> PathBuf {
        self.folder.path().join(format!("{}.log", part.name()))
    }

    /// Kills a process with SIGKILL, so that it cannot tidy up.
    pub(crate) fn kill(&mut self, part: Part) {
        let process = self.slot(part).take();
        process.expect("it runs").kill();
    }

    /// Asks a process to end, and waits for the end.
    pub(crate) fn end(&mut self, part: Part, limit: Duration) -> ExitStatus {
        let process = self.slot(part).take();
        process.expect("it runs").end(limit)
    }

    /// Suspends a process until it is resumed or killed.
    pub(crate) fn suspend(&mut self, part: Part) {
        let process = self.slot(part).as_ref();
        process.expect("it runs").signal(Signal::STOP);
    }

    /// Resumes a process that was suspended.
    pub(crate) fn resume(&mut self, part: Part) {
        let process = self.slot(part).as_ref();
        process.expect("it runs").signal(Signal::CONT);
    }

    /// Whether a process was started and not killed or ended since. Fails the test if the process has ended by itself.
    pub(crate) fn runs(&mut self, part: Part) -> bool {
        let process = self.slot(part);
        process.as_mut().map(Process::check_it_runs).is_some()
    }

    fn slot(&mut self, part: Part) -> &mut Option<Process> {
        match part {
            Part::Coordinator => &mut self.coordinator,
            Part::Worker(number) => &mut self.workers[number],
        }
    }

    /// Waits until the coordinator listens and its store is open.
    pub(crate) fn wait_for_coordinator(&mut self) {
        self.wait_for(self.grpc);
        self.wait_for(self.http);
        let deadline = Instant::now() + LONG;
        while !self.is_open() {
            self.coordinator.as_mut().expect("it runs").check_it_runs();
            assert!(Instant::now() < deadline, "the store is not open");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether the coordinator answers, and its store is open.
    fn is_open(&self) -> bool {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(self.http)?;
            stream.write_all(b"GET /healthz HTTP/1.0\r\nhost: localhost\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        let is_open = |answer: &str| {
            let waits = ["open the store", "opening the store"];
            !answer.is_empty() && !waits.iter().any(|why| answer.contains(why))
        };
        ask().is_ok_and(|answer| is_open(&answer))
    }

    /// Sends SIGHUP to a process.
    pub(crate) fn hang_up(&mut self, part: Part) {
        let process = self.slot(part).as_ref();
        process.expect("it runs").signal(Signal::HUP);
    }

    fn wait_for(&mut self, address: SocketAddr) {
        let coordinator = self.coordinator.as_mut().expect("it runs");
        let deadline = Instant::now() + LONG;
        while TcpStream::connect(address).is_err() {
            coordinator.check_it_runs();
            assert!(Instant::now() < deadline, "no coordinator on {address}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The coordinator's addresses for gRPC and for HTTP.
    pub(crate) fn addresses(&self) -> [SocketAddr; 2] {
        [self.grpc, self.http]
    }

    /// The peak memory of the running coordinator, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let coordinator = self.coordinator.as_ref().expect("it runs");
        coordinator.peak_memory()
    }

    /// The processor time of the running coordinator.
    pub(crate) fn time_on_cores(&self) -> Duration {
        let coordinator = self.coordinator.as_ref().expect("it runs");
        coordinator.time_on_cores()
    }

    /// The commands for the fleet.
    pub(crate) fn commands(&self) -> Commands {
        Commands::new(self.url(), self.token_file())
    }

    /// The folder of the coordinator's store.
    pub(crate) fn store_folder(&self) -> PathBuf {
        self.store.clone()
    }

    /// The output of a process so far.
    pub(crate) fn log(&self, part: Part) -> String {
        let log = fs::read(self.log_file(part)).expect("a log");
        String::from_utf8_lossy(&log).into_owned()
    }

    /// The status and the text of a page. The coordinator must listen.
    pub(crate) fn page(&self, path: &str) -> (u16, String) {
        let answer = self.answer(path);
        let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        let text = answer.split_once("\r\n\r\n").expect("a head").1;
        (status.expect("a status"), text.to_owned())
    }

    /// The target of a page's redirect, if it has one.
    pub(crate) fn leads_to(&self, path: &str) -> Option<String> {
        let answer = self.answer(path);
        let mut lines = answer.lines().take_while(|line| !line.is_empty());
        lines.find_map(|line| Some(line.strip_prefix("location: ")?.to_owned()))
    }

    /// The whole answer to a GET request. The coordinator must listen.
    fn answer(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(self.http).expect("a connection");
        let head = format!("GET {path} HTTP/1.0\r\nhost: localhost\r\n");
        let request = format!("{head}authorization: Bearer {TOKEN}\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("a text");
        answer
    }

    /// Checks the coordinator's health over gRPC, like a container engine.
    pub(crate) fn healthcheck(&self) -> ExitStatus {
        let mut command = programs::command(&self.programs, COORDINATOR);
        command.args(["--listen", &self.grpc.to_string(), "healthcheck"]);
        command.output().expect("it runs").status
    }

    /// The folder above the workers' own stores.
    fn worker_folders(&self) -> PathBuf {
        self.own_stores.clone()
    }

    /// Removes the workers' own stores. No worker may run.
    pub(crate) fn lose_worker_stores(&self) {
        fs::remove_dir_all(self.worker_folders()).expect("removed");
    }

    /// The value of one of the running coordinator's metrics.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let (_, answer) = self.page("/metrics");
        let lines = answer.lines().filter_map(|line| line.split_once(' '));
        let mut values = lines.filter(|(metric, _)| *metric == name);
        let (_, value) = values
            .next()
            .unwrap_or_else(|| panic!("no {name}:\n{answer}"));
        // Values of gauges have a decimal point.
        value.parse::<f64>().expect("a number") as u64
    }

    /// The content of the coordinator's store. The coordinator must not run.
    pub(crate) fn stored(&self) -> Content {
        Content::read_copy(&self.store_folder())
    }

    /// For each worker, the records that the coordinator with this store has acknowledged. No worker may run.
    pub(crate) fn acknowledged(&self, store: u64) -> Vec<Acknowledged> {
        let folders = fs::read_dir(self.worker_folders()).expect("a folder");
        let folders = folders.map(|entry| entry.expect("an entry").path());
        folders.map(|dir| Acknowledged::read(&dir, store)).collect()
    }
}

/// The name with which a worker registers.
pub(crate) fn worker_name(number: usize) -> String {
    format!("worker-{number}")
}

/// Repeats `look` until it succeeds; after the time limit, fails with its last error.
#[track_caller]
pub(crate) fn eventually<R, T: std::fmt::Debug>(
    limit: Duration,
    mut look: impl FnMut() -> Result<R, T>,
) -> R {
    let deadline = Instant::now() + limit;
    loop {
        match look() {
            Ok(seen) => return seen,
            Err(seen) => assert!(Instant::now() < deadline, "after {limit:?}: {seen:#?}"),
        }
        thread::sleep(BETWEEN_ATTEMPTS);
    }
}

/// A free address for a listener.
pub(crate) fn free_address() -> SocketAddr {
    loop {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, fastrand::u16(PORTS)));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}
