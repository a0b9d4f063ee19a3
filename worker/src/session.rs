//! A session: the life of one search context.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sproutnet_notation::LeaseId;
use sproutnet_solver::play::Contradiction;
use tokio::sync::watch;

use crate::client::{Membership, Report, StoreEpoch};
use crate::link::Link;
use crate::outbox::Outbox;
use crate::own_archive::OwnArchive;
use crate::search_context::SearchContext;
use crate::searches::Searches;

/// Why a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The worker stops.
    Stop,
    /// The search context takes too much memory: the process uses this many bytes.
    Full(usize),
    /// Two facts contradict each other.
    Fault,
    /// The own store, which searches read, failed.
    NoStore,
    /// The coordinator has another store, which may lack facts of this worker.
    OtherStore,
    /// An older copy of the coordinator's store is in its place. It may lack facts of this worker.
    RolledBack,
    /// The coordinator revoked records. Facts of this worker may rest on them.
    Revoked,
}

/// The state shared by the tasks of a session.
pub(crate) struct Session {
    pub(crate) link: Arc<Link>,
    pub(crate) context: Arc<SearchContext>,
    pub(crate) searches: Arc<Searches>,
    pub(crate) outbox: Outbox,
    /// The own store as searches read it. `None` if they keep facts in memory.
    pub(crate) archive: Option<Arc<OwnArchive>>,
    /// The coordinator's store at the start of the session.
    pub(crate) store_epoch: StoreEpoch,
    pub(crate) ending: watch::Sender<Option<Ending>>,
    /// Whether the fault was reported.
    pub(crate) fault_reported: AtomicBool,
}

impl Session {
    /// Ends the session and cancels all searches. The first reason counts, but [`Ending::Stop`]
    /// overrides it.
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

    pub(crate) fn is_ending(&self) -> bool {
        self.ending.borrow().is_some()
    }

    /// Resolves when the session ends.
    pub(crate) async fn ending(&self) -> Ending {
        let mut endings = self.ending.subscribe();
        let ending = endings.wait_for(Option::is_some).await;
        // The sender lives as long as this session.
        ending.map_or(Ending::Stop, |why| why.unwrap_or(Ending::Stop))
    }

    /// The worker's registration. If it is with another store or epoch, or the store was rolled back, ends the session
    /// and never resolves.
    pub(crate) async fn registration(&self) -> Membership {
        let registration = self.link.registration().await;
        let now = registration.store_epoch;
        if now == self.store_epoch {
            return registration;
        }
        self.end(if now.store != self.store_epoch.store {
            Ending::OtherStore
        } else if now.epoch > self.store_epoch.epoch {
            Ending::Revoked
        } else {
            Ending::RolledBack
        });
        std::future::pending().await
    }

    /// Ends the session if two facts contradict each other.
    pub(crate) fn check_for_fault(&self) {
        if !self.is_ending() && self.context.contradiction().is_some() {
            self.end(Ending::Fault);
        }
    }

    /// Reports a contradiction to the coordinator. This ends the job of the lease.
    pub(crate) async fn report_fault(&self, lease: Option<LeaseId>, fault: &Contradiction) {
        let lease_number = lease.map(u64::from);
        tracing::error!(lease = lease_number, %fault, "known facts contradict each other");
        self.fault_reported.store(true, Ordering::Relaxed);
        if let Err(reason) = self.link.report(Report::Fault(lease, fault)).await {
            tracing::error!(
                lease = lease_number,
                reason,
                "the coordinator rejects a fault report"
            );
        }
    }
}
