//! A worker's link to its coordinator: its registration, and calls that are retried until they
//! succeed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sproutnet_transport::connect::Connection;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::backoff::Backoff;
use crate::client::{
    CallError, Client, Introduction, Membership, Registered, Renewed, Report, Totals,
};
use crate::fleet_worth::FleetWorth;
use crate::marks::Marks;
use crate::searches::Searches;

/// The worker's standing with the coordinator.
#[derive(Clone, Debug)]
enum LinkState {
    Unregistered,
    Registered(Membership),
    Refused(String),
}

impl LinkState {
    fn is(&self, registration: Membership) -> bool {
        matches!(self, Self::Registered(now) if *now == registration)
    }
}

/// The link that all tasks of a worker share.
pub(crate) struct Link {
    pub(crate) client: Client,
    introduction: Introduction,
    standing: watch::Sender<LinkState>,
    /// The number of times that the connection was restored.
    restored: watch::Sender<u64>,
    lost: AtomicBool,
    /// Whether the coordinator ever answered.
    found: AtomicBool,
    url: String,
    /// The known states of coordinators' stores.
    pub(crate) marks: Marks,
    /// The least worth that the coordinator asks of the fleet.
    pub(crate) fleet_worth: FleetWorth,
    /// The counters at the first renewal of a registration.
    since: Mutex<Option<(Membership, Totals)>>,
    /// The time of the last log message about a busy coordinator.
    logged_busy: Mutex<Option<Instant>>,
}

/// The time limit of the last call.
const FAREWELL: Duration = Duration::from_secs(2);

/// The time between two log messages about a busy coordinator.
const BETWEEN_NOTICES: Duration = Duration::from_mins(1);

impl Link {
    pub(crate) fn new(connection: Connection, introduction: Introduction, marks: Marks) -> Self {
        Self {
            url: connection.url().to_owned(),
            client: Client::new(connection),
            introduction,
            standing: watch::Sender::new(LinkState::Unregistered),
            restored: watch::Sender::new(0),
            lost: AtomicBool::new(false),
            found: AtomicBool::new(false),
            marks,
            fleet_worth: FleetWorth::default(),
            since: Mutex::default(),
            logged_busy: Mutex::default(),
        }
    }

    /// Registers whenever the coordinator does not know the worker. Returns the reason if the
    /// coordinator refuses it.
    pub(crate) async fn keep_registered(&self) -> String {
        let mut standing = self.standing.subscribe();
        let mut backoff = Backoff::new();
        loop {
            let now = standing.wait_for(|now| !matches!(now, LinkState::Registered(_)));
            let now = now.await.map(|now| now.clone());
            if let Ok(LinkState::Refused(reason)) = now {
                return reason;
            }
            match self.client.register(&self.introduction).await {
                Ok(registered) => {
                    let Registered {
                        worker,
                        store,
                        epoch,
                        history,
                    } = registered;
                    let registration = Membership {
                        worker,
                        store_epoch: self.marks.compare(store, epoch, history.as_ref()),
                    };
                    let (worker, store, epoch) = (worker.0, format!("{store:016x}"), epoch.0);
                    let name = &self.introduction.name;
                    tracing::info!(worker, %store, epoch, name, "registered");
                    self.standing
                        .send_replace(LinkState::Registered(registration));
                    self.succeeded();
                    backoff.reset();
                }
                Err(CallError::Refused(reason)) => self.refuse(reason),
                Err(error) => {
                    self.failed(&error);
                    backoff.wait().await;
                }
            }
        }
    }

    /// The registration, once there is one.
    pub(crate) async fn registration(&self) -> Membership {
        let mut standing = self.standing.subscribe();
        loop {
            if let LinkState::Registered(registration) = *standing.borrow_and_update() {
                return registration;
            }
            // The sender lives as long as this link.
            let _ = standing.changed().await;
        }
    }

    /// Resolves when the registration is no longer current.
    pub(crate) async fn replaced(&self, registration: Membership) {
        let mut standing = self.standing.subscribe();
        let _ = standing.wait_for(|now| !now.is(registration)).await;
    }

    /// Changes when the connection is restored.
    pub(crate) fn restored(&self) -> watch::Receiver<u64> {
        self.restored.subscribe()
    }

