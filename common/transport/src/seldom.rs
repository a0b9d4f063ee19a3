//! Says a thing seldom: at most once in a while for each key, in bounded memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Decides when a line about a key may be logged again. The clock is handed in.
pub(crate) struct Seldom<K> {
    every: Duration,
    room: usize,
    last: HashMap<K, Said>,
}

struct Said {
    at: Instant,
    silent: u64,
}

impl<K: Eq + Hash> Seldom<K> {
    /// One line in `every` for a key, for at most `room` keys at a time. Keys beyond that are silent.
    pub(crate) fn new(every: Duration, room: usize) -> Self {
        let last = HashMap::new();
        Self { every, room, last }
    }

    /// Whether to say it now; if so, how many times it was not said since the last line.
    pub(crate) fn say(&mut self, key: K, now: Instant) -> Option<u64> {
        let every = self.every;
        let due = |said: &Said| now.saturating_duration_since(said.at) >= every;
        if let Some(said) = self.last.get_mut(&key) {
            if due(said) {
                said.at = now;
                return Some(std::mem::take(&mut said.silent));
            }
            said.silent += 1;
            return None;
        }
        if self.last.len() >= self.room {
            self.last.retain(|_, said| !due(said));
        }
        if self.last.len() >= self.room {
            return None;
        }
        self.last.insert(key, Said { at: now, silent: 0 });
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_line_a_second_for_each_key() {
        let mut seldom = Seldom::new(SECOND, 8);
        let start = Instant::now();
        assert_eq!(seldom.say("a", start), Some(0));
        assert_eq!(seldom.say("a", start), None);
        assert_eq!(seldom.say("b", start), Some(0));
        assert_eq!(seldom.say("a", start + SECOND / 2), None);
        assert_eq!(seldom.say("a", start + SECOND), Some(2));
        assert_eq!(seldom.say("a", start + SECOND), None);
    }

    #[test]
    fn memory_is_bounded_and_found_again() {
        let mut seldom = Seldom::new(SECOND, 3);
        let start = Instant::now();
        let said = (0..1000).filter(|&key| seldom.say(key, start).is_some());
        assert_eq!(said.count(), 3);
        assert_eq!(seldom.last.len(), 3);
        assert_eq!(seldom.say(999, start + SECOND), Some(0));
        assert_eq!(seldom.last.len(), 1);
    }
}
