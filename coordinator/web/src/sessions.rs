//! Sign-in sessions.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A sign-in that was unused for this long ends.
pub(super) const LIFETIME: Duration = Duration::from_hours(30 * 24);

/// The maximum number of sign-ins; the least recently used one is dropped.
const MOST: usize = 1000;

/// A secret that stands for the token in a browser.
pub(super) type Secret = [u8; 32];

/// The secrets given out, and when each was last shown. They are lost when the coordinator ends.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<Secret, Instant>>);

impl Sessions {
    /// A new secret.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn begin(&self, now: Instant) -> Result<Secret, getrandom::Error> {
        let mut secret = Secret::default();
        getrandom::fill(&mut secret)?;
        let mut seen = self.seen();
        let oldest = seen.iter().min_by_key(|(_, seen)| **seen);
        if let Some((&oldest, _)) = oldest.filter(|_| seen.len() >= MOST) {
            seen.remove(&oldest);
        }
        seen.insert(secret, now);
        Ok(secret)
    }

    /// Whether somebody who shows this secret is signed in.
    pub(super) fn knows(&self, secret: &Secret, now: Instant) -> bool {
        let mut seen = self.seen();
        let Some(last) = seen.get_mut(secret) else {
            return false;
        };
        let is_good = now.saturating_duration_since(*last) <= LIFETIME;
        *last = if is_good { now } else { *last };
        is_good
    }

    /// Makes a secret worth nothing.
    pub(super) fn end(&self, secret: &Secret) {
        self.seen().remove(secret);
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<Secret, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A secret as a cookie holds it.
pub(super) fn written(secret: &Secret) -> String {
    secret.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The inverse of [`written`].
pub(super) fn read(text: &str) -> Option<Secret> {
    let mut secret = Secret::default();
    let pairs = text.as_bytes().chunks(2);
    if text.len() != 2 * secret.len() || !text.is_ascii() {
        return None;
    }
    for (byte, pair) in secret.iter_mut().zip(pairs) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(secret)
}

#[cfg(test)]
mod tests;
