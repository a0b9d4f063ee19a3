//! What runs on the hosts of the coordinator and of the workers: the code under test, on disks of
//! their own.

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

/// How long a worker may take to leave.
const GRACE: Duration = Duration::from_secs(20);

/// How long the coordinator lets open calls go on when it is asked to end.
const COORDINATOR_GRACE: Duration = Duration::from_secs(10);

/// Tables are made often, so they are small. What all runs of this process use is more than that, and
/// when it grows by a quarter a worker gives up what it knows.
const MEMORY: Memory = Memory::Bytes(32 << 20);

/// What is seen of a run.
pub(crate) type Shared = Rc<RefCell<Witness>>;

/// A host whose software can be stopped.
pub(crate) struct Host {
    pub(crate) name: &'static str,
    pub(crate) disk: Rc<Disk>,
    stop: watch::Sender<bool>,
    ended: Rc<Cell<bool>>,
}

impl Host {
    /// A host on which that software runs, now and whenever it is started again.
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
                // The rest of the process is still there, and is dropped from outside.
                std::future::pending().await
            }
        });
        host
    }

    /// Tells what runs there to end, or lets what will be started there run.
    pub(crate) fn request_stop(&self, stop: bool) {
        self.stop.send_replace(stop);
    }

    /// Whether what ran there has ended by itself since this was last asked.
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
    /// A coordinator. When it starts, the witness looks whether all is there that was.
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

/// A worker with that many searches, with or without a store of its own.
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
