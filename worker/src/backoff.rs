//! Delays between retries.

use std::time::Duration;

/// Random delays between zero and a ceiling that doubles with each retry ("full jitter"). Workers
/// do not retry in step when their coordinator returns.
///
/// The random numbers come from the thread's [`fastrand`] generator. Seed it for repeatable runs.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    random: fastrand::Rng,
    ceiling: Duration,
}

impl Backoff {
    /// The ceiling of the first delay.
    const FIRST: Duration = Duration::from_millis(100);

    /// The highest ceiling.
    const LONGEST: Duration = Duration::from_secs(10);

    pub(crate) fn new() -> Self {
        Self {
            random: fastrand::Rng::new(),
            ceiling: Self::FIRST,
        }
    }

    /// The next delay. Doubles the ceiling.
    fn draw(&mut self) -> Duration {
        let ceiling = self.ceiling;
        self.ceiling = (ceiling * 2).min(Self::LONGEST);
        ceiling.mul_f64(self.random.f64())
    }

    /// Returns to short delays after a success.
    pub(crate) fn reset(&mut self) {
        self.ceiling = Self::FIRST;
    }

    /// Waits for the next delay.
    pub(crate) async fn wait(&mut self) {
        tokio::time::sleep(self.draw()).await;
    }
}

#[cfg(test)]
#[path = "backoff_tests.rs"]
mod tests;
