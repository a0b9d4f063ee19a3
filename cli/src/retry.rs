//! Patience with a coordinator that is gone, since coordinators are restarted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tonic::{Code, Status};

use crate::client::{is_gone, told};

/// The pause before the first new attempt; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long attempts go on with a coordinator elsewhere.
const PATIENCE: Duration = Duration::from_mins(5);

/// The same with one inside the process: connections to it break when the process is stopped for
/// longer than they may be silent, as with Ctrl-Z or when a machine sleeps.
const PATIENCE_HERE: Duration = Duration::from_secs(10);

/// Makes calls again that failed because the coordinator is gone, for a time. Clones tell together,
/// once, that it is gone and that it is back.
#[derive(Clone)]
pub(crate) struct Retry(Arc<Link>);

struct Link {
    patience: Duration,
    is_lost: AtomicBool,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Retry {
    /// Patience with a coordinator elsewhere, or some with one inside the process; `tell` shows a line
    /// to the user.
    pub(crate) fn new(is_elsewhere: bool, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Link {
            patience: match is_elsewhere {
                true => PATIENCE,
                false => PATIENCE_HERE,
            },
            is_lost: AtomicBool::new(false),
            tell: Box::new(tell),
        }))
    }

    /// Makes a call until it gets through.
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

    /// After a stream broke: tells so, and waits a little. Fails if it will not come back.
    pub(crate) async fn broken(&self, error: Status) -> Result<(), Status> {
        if !is_gone(&error) {
            return Err(error);
        }
        self.lost(&error);
        tokio::time::sleep(FIRST_PAUSE).await;
        Ok(())
    }

    /// Whether a call was not answered by a coordinator that is known to be gone. One that never
    /// answered at all does not come back.
    fn is_late(&self, error: &Status) -> bool {
        error.code() == Code::DeadlineExceeded && self.0.is_lost.load(Ordering::Relaxed)
    }

    fn lost(&self, error: &Status) {
        if !self.0.is_lost.swap(true, Ordering::Relaxed) {
            let patience = match self.0.patience.as_secs() {
                seconds @ 0..60 => format!("{seconds} seconds"),
                seconds => format!("{} minutes", seconds / 60),
            };
            (self.0.tell)(&format!("trying again for {patience}: {}", told(error)));
        }
    }

    fn found(&self) {
        if self.0.is_lost.swap(false, Ordering::Relaxed) {
            (self.0.tell)("the coordinator is back");
        }
    }
}

/// The attempts at one call.
#[derive(Default)]
struct Attempts {
    made: u32,
    first: Option<Instant>,
}

impl Attempts {
    /// How long to wait before the next attempt; none if it has been tried for long enough.
    fn next(&mut self, now: Instant, patience: Duration) -> Option<Duration> {
        let first = *self.first.get_or_insert(now);
        if now.duration_since(first) >= patience {
            return None;
        }
        let pause = FIRST_PAUSE.saturating_mul(1 << self.made.min(16));
        self.made += 1;
        Some(pause.min(LONGEST_PAUSE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_bound_and_patience_ends() {
        let began = Instant::now();
        let (mut attempts, mut waited, mut pauses) =
            (Attempts::default(), Duration::ZERO, Vec::new());
        while let Some(pause) = attempts.next(began + waited, PATIENCE) {
            waited += pause;
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses[..6], [250, 500, 1000, 2000, 4000, 5000]);
        assert!(pauses.is_sorted() && pauses.last() == Some(&5000));
        assert!((PATIENCE..PATIENCE + LONGEST_PAUSE).contains(&waited));
    }
}
