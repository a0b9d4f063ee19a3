//! Sign-in sessions.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time without use after which a session ends.
pub(super) const LIFETIME: Duration = Duration::from_hours(30 * 24);

/// The maximum number of sessions; the least recently used one is dropped.
const MOST: usize = 1000;

/// The secrets of the sessions, which stand for the token in browsers, each with the time of its last use. They are
/// lost when the coordinator ends.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Instant>>);

impl Sessions {
    /// Begins a session. Returns its secret.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn begin(&self, now: Instant) -> Result<String, getrandom::Error> {
        let secret = random::<32>()?;
        let mut used = self.used();
        let oldest = used.iter().min_by_key(|(_, used)| **used);
        if let Some(oldest) = oldest.filter(|_| used.len() >= MOST) {
            let oldest = oldest.0.clone();
            used.remove(&oldest);
        }
        used.insert(secret.clone(), now);
        Ok(secret)
    }

    /// Whether a session has this secret.
    pub(super) fn knows(&self, secret: &str, now: Instant) -> bool {
        let mut used = self.used();
        let last = used.get_mut(secret);
        let last = last.filter(|last| now.saturating_duration_since(**last) <= LIFETIME);
        last.map(|last| *last = now).is_some()
    }

    /// Ends the session with this secret.
    pub(super) fn end(&self, secret: &str) {
        self.used().remove(secret);
    }

    fn used(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Random bytes in hexadecimal.
///
/// # Errors
/// The system gives no random numbers.
pub(super) fn random<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests;
