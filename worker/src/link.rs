//! A worker's link to its coordinator: who the worker is there, and calls that are repeated until
//! they are through.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

use crate::backoff::Backoff;
use sproutnet_transport::connect::Connection;

use crate::client::{CallError, Client, Introduction, Registration};

/// How the worker stands with the coordinator.
#[derive(Clone, Debug)]
enum Standing {
    /// The worker has to register.
    Unknown,
    /// The worker has registered.
    Known(Registration),
    /// The coordinator does not accept the worker.
    Refused(String),
}

/// The link. All tasks of a worker share it.
pub(crate) struct Link {
    client: Client,
    who: Introduction,
    standing: watch::Sender<Standing>,
    /// How often the coordinator was found again after it had been lost.
    found: watch::Sender<u64>,
    lost: AtomicBool,
}

impl Link {
    pub(crate) fn new(connection: Connection, who: Introduction) -> Self {
        Self {
            client: Client::new(connection),
            who,
            standing: watch::Sender::new(Standing::Unknown),
            found: watch::Sender::new(0),
            lost: AtomicBool::new(false),
        }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Registers whenever the coordinator does not know the worker; returns the reason if it is
    /// refused.
    pub(crate) async fn keep_registered(&self) -> String {
        let mut standing = self.standing.subscribe();
        let mut backoff = Backoff::new();
        loop {
            let now = standing.wait_for(|now| !matches!(now, Standing::Known(_)));
            let now = now.await.map(|now| now.clone());
            if let Ok(Standing::Refused(reason)) = now {
                return reason;
            }
            match self.client.register(&self.who).await {
                Ok(registration) => {
                    let Registration {
                        worker,
                        store,
                        epoch,
                    } = registration;
                    let store = format_args!("{store:016x}");
                    tracing::info!(worker, %store, epoch, name = self.who.name, "registered");
                    self.standing.send_replace(Standing::Known(registration));
                    self.went_through();
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

    /// Who the worker is; waits until it is known.
    pub(crate) async fn registration(&self) -> Registration {
        let mut standing = self.standing.subscribe();
        loop {
            if let Standing::Known(registration) = *standing.borrow_and_update() {
                return registration;
            }
            // The sender lives as long as this link.
            let _ = standing.changed().await;
        }
    }

    /// Resolves when the worker is not known by that registration any more.
    pub(crate) async fn replaced(&self, registration: Registration) {
        let mut standing = self.standing.subscribe();
        let other = |now: &Standing| !matches!(now, Standing::Known(now) if *now == registration);
        let _ = standing.wait_for(other).await;
    }

    /// Counts how often the coordinator was found again.
    pub(crate) fn found_again(&self) -> watch::Receiver<u64> {
        self.found.subscribe()
    }

    /// Whether the last thing heard of the coordinator was that it cannot be reached.
    pub(crate) fn is_down(&self) -> bool {
        let known = matches!(*self.standing.borrow(), Standing::Known(_));
        !known || self.lost.load(Ordering::Relaxed)
    }

    /// Takes note of how a call made under a registration went, for all tasks to know.
    pub(crate) fn note<T>(&self, registration: Registration, answer: &Result<T, CallError>) {
        match answer {
            Ok(_) | Err(CallError::Rejected(_)) => self.went_through(),
            Err(CallError::Unknown) => {
                let forgotten = self.standing.send_if_modified(|standing| {
                    let ours = matches!(standing, Standing::Known(now) if *now == registration);
                    if ours {
                        *standing = Standing::Unknown;
                    }
                    ours
                });
                if forgotten {
                    tracing::info!("the coordinator has forgotten this worker");
                }
            }
            Err(CallError::Refused(reason)) => self.refuse(reason.clone()),
            Err(error) => self.failed(error),
        }
    }

    /// Makes a call until it is through.
    ///
    /// # Errors
    /// The reason if the coordinator rejects what the call says.
    pub(crate) async fn insist<T, F>(
        &self,
        call: impl Fn(Client, Registration) -> F,
    ) -> Result<T, String>
    where
        F: Future<Output = Result<T, CallError>>,
    {
        let mut backoff = Backoff::new();
        loop {
            let registration = self.registration().await;
            let answer = call(self.client.clone(), registration).await;
            self.note(registration, &answer);
            match answer {
                Ok(answer) => return Ok(answer),
                Err(CallError::Rejected(reason)) => return Err(reason),
                // The one who keeps the worker registered ends the worker.
                Err(CallError::Refused(_)) => std::future::pending::<()>().await,
                Err(CallError::Unknown | CallError::Busy(_) | CallError::Unreachable(_)) => {
                    backoff.wait().await;
                }
            }
        }
    }

    fn refuse(&self, reason: String) {
        self.standing.send_replace(Standing::Refused(reason));
    }

    fn went_through(&self) {
        if self.lost.swap(false, Ordering::Relaxed) {
            tracing::info!("the coordinator is found again");
            self.found.send_modify(|found| *found += 1);
        }
    }

    fn failed(&self, error: &CallError) {
        match error {
            CallError::Busy(reason) => tracing::debug!(reason, "the coordinator is busy"),
            error if self.lost.swap(true, Ordering::Relaxed) => {
                tracing::debug!(%error, "the coordinator is still lost");
            }
            error => tracing::warn!(%error, "the coordinator is lost; trying again"),
        }
    }
}
