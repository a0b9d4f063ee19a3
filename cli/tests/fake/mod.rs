//! A coordinator on a real socket whose computations a test controls.

mod service;

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sproutnet_proto::v1::client_service_server::ClientServiceServer;
use sproutnet_proto::v1::{self, Computation, FleetResponse, NumberedBlock, Progress, Status};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;

use crate::command::LONG;

/// The state of the coordinator, which survives a restart.
pub(crate) struct State {
    pub(crate) computations: watch::Sender<Vec<Computation>>,
    pub(crate) fleet: Mutex<FleetResponse>,
    /// The first blocks of an export.
    pub(crate) blocks: Mutex<Vec<NumberedBlock>>,
}

/// A coordinator that a test can control, stop and start again.
pub(crate) struct Fake {
    address: SocketAddr,
    state: Arc<State>,
    server: Option<Runtime>,
}

impl Fake {
    /// Starts a coordinator with these computations.
    pub(crate) fn with(computations: Vec<Computation>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let mut fake = Self {
            address: listener.local_addr().expect("an address"),
            state: Arc::new(State {
                computations: watch::Sender::new(computations),
                fleet: Mutex::default(),
                blocks: Mutex::default(),
            }),
            server: None,
        };
        fake.serve(listener);
        fake
    }

    /// Starts a coordinator with this state of its fleet.
    pub(crate) fn of_fleet(fleet: FleetResponse) -> Self {
        let fake = Self::with(Vec::new());
        fake.set_fleet(fleet);
        fake
    }

    /// Starts a coordinator whose export begins with these blocks and never ends.
    pub(crate) fn of_blocks(blocks: Vec<NumberedBlock>) -> Self {
        let fake = Self::with(Vec::new());
        *fake.state.blocks.lock().expect("no panic") = blocks;
        fake
    }

    /// Sets the state of the fleet.
    pub(crate) fn set_fleet(&self, fleet: FleetResponse) {
        *self.state.fleet.lock().expect("no panic") = fleet;
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Breaks all connections and accepts no new ones.
    pub(crate) fn stop(&mut self) {
        let server = self.server.take().expect("it runs");
        server.shutdown_timeout(Duration::from_secs(5));
    }

    /// Starts the coordinator again, at the same address.
    pub(crate) fn start_again(&mut self) {
        let listener = TcpListener::bind(self.address).expect("the port is still free");
        self.serve(listener);
    }

    /// Forgets all computations, like a coordinator that restarts without a store.
    pub(crate) fn forget(&self) {
        self.state.computations.send_replace(Vec::new());
    }

    /// Changes the progress of a computation.
    pub(crate) fn progress(&self, id: u64, change: impl FnOnce(&mut Progress)) {
        let changed = self.state.computations.send_if_modified(|computations| {
            let found = computations
                .iter_mut()
                .find(|known| known.computation == id);
            let progress = found.and_then(|known| known.progress.as_mut());
            progress.map(change).is_some()
        });
        assert!(changed, "there is no computation {id}");
    }

    /// Sets the reported uptime, in seconds.
    pub(crate) fn set_uptime(&self, uptime: f64) {
        self.state.fleet.lock().expect("no panic").uptime = uptime;
    }

    pub(crate) fn computations(&self) -> Vec<Computation> {
        self.state.computations.borrow().clone()
    }

    /// The status of a computation.
    pub(crate) fn status(&self, id: u64) -> Status {
        let computations = self.computations();
        let found = computations.iter().find(|known| known.computation == id);
        let progress = found.and_then(|known| known.progress.as_ref());
        progress.expect("a computation").status()
    }

    /// Waits until `wanted` is true for the computations.
    pub(crate) fn wait_for(&self, wanted: impl Fn(&[Computation]) -> bool) -> Vec<Computation> {
        let deadline = Instant::now() + LONG;
        while !wanted(&self.computations()) {
            assert!(Instant::now() < deadline, "{:#?}", self.computations());
            std::thread::sleep(Duration::from_millis(5));
        }
        self.computations()
    }

    fn serve(&mut self, listener: TcpListener) {
        let runtime = Runtime::new().expect("a runtime");
        let service = service::Service(Arc::clone(&self.state));
        listener.set_nonblocking(true).expect("it can");
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener).expect("a listener")
        };
        let server = Server::builder().add_service(ClientServiceServer::new(service));
        runtime.spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        self.server = Some(runtime);
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown_background();
        }
    }
}

/// A running computation.
pub(crate) fn running(id: u64, canonical: &str, play: v1::Play) -> Computation {
    Computation {
        computation: id,
        canonical: canonical.to_owned(),
        play: play.into(),
        weight: 1,
        started_at: 1_700_000_000,
        machine_seconds: 300.0,
        progress: Some(Progress {
            status: Status::Running.into(),
            seconds: 75.0,
            expansions: 12_000,
            records: 345,
            root: Some(v1::Numbers {
                proof: 17,
                disproof: 2_048,
            }),
            nodes: 678,
            jobs: 3,
            ..Progress::default()
        }),
        ..Computation::default()
    }
}

/// The same computation with another status.
pub(crate) fn with_status(mut computation: Computation, status: Status) -> Computation {
    let progress = computation.progress.as_mut().expect("progress");
    progress.set_status(status);
    if status == Status::Solved {
        solve(progress);
    }
    computation
}

/// Ends a computation as solved by a search: the player to move wins.
pub(crate) fn solve(progress: &mut Progress) {
    progress.set_status(Status::Solved);
    progress.set_outcome(v1::Outcome::Win);
    progress.set_source(v1::Source::Search);
    progress.root = Some(v1::Numbers {
        proof: 0,
        disproof: u32::MAX,
    });
    progress.jobs = 0;
}
