//! Who proved what: each worker has a small number that stands for it in the store.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use sproutnet_common::store::number_of;

/// What is kept of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceOfRecords {
    /// The random number that the worker keeps across restarts.
    pub(crate) identity: u64,
    /// The name it gave first, for people to read.
    pub(crate) name: String,
    /// From where it called first.
    pub(crate) peer: String,
}

/// What the names of all sources start with.
pub(crate) const PREFIX: &str = "source/";

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

    /// The number of a source. With the name under which it is to be kept if it is new.
    pub(crate) fn number(&mut self, source: SourceOfRecords) -> (u32, Option<String>) {
        if let Some(&number) = self.by_identity.get(&source.identity) {
            return (number, None);
        }
        self.last += 1;
        self.by_identity.insert(source.identity, self.last);
        self.known.insert(self.last, source);
        (self.last, Some(format!("{PREFIX}{:010}", self.last)))
    }

    /// A source for people to read.
    pub(crate) fn describe(&self, source: u32) -> String {
        let number = number_of(source);
        match self.known.get(&number) {
            Some(SourceOfRecords { name, peer, .. }) => format!("{name} ({peer})"),
            None if number == 0 => "the coordinator".to_owned(),
            None => format!("source {number}"),
        }
    }
}
