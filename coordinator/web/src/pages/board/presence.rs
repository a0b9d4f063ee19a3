//! Which players of matches between two devices have the page open. The event streams of their pages say so; it is kept
//! in memory only. After a restart nothing is known of a player until the page connects again.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::watch;

/// The time for which a player who left is remembered.
const REMEMBERED: Duration = Duration::from_hours(24);

/// The presence of the players of all matches.
pub(in crate::pages) struct Presence {
    matches: Mutex<HashMap<String, [Player; 2]>>,
    changes: watch::Sender<u64>,
}

/// A player of a match.
#[derive(Clone, Copy, Default)]
struct Player {
    /// The number of open pages.
    pages: usize,
    /// The time at which a page was closed last.
    left: Option<Instant>,
}

/// What is known of the two players of a match.
pub(super) type Players = [Seen; 2];

/// What is known of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Seen {
    #[default]
    Never,
    /// A page is open.
    Here,
    /// The last page was closed then.
    Left(Instant),
}

/// What a page is told of a player.
#[derive(Serialize)]
pub(super) struct Told {
    here: bool,
    /// The time since the last page was closed; `None` if none was.
    left_seconds_ago: Option<u64>,
}

/// An open page of a player; closed when it is dropped.
pub(super) struct OpenPage {
    presence: Arc<Presence>,
    name: String,
    side: usize,
}

impl Default for Presence {
    fn default() -> Self {
        Self {
            matches: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl Presence {
    /// A player, with the index `side`, opens the page of the match with this name.
    pub(super) fn open(self: &Arc<Self>, name: &str, side: usize, now: Instant) -> OpenPage {
        let mut matches = self.matches();
        matches.retain(|_, players| players.iter().any(|player| player.is_remembered(now)));
        matches.entry(name.to_owned()).or_default()[side].pages += 1;
        drop(matches);
        self.changes.send_modify(|count| *count += 1);
        OpenPage {
            presence: Arc::clone(self),
            name: name.to_owned(),
            side,
        }
    }

    /// What is known of the players of a match.
    pub(super) fn of(&self, name: &str) -> Players {
        let players = self.matches().get(name).copied().unwrap_or_default();
        players.map(|player| match player.left {
            _ if player.pages > 0 => Seen::Here,
            None => Seen::Never,
            Some(left) => Seen::Left(left),
        })
    }

    /// Changes whenever a player comes or leaves.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn matches(&self) -> MutexGuard<'_, HashMap<String, [Player; 2]>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Player {
    fn is_remembered(&self, now: Instant) -> bool {
        let is_recent = |left| now.saturating_duration_since(left) < REMEMBERED;
        self.pages > 0 || self.left.is_some_and(is_recent)
    }
}

impl Seen {
    /// What a page is told now.
    pub(super) fn told(self, now: Instant) -> Told {
        let left = match self {
            Self::Left(left) => Some(left),
            Self::Never | Self::Here => None,
        };
        Told {
            here: self == Self::Here,
            left_seconds_ago: left.map(|left| now.saturating_duration_since(left).as_secs()),
        }
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        let mut matches = self.presence.matches();
        let name = mem::take(&mut self.name);
        let player = &mut matches.entry(name).or_default()[self.side];
        player.pages = player.pages.saturating_sub(1);
        player.left = Some(Instant::now());
        drop(matches);
        self.presence.changes.send_modify(|count| *count += 1);
    }
}

#[cfg(test)]
mod tests;
