//! Retries while a coordinator is unreachable, because a coordinator may be restarted at any time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sproutnet_transport::backoff::Backoff;
use tonic::{Code, Status};

use crate::remote::client::{explain, is_gone};

/// The pause after a stream broke.
const PAUSE: Duration = Duration::from_millis(250);

/// The time for which a call to a remote coordinator is retried.
const PATIENCE: Duration = Duration::from_mins(5);

/// The same for a coordinator in this process. It is there as long as the process: its connections break, and its answers
/// are late, when the process is suspended, by Ctrl-Z or because the machine sleeps, or gets too little processor time.
const PATIENCE_HERE: Duration = Duration::from_mins(30);

/// Retries calls while the coordinator is unreachable. Clones share one notice of the loss and one of the return.
#[derive(Clone)]
pub(crate) struct Retry(Arc<Link>);

struct Link {
    patience: Duration,
    /// Whether a late answer is waited for, although the coordinator was not lost before.
    waits_when_late: bool,
    /// Whether the coordinator was unreachable at the last attempt. Only the first failure is shown to the user.
    is_lost: AtomicBool,
    notify: Box<dyn Fn(&str) + Send + Sync>,
}

impl Retry {
    /// Retries for a remote or a local coordinator; `notify` shows a line to the user.
    pub(crate) fn new(is_elsewhere: bool, notify: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let patience = if is_elsewhere {
            PATIENCE
        } else {
            PATIENCE_HERE
        };
        Self::with(patience, !is_elsewhere, notify)
    }

    /// Retries for as long as it takes.
    pub(crate) fn for_ever(notify: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self::with(Duration::MAX, false, notify)
    }

    fn with(
        patience: Duration,
        waits_when_late: bool,
        notify: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Link {
            patience,
            waits_when_late,
            is_lost: AtomicBool::new(false),
            notify: Box::new(notify),
        }))
    }

    /// Makes a call, with retries.
    pub(crate) async fn call<T, F>(&self, mut call: impl FnMut() -> F) -> Result<T, Status>
    where
        F: Future<Output = Result<T, Status>>,
    {
        let mut attempts = Attempts::default();
        loop {
            let error = match call().await {
                Err(error) if is_gone(&error) || self.is_late(&error) => error,
                answer => {
                    self.found();
                    return answer;
                }
            };
            let Some(pause) = attempts.next(Instant::now(), self.0.patience) else {
                return Err(error);
            };
            self.lost(&error);
            tokio::time::sleep(pause).await;
        }
    }

    /// Handles a broken stream: notifies the user and pauses. Fails if the error is permanent.
    pub(crate) async fn broken(&self, error: Status) -> Result<(), Status> {
        if !is_gone(&error) {
            return Err(error);
        }
        self.lost(&error);
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }

    /// Whether a call timed out that is retried: to a coordinator in this process, or after the coordinator was lost.
    fn is_late(&self, error: &Status) -> bool {
        let is_late = error.code() == Code::DeadlineExceeded;
        is_late && (self.0.waits_when_late || self.0.is_lost.load(Ordering::Relaxed))
    }

    fn lost(&self, error: &Status) {
        if !self.0.is_lost.swap(true, Ordering::Relaxed) {
            let patience = match self.0.patience {
                Duration::MAX => "until the coordinator is back".to_owned(),
                patience if patience < Duration::from_mins(1) => {
                    format!("for {} seconds", patience.as_secs())
                }
                patience => format!("for {} minutes", patience.as_secs() / 60),
            };
            (self.0.notify)(&format!("trying again {patience}: {}", explain(error)));
        }
    }

    fn found(&self) {
        if self.0.is_lost.swap(false, Ordering::Relaxed) {
            (self.0.notify)("the coordinator is back");
        }
    }
}

/// The attempts at one call.
#[derive(Default)]
struct Attempts {
    backoff: Backoff,
    /// The time of the first failure.
    first: Option<Instant>,
}

impl Attempts {
    /// The pause before the next attempt; `None` if patience is exhausted.
    fn next(&mut self, now: Instant, patience: Duration) -> Option<Duration> {
        let first = *self.first.get_or_insert(now);
        (now.duration_since(first) < patience).then(|| self.backoff.draw())
    }
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
