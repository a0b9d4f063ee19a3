//! The law by which running computations share the machine time of the workers.
//!
//! The *virtual time* of a computation is the machine time that it used, divided by its weight. The next job is one of
//! the computation with the least virtual time. So those that have jobs to give get machine time by their weights,
//! except for jobs that are still out. This is stride scheduling (Waldspurger and Weihl, 1995). Many jobs are out at a
//! time, so a job is charged its whole slice when it is leased, and what it used when it ends, as in start-time fair
//! queueing with depth (Jin, Chase and Kaur, 2004).
//!
//! A computation is *active* while it runs and has jobs to give. The time before it became active earns nothing: it
//! enters at the least virtual time of the active ones, or earlier by a head start, so that an easy position does not
//! wait for a hard one. All head starts together cost an older computation at most a quarter of what it used.
//!
//! The law is applied among computations of equal priority. If their owner has a [quota](super::quotas) and the weights
//! of their active computations exceed it together, the time of each counts more, so that together they are due as
//! often as one computation of that weight.

use std::time::Duration;

/// The maximum head start: this time, at the share of the computation that enters.
const HEAD_START: Duration = Duration::from_mins(1);

/// Head starts cost an older computation at most the time that it used, divided by this number.
const COST: u32 = 4;

/// How much machine time a computation gets, relative to others: 1 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u32);

impl Weight {
    /// The greatest weight.
    pub const GREATEST: u32 = 1000;

    /// A weight. `None` if it is not from 1 to [`Self::GREATEST`].
    pub fn new(weight: u32) -> Option<Self> {
        (1..=Self::GREATEST)
            .contains(&weight)
            .then_some(Self(weight))
    }

    /// As a number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl Default for Weight {
    /// The least.
    fn default() -> Self {
        Self(1)
    }
}

/// What one computation used, and when it is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    weight: Weight,
    is_active: bool,
    /// The machine time of the jobs that ended.
    used: Duration,
    /// `used` when another got a head start last.
    spared: Duration,
    /// The virtual time of the jobs that ended.
    settled: Duration,
    /// The virtual time charged for the jobs that are out.
    out: Duration,
}

/// The virtual time of a machine time: `parts` for each `weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rate {
    parts: u32,
    weight: u32,
}

impl Rate {
    fn of(self, time: Duration) -> Duration {
        time.saturating_mul(self.parts) / self.weight
    }
}

impl Default for Rate {
    /// That of the least weight.
    fn default() -> Self {
        Self {
            parts: 1,
            weight: 1,
        }
    }
}

/// The virtual time charged for a job, and the rate of the time that it will have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charge {
    time: Duration,
    rate: Rate,
}

/// A quota, and the weights of all active computations that it limits together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The quota.
    pub quota: Weight,
    /// The sum of the weights, that of the charged computation included.
    pub weights: u32,
}

impl Account {
    /// An account of a computation that used this much machine time before.
    pub fn new(weight: Weight, used: Duration) -> Self {
        Self {
            weight,
            used,
            spared: used,
            ..Self::default()
        }
    }

    /// The weight.
    pub fn weight(&self) -> Weight {
        self.weight
    }

    /// Changes the weight, from now on.
    pub fn set_weight(&mut self, weight: Weight) {
        self.weight = weight;
    }

    /// The machine time of the jobs that ended: seconds of one core.
    pub fn used(&self) -> Duration {
        self.used
    }

    /// Whether it runs and had jobs to give when it was asked last.
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// Its virtual time, with what is charged for the jobs that are out. The least is due first.
    pub fn due(&self) -> Duration {
        self.settled + self.out
    }

    /// Makes it active, among the `active` ones, on workers with `cores` cores together.
    pub fn enter(&mut self, active: &mut [&mut Self], cores: u32) {
        self.is_active = true;
        let Some(least) = active.iter().map(|other| other.settled).min() else {
            return;
        };
        let weights: u32 = active.iter().map(|other| other.weight.0).sum();
        let since = |other: &&mut Self| other.used.saturating_sub(other.spared);
        let spare = active.iter().map(since).min().unwrap_or_default();
        let of_share = HEAD_START * cores / weights.saturating_add(self.weight.0);
        let head_start = of_share.min(spare / COST / self.weight.0);
        // Time without jobs earns nothing beyond the head start, and time alone costs nothing.
        let earliest = least.saturating_sub(head_start);
        self.settled = self.settled.clamp(earliest, least);
        if self.settled < least {
            for other in active {
                other.spared = other.used;
            }
        }
    }

    /// Makes it inactive.
    pub fn leave(&mut self) {
        self.is_active = false;
    }

    /// Charges a job that is leased for at most this machine time. Where a quota is exceeded, time counts more by as
    /// much.
    pub fn charge(&mut self, slice: Duration, limited: Option<Limited>) -> Charge {
        let rate = match limited {
            Some(Limited { quota, weights }) if weights > quota.0 => Rate {
                parts: weights,
                weight: self.weight.0 * quota.0,
            },
            _ => Rate {
                parts: 1,
                weight: self.weight.0,
            },
        };
        let time = rate.of(slice);
        self.out += time;
        Charge { time, rate }
    }

    /// Replaces the charge of a job that ended by the machine time that it used.
    pub fn settle(&mut self, charge: Charge, used: Duration) {
        self.out = self.out.saturating_sub(charge.time);
        self.used = self.used.saturating_add(used);
        self.settled = self.settled.saturating_add(charge.rate.of(used));
    }
}

#[cfg(test)]
mod tests;
