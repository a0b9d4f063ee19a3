//! Matches between two people, each on a device of their own.
//!
//! The name of a match gives access to view it; each player also has a secret. The callers make both at random. They
//! also know the rules: here, moves are plain texts.
//!
//! **Invariant:** readers see a match only as it is on disk. A change that cannot be written is refused, without
//! effect.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sproutnet_solver::play::Play;
use tokio::sync::watch;

use super::core::Core;
use super::lifetime;
use crate::CoordinatorError;
use crate::ledger::{Ledger, WriteRequest};
use crate::locks::{Lock, Rank};

/// The prefix of the document names.
const PREFIX: &str = "match/";

/// A match between two people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMatch {
    /// The start position, as text.
    pub start: String,
    /// The convention.
    pub play: Play,
    /// The moves, as text.
    pub moves: Vec<String>,
    /// The secrets of the two players; `None` while the place is free.
    pub players: [Option<String>; 2],
    /// The index of the player who resigned. Matches of earlier versions have none.
    #[serde(default)]
    pub resigned: Option<usize>,
    /// The name of the match that a player offered as a rematch.
    #[serde(default)]
    pub rematch: Option<String>,
    /// The time of the last change, in seconds since 1970.
    pub changed_at: u64,
}

impl SharedMatch {
    /// The number of changes: one for each player, each move, a resignation and a rematch.
    pub fn version(&self) -> usize {
        let players = self.players.iter().flatten().count();
        let ends = [self.resigned.is_some(), self.rematch.is_some()];
        self.moves.len() + players + ends.into_iter().map(usize::from).sum::<usize>()
    }

    /// The player with this secret: 0 for the player who began the match.
    pub fn player(&self, secret: &str) -> Option<usize> {
        let is_theirs = |of: &Option<String>| of.as_deref() == Some(secret);
        self.players.iter().position(is_theirs)
    }
}

/// A match, or `None` once it is removed. It is locked while a change is written to disk.
type Entry = Arc<Lock<Option<SharedMatch>>>;

/// Matches between two people. While a change is written to disk, only calls about the same match wait.
pub struct Matches {
    core: Arc<Core>,
    all: Lock<BTreeMap<String, Entry>>,
    changes: watch::Sender<u64>,
}

impl Matches {
    /// The matches in the store, by name.
    pub(super) fn restore(
        ledger: &Ledger,
    ) -> Result<BTreeMap<String, SharedMatch>, CoordinatorError> {
        let kept = ledger.documents(PREFIX);
        let name = |(name, of): (String, SharedMatch)| (name[PREFIX.len()..].to_owned(), of);
        kept.map(|found| found.map(name)).collect()
    }

    pub(super) fn new(core: Arc<Core>, all: BTreeMap<String, SharedMatch>) -> Self {
        let entry = |(name, of)| (name, entry(of));
        Self {
            core,
            all: Lock::new(Rank::Matches, all.into_iter().map(entry).collect()),
            changes: watch::Sender::new(0),
        }
    }

    /// Begins a match with this name. `secret` is that of the player with the index `side`.
    ///
    /// # Errors
    /// [`CoordinatorError::Full`] if there are too many; the disk is full; the store failed.
    pub fn begin(
        &self,
        name: &str,
        secret: &str,
        side: usize,
        start: &str,
        play: Play,
    ) -> Result<(), CoordinatorError> {
        let now = crate::seconds_since_1970();
        let forgotten = forgotten(&self.all.lock(), now)?;
        let entries: Vec<Entry> = {
            let all = self.all.lock();
            let entries = forgotten.iter().filter_map(|name| all.get(name));
            entries.cloned().collect()
        };
        // Locked until they are removed, so that no move is lost.
        let mut ended: Vec<_> = entries.iter().map(|entry| entry.lock()).collect();
        let mut request = WriteRequest::default();
        let new = SharedMatch {
            start: start.to_owned(),
            play,
            moves: Vec::new(),
            players: [0, 1].map(|seat| (seat == side).then(|| secret.to_owned())),
            resigned: None,
            rematch: None,
            changed_at: now,
        };
        request.document(format!("{PREFIX}{name}"), &new)?;
        let documents = forgotten.iter().map(|name| format!("{PREFIX}{name}"));
        request.removed = documents.collect();
        self.core.ledger.commit(request)?;
        for of in &mut ended {
            **of = None;
        }
        drop(ended);
        let mut all = self.all.lock();
        all.retain(|name, _| !forgotten.contains(name));
        all.insert(name.to_owned(), entry(new));
        Ok(())
    }

