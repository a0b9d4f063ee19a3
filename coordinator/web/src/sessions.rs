//! Who has signed in with the token.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whoever was not seen for so long has to sign in again.
pub(super) const LIFETIME: Duration = Duration::from_hours(30 * 24);

/// The most that are signed in; the one longest not seen gives way.
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
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_good_until_it_ends_or_is_long_unseen() {
        let sessions = Sessions::default();
        let start = Instant::now();
        let (a, b) = (sessions.begin(start), sessions.begin(start));
        let (a, b) = (a.expect("random"), b.expect("random"));
        assert_ne!(a, b);
        assert!(sessions.knows(&a, start + LIFETIME));
        assert!(sessions.knows(&a, start + LIFETIME * 2));
        assert!(!sessions.knows(&b, start + LIFETIME * 2));
        assert!(!sessions.knows(&Secret::default(), start));
        sessions.end(&a);
        assert!(!sessions.knows(&a, start));
    }

    #[test]
    fn there_are_so_many_at_most() {
        let sessions = Sessions::default();
        let start = Instant::now();
        let first = sessions.begin(start).expect("random");
        let later = start + Duration::from_secs(1);
        for _ in 0..MOST {
            sessions.begin(later).expect("random");
        }
        assert_eq!(sessions.seen().len(), MOST);
        assert!(!sessions.knows(&first, later));
    }

    #[test]
    fn secrets_are_written_and_read() {
        let secret = [0xa5; 32];
        assert_eq!(read(&written(&secret)), Some(secret));
        for text in ["", "a5", &"g".repeat(64), &"é".repeat(32), &"a5".repeat(33)] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
