//! Reads the files of a server's secrets again: at a signal, and soon after a file has changed.

use std::future::pending;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;
use sproutnet_system::figures::moment;
use tokio::signal::unix::Signal;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::listen::{Listening, Protection};
use crate::secrets::SecretsError;
use crate::tls::ServerTls;
use crate::tokens::Tokens;

/// The time between two looks at the files.
const EVERY: Duration = Duration::from_secs(30);

/// The time before the end of a certificate from which on the log warns of it, in seconds, and the time between two
/// warnings.
const WARN_BEFORE: u64 = 14 * 24 * 60 * 60;
const BETWEEN_WARNINGS: Duration = Duration::from_hours(24);

/// Reads files again into a [`Protection`], and all its clones.
#[derive(Debug)]
pub struct Reloader {
    protection: Protection,
    token_file: Option<PathBuf>,
    seen: Vec<Option<Version>>,
    warned: Option<Instant>,
}

/// The time of the last change, the size and the number of a file.
type Version = (i64, i64, u64, u64);

impl Reloader {
    /// For the files of a server.
    pub fn of(listening: &Listening) -> Self {
        Self::new(listening.protection.clone(), listening.token_file())
    }

    fn new(protection: Protection, token_file: Option<&Path>) -> Self {
        let mut reloader = Self {
            protection,
            token_file: token_file.map(Path::to_owned),
            seen: Vec::new(),
            warned: None,
        };
        reloader.seen = reloader.versions();
        reloader
    }

    /// Reads the files again whenever that is due, and warns of the end of the certificate. Does not end.
    pub async fn run(mut self, mut signal: Option<Signal>) {
        let mut looks = interval(EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let asked = async {
                match &mut signal {
                    Some(signal) => signal.recv().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                Some(()) = asked => {
                    self.seen = self.versions();
                    self.reload();
                }
                _ = looks.tick() => self.look(),
            }
        }
    }

    /// Reads the files again if one has changed.
    fn look(&mut self) {
        let now = self.versions();
        if now != self.seen {
            self.seen = now;
            self.reload();
        }
        self.warn_of_expiry(SystemTime::now());
    }

    /// Reads the files again. Those that cannot be used are logged, and their last content stays in use.
    fn reload(&mut self) {
        if let (Some(tokens), Some(file)) = (&self.protection.tokens, &self.token_file) {
            match Tokens::read(file) {
                Ok(read) => {
                    tokens.replace(&read);
                    let callers = read.callers().into_iter();
                    let callers: Vec<String> = callers
                        .map(|caller| format!("{} ({})", caller.name, caller.role))
                        .collect();
                    tracing::info!(tokens = callers.join(", "), "the tokens were read again");
                }
                Err(error) => kept("tokens", "ones stay", &error),
            }
        }
        if let Some(tls) = &self.protection.tls {
            match tls.reload() {
                Ok(()) => {
                    let expires_at = tls.expires_at().map(moment);
                    let expires_at = expires_at.map(|end| format_rfc3339_seconds(end).to_string());
                    tracing::info!(expires_at, "the TLS certificate was read again");
                    self.warned = None;
                    self.warn_of_expiry(SystemTime::now());
                }
                Err(error) => kept("TLS certificate", "one stays", &error),
            }
        }
        if self.protection.tokens.is_none() && self.protection.tls.is_none() {
            tracing::info!("there is no token or certificate to read again");
        }
    }

    /// Warns, at most once a day, if the certificate ends soon or has ended.
    fn warn_of_expiry(&mut self, now: SystemTime) {
        let tls = self.protection.tls.as_ref();
        let Some(end) = tls.and_then(ServerTls::expires_at) else {
            return;
        };
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let is_due = self
            .warned
            .is_none_or(|at| at.elapsed() >= BETWEEN_WARNINGS);
        if !is_due || end > now.saturating_add(WARN_BEFORE) {
            return;
        }
        self.warned = Some(Instant::now());
        if end <= now {
            let days = (now - end) / (24 * 60 * 60);
            tracing::error!(days, "the TLS certificate has expired; clients refuse it");
        } else {
            let days = (end - now) / (24 * 60 * 60);
            tracing::warn!(days, "the TLS certificate expires soon");
        }
    }

    /// The versions of all files, in a fixed order; `None` for one that cannot be found.
    fn versions(&self) -> Vec<Option<Version>> {
        let mut files: Vec<&Path> = self.token_file.as_deref().into_iter().collect();
        if let Some(tls) = &self.protection.tls {
            let of_tls = tls.files();
            files.extend([&*of_tls.certificate, &*of_tls.key]);
            files.extend(of_tls.client_ca.as_deref());
        }
        files.into_iter().map(version).collect()
    }
}

fn version(file: &Path) -> Option<Version> {
    let found = file.metadata().ok()?;
    Some((found.mtime(), found.mtime_nsec(), found.size(), found.ino()))
}

fn kept(what: &str, old: &str, error: &SecretsError) {
    tracing::error!("the {what} could not be read again, and the old {old} in use: {error}");
}

#[cfg(test)]
mod tests;
