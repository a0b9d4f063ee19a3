//! A stint: the life of one mind, and why it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sproutnet_solver::play::Contradiction;
use tokio::sync::watch;

use crate::client::Registration;
use crate::link::Link;
use crate::mind::Mind;
use crate::outbox::Outbox;
use crate::searches::Searches;

/// Why a stint ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The worker is to end.
    Stop,
    /// What is known takes too much memory: the process uses that many bytes.
    Full(usize),
    /// What is known contradicts itself.
    Fault,
    /// The coordinator has another store, and may lack what is known here.
    OtherStore,
    /// The coordinator withdrew records; what is known here may rest on them.
    Withdrawn,
}

/// A coordinator's store, in one of its epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Home {
    /// The id of the store.
    pub(crate) store: u64,
    /// How often records were withdrawn from it.
    pub(crate) epoch: u64,
}

impl Home {
    pub(crate) fn of(registration: Registration) -> Self {
        Self {
            store: registration.store,
            epoch: registration.epoch,
        }
    }

    /// Whether what was known with this store then may rest on what was withdrawn since.
    pub(crate) fn is_over(self, now: Self) -> bool {
        self.store == now.store && self.epoch != now.epoch
    }
}

/// What the tasks of a stint share.
pub(crate) struct Stint {
    pub(crate) link: Arc<Link>,
    pub(crate) mind: Arc<Mind>,
    pub(crate) searches: Arc<Searches>,
    pub(crate) outbox: Outbox,
    /// The coordinator's store for which the stint began.
    pub(crate) home: Home,
    ending: watch::Sender<Option<Ending>>,
    fault_told: AtomicBool,
}

impl Stint {
    pub(crate) fn new(
        link: Arc<Link>,
        mind: Arc<Mind>,
        searches: Arc<Searches>,
        outbox: Outbox,
        home: Home,
    ) -> Self {
        Self {
            link,
            mind,
            searches,
            outbox,
            home,
            ending: watch::Sender::new(None),
            fault_told: AtomicBool::new(false),
        }
    }

    /// Ends the stint. The first reason counts, but for the end of the worker. All searches are
    /// stopped.
    pub(crate) fn end(&self, why: Ending) {
        self.ending.send_if_modified(|ending| {
            let counts = ending.is_none() || why == Ending::Stop;
            if counts {
                *ending = Some(why);
            }
            counts
        });
        self.searches.cancel_all();
    }

    /// Whether the stint ends.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.borrow().is_some()
    }

    /// Resolves when the stint ends.
    pub(crate) async fn ending(&self) -> Ending {
        let mut endings = self.ending.subscribe();
        loop {
            if let Some(ending) = *endings.borrow_and_update() {
                return ending;
            }
            // The sender lives as long as this stint.
            let _ = endings.changed().await;
        }
    }

    /// Who the worker is with the coordinator of this stint. Ends the stint, and waits for ever, if
    /// there is another.
    pub(crate) async fn registration(&self) -> Registration {
        let registration = self.link.registration().await;
        let home = Home::of(registration);
        if home == self.home {
            return registration;
        }
        self.end(match home.store == self.home.store {
            true => Ending::Withdrawn,
            false => Ending::OtherStore,
        });
        std::future::pending().await
    }

    /// Ends the stint if what is known contradicts itself.
    pub(crate) fn look_for_fault(&self) {
        if !self.is_ending() && self.mind.contradiction().is_some() {
            self.end(Ending::Fault);
        }
    }

    /// Tells the coordinator that what is known contradicts itself, and ends a job by that. The
    /// lease may be zero.
    pub(crate) async fn tell_fault(&self, lease: u64, fault: &Contradiction) {
        self.fault_told.store(true, Ordering::Relaxed);
        let told = self.link.insist(|client, registration| {
            let fault = fault.clone();
            async move { client.fault(registration.worker, lease, &fault).await }
        });
        if let Err(reason) = told.await {
            tracing::error!(
                lease,
                reason,
                "the coordinator rejects the report of a fault"
            );
        }
    }

    /// Whether the fault was told with some job.
    pub(crate) fn fault_is_told(&self) -> bool {
        self.fault_told.load(Ordering::Relaxed)
    }
}
