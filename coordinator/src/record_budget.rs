//! The least worth of what workers send, so that a fleet stays within its budget of records.
//!
//! A large fleet proves more than a coordinator can store and send on. Most of that are facts that took little work,
//! and these save others the least. So while more records come than the budget allows, workers are asked to withhold
//! facts below a [`LeastWorth`], which doubles until the rest fits. It falls again when the fleet sends less than half
//! of what it may.

use std::time::{Duration, Instant};

use sproutnet_solver::play::LeastWorth;

const DAY: Duration = Duration::from_hours(24);

/// The time between two decisions. A worker learns of one within a second, and first sends what it has queued.
const PERIOD: Duration = Duration::from_secs(5);

/// So many periods in a row with less than half of the budget lower the least worth.
const CALM: u32 = 6;

/// The budget of so much time can be saved. A small fleet or a small computation that needs no more is free.
const MOST_SAVED: Duration = Duration::from_mins(10);

/// What is saved is spent at so many times the rate at most. Of the default budget, that is what a coordinator of two cores
/// can store and send on.
const MOST_SPENT: f64 = 4.0;

/// The budget of so much time can be owed. Until it is paid back, the least worth does not fall: then all that was
/// withheld at that worth comes at once, and may be much.
const MOST_OWED: Duration = Duration::from_hours(1);

/// A budget of records, and the least worth that keeps a fleet within it. The time is handed in.
#[derive(Clone, Debug)]
pub(crate) struct RecordBudget {
    /// In bytes a second. `None` if there is no budget.
    rate: Option<f64>,
    least: LeastWorth,
    /// What is saved, or owed if negative, in bytes.
    saved: f64,
    /// When the period began.
    began: Instant,
    /// What came in it, in bytes.
    came: u64,
    /// How many periods in a row were calm.
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

    /// Counts bytes of records that came, known ones too.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.came = self.came.saturating_add(bytes);
    }

    /// The least worth that was chosen last.
    pub(crate) fn last(&self) -> LeastWorth {
        self.least
    }

    /// The least worth from now on. To be asked some times a second.
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
            self.calm = match came < allowed / 2.0 {
                true => self.calm.saturating_add(1),
                false => 0,
            };
            let most = match self.saved > 0.0 {
                true => allowed * MOST_SPENT,
                false => allowed,
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
