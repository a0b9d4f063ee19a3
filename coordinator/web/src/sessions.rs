//! Sign-in sessions.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time without use after which a session ends.
pub(super) const LIFETIME: Duration = Duration::from_hours(30 * 24);

/// The maximum number of sessions; the least recently used one is dropped.
const MOST: usize = 1000;

/// The secrets of the sessions, which stand for tokens in browsers. They are lost when the coordinator ends.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Session>>);

struct Session {
    /// The token that it began with.
    token: Box<str>,
    /// The time of its last use.
    used: Instant,
}

impl Sessions {
    /// Begins a session with a token. Returns its secret.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn begin(&self, token: &str, now: Instant) -> Result<String, getrandom::Error> {
        let secret = random::<32>()?;
        let mut sessions = self.sessions();
        let oldest = sessions.iter().min_by_key(|(_, session)| session.used);
        if let Some(oldest) = oldest.filter(|_| sessions.len() >= MOST) {
            let oldest = oldest.0.clone();
            sessions.remove(&oldest);
        }
        let session = Session {
            token: token.into(),
            used: now,
        };
        sessions.insert(secret.clone(), session);
        Ok(secret)
    }

    /// The token that the session with this secret began with.
    pub(super) fn token(&self, secret: &str, now: Instant) -> Option<Box<str>> {
        let mut sessions = self.sessions();
        let session = sessions.get_mut(secret)?;
        if now.saturating_duration_since(session.used) > LIFETIME {
            return None;
        }
        session.used = now;
        Some(session.token.clone())
    }

    /// Ends the session with this secret.
    pub(super) fn end(&self, secret: &str) {
        self.sessions().remove(secret);
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Session>> {
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