    /// Whether the coordinator is known to be unreachable.
    pub(crate) fn is_down(&self) -> bool {
        let registered = matches!(*self.standing.borrow(), LinkState::Registered(_));
        !registered || self.lost.load(Ordering::Relaxed)
    }

    /// Notes the result of a call made under a registration, for all tasks.
    pub(crate) fn note<T>(&self, registration: Membership, answer: &Result<T, CallError>) {
        match answer {
            Ok(_) | Err(CallError::Rejected(_)) => self.succeeded(),
            Err(CallError::Unknown) => {
                let forgotten = self.standing.send_if_modified(|standing| {
                    let ours = standing.is(registration);
                    if ours {
                        *standing = LinkState::Unregistered;
                    }
                    ours
                });
                if forgotten {
                    tracing::info!("the coordinator no longer knows this worker");
                }
            }
            Err(CallError::Refused(reason)) => self.refuse(reason.clone()),
            Err(error) => self.failed(error),
        }
    }

    /// Renews the leases, and reports the work since the registration. With `leaving`, this is the worker's last call.
    pub(crate) async fn renew(
        &self,
        registration: Membership,
        searches: &Searches,
        leaving: bool,
    ) -> Result<Renewed, CallError> {
        let (worker, leases) = (registration.worker, searches.leases());
        let totals = self.work_since(registration, searches.totals());
        self.client.renew(worker, leases, totals, leaving).await
    }

    fn work_since(&self, registration: Membership, now: Totals) -> Totals {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match *since {
            Some((known, before)) if known == registration => before,
            _ => since.insert((registration, now)).1,
        };
        Totals {
            expansions: now.expansions - before.expansions,
            visits: now.visits - before.visits,
            memory: now.memory,
        }
    }

    /// Tells the coordinator that the worker ends, so that it is no longer listed. Nothing depends on it, so it is not
    /// repeated.
    pub(crate) async fn leave(&self, searches: &Searches) {
        let LinkState::Registered(registration) = *self.standing.borrow() else {
            return;
        };
        if self.is_down() {
            return;
        }
        let told = timeout(FAREWELL, self.renew(registration, searches, true)).await;
        if !matches!(told, Ok(Ok(_))) {
            tracing::debug!("the coordinator did not hear that this worker ends");
        }
    }

    /// Sends a report until the coordinator accepts it.
    ///
    /// # Errors
    /// The coordinator's reason to reject it.
    pub(crate) async fn report(&self, report: Report<'_>) -> Result<(), String> {
        let mut backoff = Backoff::new();
        loop {
            let registration = self.registration().await;
            let answer = self.client.report(registration.worker, report).await;
            self.note(registration, &answer);
            match answer {
                Ok(mark) => {
                    self.marks.note(registration.store_epoch, mark);
                    return Ok(());
                }
                Err(CallError::Rejected(reason)) => return Err(reason),
                // `keep_registered` ends the worker.
                Err(CallError::Refused(_)) => std::future::pending::<()>().await,
                Err(CallError::Unknown | CallError::Busy(_) | CallError::Unreachable(_)) => {
                    backoff.wait().await;
                }
            }
        }
    }

    fn refuse(&self, reason: String) {
        self.standing.send_replace(LinkState::Refused(reason));
    }

    fn succeeded(&self) {
        let found = self.found.swap(true, Ordering::Relaxed);
        if self.lost.swap(false, Ordering::Relaxed) {
            if found {
                tracing::info!("reconnected to the coordinator");
            } else {
                tracing::info!("found the coordinator");
            }
            self.restored.send_modify(|restored| *restored += 1);
        }
    }

    fn failed(&self, error: &CallError) {
        match error {
            CallError::Busy(reason) => {
                let mut logged = self
                    .logged_busy
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                if logged.is_none_or(|logged| logged.elapsed() >= BETWEEN_NOTICES) {
                    *logged = Some(Instant::now());
                    tracing::warn!(reason, "the coordinator is busy; retrying");
                }
            }
            error if self.lost.swap(true, Ordering::Relaxed) => {
                tracing::debug!(%error, "the coordinator is still unreachable");
            }
            error if self.found.load(Ordering::Relaxed) => {
                tracing::warn!(%error, "the coordinator is unreachable; retrying");
            }
            error => tracing::warn!(%error, "waiting for the coordinator at {}", self.url),
        }
    }
}
