//! The least worth that the coordinator asks of the whole fleet, to stay within its budget of records.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sproutnet_solver::play::LeastWorth;
use tokio::time::Instant;

/// The shortest time between a change and a fall.
const BETWEEN_FALLS: Duration = Duration::from_secs(30);

/// The fleet's least worth. It rises at once, and falls step by step: a restarted coordinator asks for no limit at
/// first, and must not get all withheld facts at once.
#[derive(Debug, Default)]
pub(crate) struct FleetWorth(Mutex<Followed>);

#[derive(Clone, Copy, Debug, Default)]
struct Followed {
    least: LeastWorth,
    /// When `least` last changed.
    changed: Option<Instant>,
}

impl FleetWorth {
    /// Follows the least worth that the coordinator asks for. To be called at each renewal.
    pub(crate) fn ask(&self, asked: LeastWorth) {
        let mut followed = self.followed();
        let may_fall = followed
            .changed
            .is_none_or(|changed| changed.elapsed() >= BETWEEN_FALLS);
        let least = match asked < followed.least {
            true if may_fall => followed.least.lowered(),
            true => return,
            false => asked,
        };
        if least != followed.least {
            tracing::debug!(visits = least.visits(), "the fleet's least worth changes");
            *followed = Followed {
                least,
                changed: Some(Instant::now()),
            };
        }
    }

    /// Facts below this worth are not sent.
    pub(crate) fn least(&self) -> LeastWorth {
        self.followed().least
    }

    fn followed(&self) -> MutexGuard<'_, Followed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