    /// A match as it is now.
    pub fn get(&self, name: &str) -> Option<SharedMatch> {
        let entry = self.all.lock().get(name).cloned()?;
        entry.lock().clone()
    }

    /// Takes the free place of a player, with this secret. Returns whether there was one.
    ///
    /// # Errors
    /// There is no such match; the disk is full; the store failed.
    pub fn join(&self, name: &str, secret: &str) -> Result<bool, CoordinatorError> {
        self.change(name, |of| {
            let free = of.players.iter_mut().find(|player| player.is_none());
            let is_free = free.is_some();
            if let Some(seat) = free {
                *seat = Some(secret.to_owned());
            }
            is_free
        })
    }

    /// Adds a move if exactly `before` moves were made before and nobody resigned. Returns whether it did.
    ///
    /// # Errors
    /// There is no such match; the disk is full; the store failed.
    pub fn add(&self, name: &str, before: usize, made: String) -> Result<bool, CoordinatorError> {
        self.change(name, |of| {
            let is_next = of.moves.len() == before && of.resigned.is_none();
            if is_next {
                of.moves.push(made);
            }
            is_next
        })
    }

    /// The player with the index `side` resigns, if exactly `before` moves were made before and nobody resigned.
    /// Returns whether the player did.
    ///
    /// # Errors
    /// There is no such match; the disk is full; the store failed.
    pub fn resign(&self, name: &str, before: usize, side: usize) -> Result<bool, CoordinatorError> {
        self.change(name, |of| {
            let is_next = of.moves.len() == before && of.resigned.is_none();
            if is_next {
                of.resigned = Some(side);
            }
            is_next
        })
    }

    /// Offers a match as the rematch of another, in place of the one that was offered before. Returns whether it did:
    /// the other player may have been faster.
    ///
    /// # Errors
    /// There is no match with this `name`; the disk is full; the store failed.
    pub fn offer(
        &self,
        name: &str,
        before: Option<&str>,
        rematch: &str,
    ) -> Result<bool, CoordinatorError> {
        self.change(name, |of| {
            let is_next = of.rematch.as_deref() == before;
            if is_next {
                of.rematch = Some(rematch.to_owned());
            }
            is_next
        })
    }

    /// Changes whenever a match does.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Changes a match, on disk first. No effect if `change` returns false.
    fn change(
        &self,
        name: &str,
        change: impl FnOnce(&mut SharedMatch) -> bool,
    ) -> Result<bool, CoordinatorError> {
        let unknown = || CoordinatorError::Unknown("match");
        let entry = self.all.lock().get(name).cloned().ok_or_else(unknown)?;
        let mut entry = entry.lock();
        let of = entry.as_mut().ok_or_else(unknown)?;
        let mut changed = of.clone();
        if !change(&mut changed) {
            return Ok(false);
        }
        changed.changed_at = crate::seconds_since_1970();
        let mut request = WriteRequest::default();
        request.document(format!("{PREFIX}{name}"), &changed)?;
        self.core.ledger.commit(request)?;
        *of = changed;
        drop(entry);
        self.changes.send_modify(|count| *count += 1);
        Ok(true)
    }
}

fn entry(of: SharedMatch) -> Entry {
    Arc::new(Lock::new(Rank::Match, Some(of)))
}

/// The matches to remove when another one begins.
fn forgotten(all: &BTreeMap<String, Entry>, now: u64) -> Result<Vec<String>, CoordinatorError> {
    // A locked match is in use.
    let changed_at = |of: &Entry| of.try_lock()?.as_ref().map(|of| of.changed_at);
    let idle_for = |of: &Entry| changed_at(of).map_or(0, |then| now.saturating_sub(then));
    lifetime::forgotten(
        all.iter().map(|(name, of)| (idle_for(of), name)),
        "too many matches are played here; try again tomorrow",
    )
}

#[cfg(test)]
mod tests;
