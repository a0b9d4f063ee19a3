//! Delays between retries.

use std::time::Duration;

/// Random delays between zero and a ceiling that doubles with each retry ("full jitter"), so that clients do not retry
/// in step when their coordinator returns.
///
/// The random numbers come from the thread's [`fastrand`] generator. Seed it for repeatable runs.
#[derive(Clone, Debug)]
pub struct Backoff {
    random: fastrand::Rng,
    ceiling: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new()
    }
}

impl Backoff {
    /// The ceiling of the first delay.
    const FIRST: Duration = Duration::from_millis(100);

    /// The highest ceiling.
    pub const LONGEST: Duration = Duration::from_secs(10);

    /// Delays that begin short.
    pub fn new() -> Self {
        Self {
            random: fastrand::Rng::new(),
            ceiling: Self::FIRST,
        }
    }

    /// The next delay. Doubles the ceiling.
    pub fn draw(&mut self) -> Duration {
        let ceiling = self.ceiling;
        self.ceiling = (ceiling * 2).min(Self::LONGEST);
        ceiling.mul_f64(self.random.f64())
    }

    /// Returns to short delays after a success.
    pub fn reset(&mut self) {
        self.ceiling = Self::FIRST;
    }

    /// Waits for the next delay.
    pub async fn wait(&mut self) {
        tokio::time::sleep(self.draw()).await;
    }
}

#[cfg(test)]
#[path = "backoff_tests.rs"]
mod tests;
