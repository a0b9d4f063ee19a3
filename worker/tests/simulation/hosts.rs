//! The software of the hosts of the coordinator and of the workers: the code under test, each on its own disk.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Weak};
use std::time::Duration;

use sproutnet_coordinator::{self as coordinator, Coordinator, rpc};
use sproutnet_system::options::Memory;
use sproutnet_transport::listen::Protection;
use sproutnet_worker::{self as worker, Worker};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use turmoil::{Result, Sim};

use crate::disk::Disk;
use crate::network::{COORDINATOR, connection, listen};
use crate::witness::Witness;

/// The grace period of a worker.
const GRACE: Duration = Duration::from_secs(20);

/// The time for open calls after the coordinator is asked to end.
const COORDINATOR_GRACE: Duration = Duration::from_secs(10);

/// The memory of a worker. Tables are made often, so they are small. The whole process uses more than this; when it
/// grows by a quarter of this, a worker drops its facts.
const MEMORY: Memory = Memory::Bytes(32 << 20);

/// The witness of a run, shared by its hosts.
pub(crate) type Shared = Rc<RefCell<Witness>>;

/// A host whose software can be stopped.
pub(crate) struct Host {
    pub(crate) name: &'static str,
    pub(crate) disk: Rc<Disk>,
    stop: watch::Sender<bool>,
    ended: Rc<Cell<bool>>,
}

impl Host {
    /// A host that runs this software, now and whenever it is started again.
    pub(crate) fn start<F, S>(sim: &mut Sim<'_>, name: &'static str, software: F) -> Self
    where
        F: Fn(&Disk, watch::Receiver<bool>) -> S + 'static,
        S: Future<Output = Result> + 'static,
    {
        let host = Self {
            name,
            disk: Rc::new(Disk::new()),
            stop: watch::Sender::new(false),
            ended: Rc::default(),
        };
        let (disk, stop, ended) = (host.disk.clone(), host.stop.clone(), host.ended.clone());
        sim.host(name, move || {
            let (running, ended) = (software(&disk, stop.subscribe()), ended.clone());
            async move {
                running.await?;
                ended.set(true);
                // The rest of the process is still alive, and is dropped from outside.
                std::future::pending().await
            }
        });
        host
    }

    /// Requests an end of its software, or clears the request.
    pub(crate) fn request_stop(&self, stop: bool) {
        self.stop.send_replace(stop);
    }

    /// Whether its software has ended by itself since the last call.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.take()
    }
}

/// The coordinator's host, and the coordinator that runs there now.
pub(crate) struct CoordinatorHost {
    pub(crate) host: Host,
    running: Rc<RefCell<Weak<Coordinator>>>,
}

impl CoordinatorHost {
    /// A coordinator. When it starts, the witness checks that its store is complete.
    pub(crate) fn start(sim: &mut Sim<'_>, config: &coordinator::Config, witness: &Shared) -> Self {
        let running: Rc<RefCell<Weak<Coordinator>>> = Rc::default();
        let (config, witness, shown) = (config.clone(), Rc::clone(witness), Rc::clone(&running));
        let host = Host::start(sim, COORDINATOR, move |disk, stop| {
            let (folder, config) = (disk.folder(), config.clone());
            let (shown, witness) = (Rc::clone(&shown), Rc::clone(&witness));
            async move {
                let now = Instant::now().into_std();
                let opened = spawn_blocking(move || Coordinator::open(&folder, config, now));
                let opened = Arc::new(opened.await??);
                witness.borrow().found_in(opened.store())?;
                shown.replace(Arc::downgrade(&opened));
                serve(opened, stop).await
            }
        });
        Self { host, running }
    }

    /// The coordinator that runs now.
    pub(crate) fn running(&self) -> Option<Arc<Coordinator>> {
        self.running.borrow().upgrade()
    }
}

async fn serve(coordinator: Arc<Coordinator>, stop: watch::Receiver<bool>) -> Result {
    let stopped = async |mut stop: watch::Receiver<bool>| {
        // The sender lives as long as the host.
        let _ = stop.wait_for(|&stop| stop).await;
    };
    let (protection, incoming) = (Protection::default(), listen().await?);
    let ending = stopped(stop.clone());
    let serving = rpc::serve(coordinator, &protection, incoming, ending, |routes| routes);
    let late = async {
        stopped(stop).await;
        sleep(COORDINATOR_GRACE).await;
    };
    tokio::select! {
        served = serving => Ok(served?),
        () = late => Ok(()),
    }
}

/// A worker with this number of slots, with or without its own store.
pub(crate) fn start_worker(
    sim: &mut Sim<'_>,
    name: &'static str,
    cores: usize,
    stores: bool,
) -> Host {
    let config = worker::Config {
        cores,
        team: Some(1),
        memory: MEMORY,
        name: name.to_owned(),
        data: None,
        disk_reserve: Some(0),
        store_budget: None,
        grace: GRACE,
    };
    Host::start(sim, name, move |disk, stop| {
        let data = stores.then(|| disk.folder());
        let config = worker::Config {
            data,
            ..config.clone()
        };
        async move {
            let worker = spawn_blocking(move || Worker::new(config)).await??;
            Ok(worker.run(connection(), stop).await?)
        }
    })
}
