//! Limits repeated log lines: at most one in an interval for each key, in bounded memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Decides when a line about a key may be logged again. The caller supplies the time.
pub struct LogLimiter<K> {
    every: Duration,
    most_keys: usize,
    /// For each key, the time of the last logged line and the number of suppressed lines since then.
    last: HashMap<K, (Instant, u64)>,
}

impl<K: Eq + Hash> LogLimiter<K> {
    /// Allows one line in `every` for each of at most `most_keys` keys. Further keys are suppressed.
    pub fn new(every: Duration, most_keys: usize) -> Self {
        let last = HashMap::new();
        Self {
            every,
            most_keys,
            last,
        }
    }

    /// The number of lines suppressed since the last one, or `None` if this line must be suppressed, too.
    pub fn allow(&mut self, key: K, now: Instant) -> Option<u64> {
        let every = self.every;
        let is_due = |at: Instant| now.saturating_duration_since(at) >= every;
        if let Some((at, suppressed)) = self.last.get_mut(&key) {
            if is_due(*at) {
                *at = now;
                return Some(std::mem::take(suppressed));
            }
            *suppressed += 1;
            return None;
        }
        if self.last.len() >= self.most_keys {
            self.last.retain(|_, (at, _)| !is_due(*at));
        }
        if self.last.len() >= self.most_keys {
            return None;
        }
        self.last.insert(key, (now, 0));
        Some(0)
    }
}

#[cfg(test)]
mod tests;
