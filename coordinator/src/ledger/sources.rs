//! Who proved what: each worker has a small number that stands for it in the store.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What is kept of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceOfRecords {
    /// The random number that the worker keeps across restarts.
    pub(crate) identity: u64,
    /// The name it gave first, for people to read.
    pub(crate) name: String,
    /// From where it called first.
    pub(crate) peer: String,
    /// The store's cursor before any record came in from it. Zero in stores of earlier versions.
    #[serde(default)]
    pub(crate) since: u64,
    /// Why nothing is taken from it any more, if so.
    #[serde(default)]
    pub(crate) aside: Option<Aside>,
}

/// That a source was set aside: nothing is taken from it any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// Why, for people to read.
    pub why: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// A document: its name, and what it says.
pub(crate) type SourceDocument = (String, SourceOfRecords);

/// What the names of all sources start with.
pub(crate) const PREFIX: &str = "source/";

fn name(number: u32) -> String {
    format!("{PREFIX}{number:010}")
}

/// All sources, by their numbers; 0 is this process.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    by_identity: HashMap<u64, u32>,
    known: HashMap<u32, SourceOfRecords>,
    last: u32,
}

impl Sources {
    /// Takes up a source that was kept under that name.
    pub(crate) fn restore(&mut self, name: &str, source: SourceOfRecords) -> Option<()> {
        let number: u32 = name.strip_prefix(PREFIX)?.parse().ok()?;
        self.last = self.last.max(number);
        self.by_identity.insert(source.identity, number);
        self.known.insert(number, source);
        Some(())
    }

    /// The number of the source with that identity, if it is known.
    pub(crate) fn known(&self, identity: u64) -> Option<u32> {
        self.by_identity.get(&identity).copied()
    }

    /// The number of a source. With the name under which it is to be kept if it is new.
    pub(crate) fn number(&mut self, source: SourceOfRecords) -> (u32, Option<String>) {
        if let Some(number) = self.known(source.identity) {
            return (number, None);
        }
        self.last += 1;
        self.by_identity.insert(source.identity, self.last);
        self.known.insert(self.last, source);
        (self.last, Some(name(self.last)))
    }

    /// A source.
    pub(crate) fn get(&self, number: u32) -> Option<&SourceOfRecords> {
        self.known.get(&number)
    }

    /// All sources, by their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &SourceOfRecords)> {
        self.known.iter().map(|(&number, source)| (number, source))
    }

    /// Takes it that what came in after a cursor is gone, and that a source was set aside, if one was.
    /// Returns the documents that changed.
    pub(crate) fn withdraw(
        &mut self,
        cursor: u64,
        aside: Option<(u32, &Aside)>,
    ) -> Vec<SourceDocument> {
        let mut changed = Vec::new();
        for (&number, source) in &mut self.known {
            let mut now = source.clone();
            // The numbers of blocks above may come up again.
            now.since = now.since.min(cursor);
            if let Some((set_aside, aside)) = aside
                && set_aside == number
            {
                now.aside = Some(aside.clone());
            }
            if now != *source {
                *source = now.clone();
                changed.push((name(number), now));
            }
        }
        changed
    }

    /// A source for people to read.
    pub(crate) fn describe(&self, number: u32) -> String {
        match self.known.get(&number) {
            Some(SourceOfRecords { name, peer, .. }) => format!("{name} ({peer})"),
            None if number == 0 => "the coordinator".to_owned(),
            None => format!("source {number}"),
        }
    }
}
