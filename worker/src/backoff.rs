//! How long to wait before a call is made again.

use std::time::Duration;

/// Waits before repetitions: drawn at random from zero up to a ceiling that doubles with each one
/// ("full jitter"), so that many workers whose coordinator comes back do not call it in step.
///
/// The draws come from the generator of the thread, [`fastrand`]: seed that for a run that can be
/// repeated.
#[derive(Clone, Debug)]
pub struct Backoff {
    random: fastrand::Rng,
    ceiling: Duration,
}

impl Backoff {
    /// The ceiling of the first wait.
    pub const FIRST: Duration = Duration::from_millis(100);

    /// The ceiling of all later waits is at most this.
    pub const LONGEST: Duration = Duration::from_secs(10);

    /// Begins with short waits.
    pub fn new() -> Self {
        Self::with(fastrand::Rng::new())
    }

    /// The same waits for the same seed.
    pub fn seeded(seed: u64) -> Self {
        Self::with(fastrand::Rng::with_seed(seed))
    }

    fn with(random: fastrand::Rng) -> Self {
        let ceiling = Self::FIRST;
        Self { random, ceiling }
    }

    /// The next wait. The ceiling doubles.
    pub fn draw(&mut self) -> Duration {
        let ceiling = self.ceiling;
        self.ceiling = (ceiling * 2).min(Self::LONGEST);
        ceiling.mul_f64(self.random.f64())
    }

    /// Begins with short waits again: something succeeded.
    pub fn reset(&mut self) {
        self.ceiling = Self::FIRST;
    }

    /// Waits.
    pub(crate) async fn wait(&mut self) {
        tokio::time::sleep(self.draw()).await;
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_random_below_a_ceiling_that_doubles_up_to_a_limit() {
        let mut ceiling = Backoff::FIRST;
        let mut backoffs: Vec<Backoff> = (0..100).map(Backoff::seeded).collect();
        for _ in 0..12 {
            let waits: Vec<_> = backoffs.iter_mut().map(Backoff::draw).collect();
            assert!(waits.iter().all(|wait| *wait <= ceiling), "{waits:?}");
            let (least, most) = (waits.iter().min(), waits.iter().max());
            assert!(least < Some(&(ceiling / 4)), "{waits:?}");
            assert!(most > Some(&(ceiling * 3 / 4)), "{waits:?}");
            ceiling = (ceiling * 2).min(Backoff::LONGEST);
        }
        assert_eq!(ceiling, Backoff::LONGEST);
    }

    #[test]
    fn a_success_makes_waits_short_again() {
        let mut backoff = Backoff::seeded(1);
        for _ in 0..20 {
            backoff.draw();
        }
        backoff.reset();
        assert!(backoff.draw() <= Backoff::FIRST);
    }

    #[test]
    fn a_seed_fixes_all_waits() {
        let draws = |mut backoff: Backoff| (0..9).map(|_| backoff.draw()).collect::<Vec<_>>();
        assert_eq!(draws(Backoff::seeded(7)), draws(Backoff::seeded(7)));
        assert_ne!(draws(Backoff::seeded(7)), draws(Backoff::seeded(8)));
    }
}
