//! The least worth of the facts that workers send, so that a fleet stays within its budget of records.
//!
//! A large fleet proves more facts than a coordinator can store and send on. Most of them took little work, and save
//! other workers little. So while more records arrive than the budget allows, workers are asked to withhold facts below
//! a [`LeastWorth`], which doubles until the rest fits. It falls again when the fleet sends less than half of its
//! budget.

use std::time::{Duration, Instant};

use sproutnet_solver::play::LeastWorth;

const DAY: Duration = Duration::from_hours(24);

/// The time between two decisions. A worker learns of one within a second, and first sends what it has queued.
const PERIOD: Duration = Duration::from_secs(5);

/// The number of periods in a row with less than half of the budget after which the least worth falls.
const CALM: u32 = 6;

/// The maximum saved budget, as a time. A small fleet or a small computation within it is never limited.
const MOST_SAVED: Duration = Duration::from_mins(10);

/// The maximum rate at which saved budget is spent, as a multiple of the budget's rate. With the default budget, a
/// coordinator of two cores can store and send on this rate.
const MOST_SPENT: f64 = 4.0;

/// The maximum owed budget, as a time. Until it is paid back, the least worth does not fall: when it falls, the facts
/// withheld at that worth arrive at once, and may be many.
const MOST_OWED: Duration = Duration::from_hours(1);

/// A budget of records, and the least worth that keeps a fleet within it. The caller passes the time.
#[derive(Clone, Debug)]
pub(crate) struct RecordBudget {
    /// The budget in bytes per second. `None` if there is no budget.
    rate: Option<f64>,
    least: LeastWorth,
    /// The saved budget in bytes; owed if negative.
    saved: f64,
    /// When the current period began.
    began: Instant,
    /// The bytes received in this period.
    came: u64,
    /// The number of calm periods in a row: those with less than half of the budget.
    calm: u32,
}

impl RecordBudget {
    /// A budget in bytes a day; `None` for no limit. It begins with all that can be saved.
    pub(crate) fn new(daily: Option<u64>, now: Instant) -> Self {
        let rate = daily.map(|bytes| bytes as f64 / DAY.as_secs_f64());
        Self {
            rate,
            least: LeastWorth::ALL,
            saved: rate.unwrap_or_default() * MOST_SAVED.as_secs_f64(),
            began: now,
            came: 0,
            calm: 0,
        }
    }

    /// No budget, but a least worth that stays.
    pub(crate) fn fixed(least: LeastWorth, now: Instant) -> Self {
        Self {
            least,
            ..Self::new(None, now)
        }
    }

    /// Counts received bytes of records, known ones included.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.came = self.came.saturating_add(bytes);
    }

    /// The least worth chosen last.
    pub(crate) fn last(&self) -> LeastWorth {
        self.least
    }

    /// The least worth from now on. To be called several times a second.
    pub(crate) fn least_worth(&mut self, now: Instant) -> LeastWorth {
        let passed = now.saturating_duration_since(self.began);
        if let Some(rate) = self.rate
            && passed >= PERIOD
        {
            let allowed = rate * passed.as_secs_f64();
            let came = std::mem::take(&mut self.came) as f64;
            self.began = now;
            let (most_owed, most_saved) = (MOST_OWED.as_secs_f64(), MOST_SAVED.as_secs_f64());
            let saved = self.saved + allowed - came;
            self.saved = saved.clamp(-rate * most_owed, rate * most_saved);
            self.calm = if came < allowed / 2.0 {
                self.calm.saturating_add(1)
            } else {
                0
            };
            let most = if self.saved > 0.0 {
                allowed * MOST_SPENT
            } else {
                allowed
            };
            if came > most {
                self.least = self.least.raised();
            } else if self.calm >= CALM && self.saved >= 0.0 {
                self.least = self.least.lowered();
                self.calm = 0;
            }
        }
        self.least
    }
}

#[cfg(test)]
#[path = "record_budget_tests.rs"]
mod tests;
