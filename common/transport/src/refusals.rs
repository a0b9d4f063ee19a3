//! The log of refused calls and requests: at most one line a second for each machine, in bounded memory.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::log_limiter::LogLimiter;

/// The time between two logged refusals of one machine.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// The maximum number of machines whose refusals are logged at a time.
const MACHINES: usize = 256;

/// Logs refusals. Clones share their limits.
#[derive(Clone)]
pub struct Refusals(Arc<Mutex<LogLimiter<Option<IpAddr>>>>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LogLimiter::new(LOG_EVERY, MACHINES))))
    }
}

impl Refusals {
    /// Logs a refusal, unless one of the same machine was logged just now. `peer` is `None` if it is unknown.
    pub fn log(&self, peer: Option<SocketAddr>, path: &str, why: &str) {
        // Each connection has a new port, so the address alone identifies a machine.
        let machine = peer.map(|peer| peer.ip().to_canonical());
        let mut limiter = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(suppressed) = limiter.allow(machine, Instant::now()) {
            let peer = peer.map_or_else(|| "a pipe".to_owned(), |peer| peer.to_string());
            tracing::warn!(peer, path, suppressed, "a call is refused: {why}");
        }
    }
}
