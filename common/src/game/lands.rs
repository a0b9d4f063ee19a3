//! The table of all lands met: each has a small number, and its options are generated once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::{HashSet, HashTable};
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_128;

use super::{ByLand, Game, Land, Position};

const SHARDS: usize = 64;

/// The number of a land in a [`Lands`] table. It means nothing outside that table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LandId(u32);

impl LandId {
    pub(super) fn index(self) -> u32 {
        self.0
    }
}

/// Interned lands of one game, with their options once these were asked for. Shared by threads.
pub struct Lands {
    game: Arc<dyn Game>,
    shards: [Mutex<HashTable<LandId>>; SHARDS],
    entries: ByLand<OnceLock<Entry>>,
    count: AtomicU32,
    expansions: AtomicU64,
}

struct Entry {
    land: Land,
    hash: u128,
    length: u32,
    options: OnceLock<Options>,
}

/// The options of a land, without repeats: each a sorted list of lands.
#[derive(Default)]
pub struct Options {
    lands: Box<[LandId]>,
    ends: Box<[u32]>,
}

impl Options {
    fn new(options: &HashSet<SmallVec<[LandId; 4]>, rustc_hash::FxBuildHasher>) -> Self {
        // Sorted, so that the order does not depend on the hash set.
        let mut sorted: Vec<_> = options.iter().collect();
        sorted.sort_unstable();
        let mut lands = Vec::new();
        let mut ends = Vec::with_capacity(sorted.len());
        for option in sorted {
            lands.extend_from_slice(option);
            ends.push(lands.len() as u32);
        }
        Self {
            lands: lands.into(),
            ends: ends.into(),
        }
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none, which no land's options are.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The options, each as its lands.
    pub fn iter(&self) -> impl Iterator<Item = &[LandId]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let option = &self.lands[start as usize..end as usize];
            start = end;
            option
        })
    }
}

impl Lands {
    /// An empty table for a game.
    pub fn new(game: Arc<dyn Game>) -> Self {
        Self {
            game,
            shards: [const { Mutex::new(HashTable::new()) }; SHARDS],
            entries: ByLand::default(),
            count: AtomicU32::new(0),
            expansions: AtomicU64::new(0),
        }
    }

    /// The game whose lands these are.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// The number of a land, given now if it has none yet.
    pub fn intern(&self, land: &Land) -> LandId {
        let hash = xxh3_128(land.as_bytes());
        let shard = &self.shards[(hash >> 64) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = shard.find(hash as u64, |&id| self.entry(id).land == *land) {
            return id;
        }
        let id = LandId(self.count.fetch_add(1, Ordering::Relaxed));
        let entry = Entry {
            land: land.clone(),
            hash,
            length: self.game.length(land),
            options: OnceLock::new(),
        };
        self.entries.get(id).get_or_init(|| entry);
        shard.insert_unique(hash as u64, id, |&id| self.entry(id).hash as u64);
        id
    }

    /// The numbers of a position's lands, sorted.
    pub fn intern_position(&self, position: &Position) -> SmallVec<[LandId; 4]> {
        let mut ids: SmallVec<_> = position.lands().iter().map(|l| self.intern(l)).collect();
        ids.sort_unstable();
        ids
    }

    /// The land of a number.
    pub fn land(&self, id: LandId) -> &Land {
        &self.entry(id).land
    }

    /// The position that consists of these lands.
    pub fn position(&self, ids: &[LandId]) -> Position {
        Position::new(ids.iter().map(|&id| self.land(id).clone()).collect())
    }

    /// A hash of the land's canonical bytes, the same in every process.
    pub fn hash(&self, id: LandId) -> u128 {
        self.entry(id).hash
    }

    /// See [`Game::length`].
    pub fn length(&self, id: LandId) -> u32 {
        self.entry(id).length
    }

    /// The land's options if they were generated before.
    pub fn known_options(&self, id: LandId) -> Option<&Options> {
        self.entry(id).options.get()
    }

    /// The land's options, generated at the first call. `None` if `stop` became true meanwhile.
    pub fn options(&self, id: LandId, stop: &dyn Fn() -> bool) -> Option<&Options> {
        let entry = self.entry(id);
        if let Some(options) = entry.options.get() {
            return Some(options);
        }
        let mut distinct = HashSet::default();
        let mut handed_over = 0u32;
        let end = self.game.options(&entry.land, &mut |position| {
            distinct.insert(self.intern_position(&position));
            handed_over += 1;
            if handed_over.is_multiple_of(256) && stop() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if end.is_break() {
            return None;
        }
        self.expansions.fetch_add(1, Ordering::Relaxed);
        Some(entry.options.get_or_init(|| Options::new(&distinct)))
    }

    /// How many lands have a number.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// Whether no land has a number yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many lands had their options generated.
    pub fn expansions(&self) -> u64 {
        self.expansions.load(Ordering::Relaxed)
    }

    fn entry(&self, id: LandId) -> &Entry {
        let slot = self.entries.get(id).get();
        slot.expect("an id is handed out only after its entry was filled")
    }
}
