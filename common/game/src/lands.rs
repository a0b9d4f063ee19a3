//! The table of all known lands. Each has a small number and, once all are generated, its options.

mod seen;

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::HashTable;
use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_128;

use super::options::{AcceptAll, Collector, NewLand, Options, PartialExpansion, Visitor};
use super::{EncodingError, Game, Generator, Land, Position};
use crate::encodings::{Encodings, Span};
use crate::keyed::KeyedLands;
use crate::slots::{Numbered, Slots};
use seen::SeenHashes;

const SHARDS: usize = 64;

/// The maximum number of moves of a land that gets a number as soon as it is met in an option: there are few such
/// lands.
pub(super) const SMALL: u32 = 5;

thread_local! {
    static EXPANSIONS: Cell<u64> = const { Cell::new(0) };
}

/// The number of expansions by this thread, in all tables. Each generates the options of a land.
pub fn expansions_by_this_thread() -> u64 {
    EXPANSIONS.get()
}

/// The number of a land in a [`Lands`] table. It has no meaning outside that table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LandId(pub(super) u32);

/// One `T` per land, created by `T::default()`. Shared by threads, which may add lands at the same time.
#[derive(Default)]
pub struct ByLand<T>(Slots<T>);

impl<T: Default> ByLand<T> {
    /// The slot of a land.
    #[inline]
    pub fn get(&self, land: LandId) -> &T {
        self.0.at(land.0)
    }

    /// The memory of all slots, in bytes, without memory behind pointers.
    pub fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// The interned lands of one game, with their options. Shared by threads.
pub struct Lands {
    game: Arc<dyn Game>,
    generator: Arc<dyn Generator>,
    /// The table below this one, if any. It has the entries and the encodings, and this one has none.
    common: Option<Common>,
    shards: [Mutex<HashTable<LandId>>; SHARDS],
    seen: SeenHashes,
    /// Lands by the keys of the generator.
    pub(super) keyed: KeyedLands,
    entries: ByLand<OnceLock<Entry>>,
    count: AtomicU32,
    encodings: Encodings,
    /// The options of expanded lands, by their numbers in the entries.
    expanded: Numbered<Options>,
    /// The memory of the options, in bytes.
    bytes_held: AtomicUsize,
}

/// A land of an option: its number or, if it has none, its hash.
pub(super) enum Found {
    Numbered(LandId),
    New(u128),
}

struct Entry {
    encoding: Span,
    /// The hash as bytes, since a `u128` would align entries to 16 bytes.
    hash: [u8; 16],
    max_moves: u32,
    /// The number of its options in the table, from 1 on; 0 before it is expanded. Most lands never are.
    options: AtomicU32,
}

/// A table below others, and the additions of one of these.
struct Common {
    lands: Arc<Lands>,
    numbers: ByLand<Numbers>,
}

/// The data for each land of a table over another one.
#[derive(Default)]
struct Numbers {
    /// The number of the land in the other table.
    land: AtomicU32,
    /// As in an [`Entry`].
    options: AtomicU32,
}

impl Common {
    /// The number in the common table of the land `id` here.
    #[inline]
    fn number(&self, id: LandId) -> LandId {
        LandId(self.numbers.get(id).land.load(Ordering::Relaxed))
    }
}

impl Lands {
    /// An empty table for a game.
    pub fn new(game: Arc<dyn Game>) -> Self {
        Self::with(game.generator().into(), game, None)
    }

    /// An empty table that keeps the encodings of its lands in `lands`, and uses the generator of `lands`. Several
    /// tables over the same one take less memory together. Each gives numbers and generates options as if it were
    /// alone, except that a generator that has met more lands may pass equally large options in another order.
    pub fn over(lands: Arc<Lands>) -> Self {
        let lands = match &lands.common {
            None => lands,
            Some(common) => Arc::clone(&common.lands),
        };
        let generator = Arc::clone(&lands.generator);
        let game = Arc::clone(&lands.game);
        let numbers = ByLand::default();
        Self::with(generator, game, Some(Common { lands, numbers }))
    }

    fn with(generator: Arc<dyn Generator>, game: Arc<dyn Game>, common: Option<Common>) -> Self {
        Self {
            game,
            generator,
            common,
            shards: [const { Mutex::new(HashTable::new()) }; SHARDS],
            seen: SeenHashes::empty(),
            keyed: KeyedLands::default(),
            entries: ByLand::default(),
            count: AtomicU32::new(0),
            encodings: Encodings::default(),
            expanded: Numbered::default(),
            bytes_held: AtomicUsize::new(0),
        }
    }

    /// The game whose lands these are.
    #[inline]
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// The hash of a land's canonical bytes, the same in every process.
    pub fn hash_of(canonical: &[u8]) -> u128 {
        xxh3_128(canonical)
    }

    /// The number of a land. The land gets one if it has none yet.
    pub fn intern(&self, land: &Land) -> LandId {
        let hash = Self::hash_of(land.as_bytes());
        let known = self.find_land(hash, land.as_bytes());
        known.unwrap_or_else(|| self.insert_alone(hash, land.as_bytes(), self.game.max_moves(land)))
    }

    /// The number of the land with this hash and these canonical bytes, if it has one.
    fn find_land(&self, hash: u128, canonical: &[u8]) -> Option<LandId> {
        let is_it = |&id: &LandId| self.encoding(id) == canonical;
        self.shard(hash).find(hash as u64, is_it).copied()
    }

    /// Finds a land of an option. A land without a number gets one if facts about it may be known.
    pub(super) fn intern_if_useful(
        &self,
        canonical: &[u8],
        max_moves: u32,
        visitor: &dyn Visitor,
    ) -> Found {
        let hash = Self::hash_of(canonical);
        match self.find_land(hash, canonical) {
            Some(land) => Found::Numbered(land),
            None if max_moves <= SMALL || visitor.may_be_known(hash) => {
                Found::Numbered(self.insert_alone(hash, canonical, max_moves))
            }
            None => Found::New(hash),
        }
    }

    /// Gives a land a number, unless another thread has done so meanwhile.
    fn insert_alone(&self, hash: u128, canonical: &[u8], max_moves: u32) -> LandId {
        if let Some(common) = &self.common {
            let known = common.lands.find_land(hash, canonical);
            let land =
                known.unwrap_or_else(|| common.lands.insert_alone(hash, canonical, max_moves));
            return self.insert_common(common, land);
        }
        let batch = self.encodings.add(canonical);
        self.insert(hash, batch.span(0..canonical.len()), max_moves)
    }

    /// Gives numbers to lands without numbers, and keeps their encodings.
    pub(super) fn insert_batch(&self, encodings: &[u8], new: &[NewLand]) -> Vec<LandId> {
        if new.is_empty() {
            return Vec::new();
        }
        if let Some(common) = &self.common {
            let lands = common.lands.insert_missing(encodings, new);
            let insert = |land| self.insert_common(common, land);
            return lands.into_iter().map(insert).collect();
        }
        let batch = self.encodings.add(encodings);
        let insert =
            |land: &NewLand| self.insert(land.hash, batch.span(land.bytes.clone()), land.max_moves);
        new.iter().map(insert).collect()
    }

    /// Like [`Self::insert_batch`], for lands that other tables may have inserted before. Their encodings are not kept
    /// twice.
    fn insert_missing(&self, encodings: &[u8], new: &[NewLand]) -> Vec<LandId> {
        let find = |land: &NewLand| self.find_land(land.hash, &encodings[land.bytes.clone()]);
        let found: Vec<Option<LandId>> = new.iter().map(find).collect();
        let (mut bytes, mut missing) = (Vec::new(), Vec::new());
        for (land, _) in new.iter().zip(&found).filter(|(_, found)| found.is_none()) {
            let start = bytes.len();
            bytes.extend_from_slice(&encodings[land.bytes.clone()]);
            missing.push(NewLand {
                bytes: start..bytes.len(),
                ..*land
            });
        }
        let mut inserted = self.insert_batch(&bytes, &missing).into_iter();
        let number = |found: Option<LandId>| found.or_else(|| inserted.next());
        let numbers: Option<Vec<LandId>> = found.into_iter().map(number).collect();
        numbers.expect("each land that was missing is inserted")
    }

    fn insert(&self, hash: u128, encoding: Span, max_moves: u32) -> LandId {
        let canonical = self.encodings.at(encoding);
        debug_assert_eq!(
            self.game.max_moves(&Land::from_canonical(canonical)),
            max_moves
        );
        let entry = Entry {
            encoding,
            hash: hash.to_ne_bytes(),
            max_moves,
            options: AtomicU32::new(0),
        };
        self.number(hash, canonical, |id| {
            self.entries.get(id).get_or_init(|| entry);
        })
    }

    /// Gives a number to a land of the common table.
    fn insert_common(&self, common: &Common, land: LandId) -> LandId {
        let (hash, canonical) = (common.lands.hash(land), common.lands.encoding(land));
        self.number(hash, canonical, |id| {
            let number = &common.numbers.get(id).land;
            number.store(land.0, Ordering::Relaxed);
        })
    }

    /// The number of a land. A land without one gets the next number, and `enter` keeps its data.
    fn number(&self, hash: u128, canonical: &[u8], enter: impl FnOnce(LandId)) -> LandId {
        let mut shard = self.shard(hash);
        let is_it = |&id: &LandId| self.encoding(id) == canonical;
        if let Some(&id) = shard.find(hash as u64, is_it) {
            return id;
        }
        let id = LandId(self.count.fetch_add(1, Ordering::Relaxed));
        enter(id);
        self.seen.add(hash);
        shard.insert_unique(hash as u64, id, |&id| self.hash(id) as u64);
        id
    }

    /// The number of the land with this [hash](Self::hash_of), if it has one.
    pub fn find(&self, hash: u128) -> Option<LandId> {
        if !self.seen.may_contain(hash) {
            return None;
        }
        let shard = self.shard(hash);
        shard
            .find(hash as u64, |&id| self.hash(id) == hash)
            .copied()
    }

    /// The number of a land from untrusted bytes. The slow check that they are canonical is made only if the land has
    /// no number yet.
    ///
    /// # Errors
    /// The bytes are not the canonical encoding of a land.
    pub fn read(&self, bytes: &[u8]) -> Result<LandId, EncodingError> {
        let known = self.find(Self::hash_of(bytes));
        match known.filter(|&id| self.encoding(id) == bytes) {
            Some(id) => Ok(id),
            None => Ok(self.intern(&self.game.land(bytes)?)),
        }
    }

    fn shard(&self, hash: u128) -> MutexGuard<'_, HashTable<LandId>> {
        let shard = &self.shards[(hash >> 64) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of a position's lands, sorted.
    pub fn intern_position(&self, position: &Position) -> SmallVec<[LandId; 4]> {
        let mut ids: SmallVec<_> = position.lands().iter().map(|l| self.intern(l)).collect();
        ids.sort_unstable();
        ids
    }

    /// The land with this number.
    pub fn land(&self, id: LandId) -> Land {
        Land::from_canonical(self.encoding(id))
    }

    /// The canonical encoding of a land.
    #[inline]
    pub fn encoding(&self, id: LandId) -> &[u8] {
        let (home, id) = self.home(id);
        home.encodings.at(home.own_entry(id).encoding)
    }

    /// The position that consists of these lands.
    pub fn position(&self, ids: &[LandId]) -> Position {
        Position::new(ids.iter().map(|&id| self.land(id)).collect())
    }

    /// The [hash](Self::hash_of) of a land.
    #[inline]
    pub fn hash(&self, id: LandId) -> u128 {
        u128::from_ne_bytes(self.entry(id).hash)
    }

    /// See [`Game::max_moves`].
    #[inline]
    pub fn max_moves(&self, id: LandId) -> u32 {
        self.entry(id).max_moves
    }

    /// The options of a land, if they were generated before.
    #[inline]
    pub fn known_options(&self, id: LandId) -> Option<&Options> {
        match self.number_of_options(id).load(Ordering::Acquire) {
            0 => None,
            number => Some(self.expanded.get(number - 1)),
        }
    }

    /// Keeps the options of a land, unless another thread has done so meanwhile. Then these stay in memory unused,
    /// which is too rare to avoid.
    fn keep_options(&self, id: LandId, options: Options) -> &Options {
        self.bytes_held
            .fetch_add(options.bytes(), Ordering::Relaxed);
        let number = self.expanded.add(options);
        let (before, after) = (Ordering::Release, Ordering::Acquire);
        let options = self.number_of_options(id);
        let kept = options.compare_exchange(0, number + 1, before, after);
        self.expanded
            .get(kept.map_or_else(|earlier| earlier - 1, |_| number))
    }

    /// The options of a land, generated at the first call. `None` if `stop` became true.
    pub fn options(&self, id: LandId, stop: &dyn Fn() -> bool) -> Option<&Options> {
        if let Some(options) = self.known_options(id) {
            return Some(options);
        }
        let _ = self.visit_options(id, stop, &mut AcceptAll)?;
        self.known_options(id)
    }

    /// Passes the options of a land to `visitor`, and returns whether it broke. If it broke, the options are not kept,
    /// and their new lands get no numbers. `None` if `stop` became true.
    pub fn visit_options(
        &self,
        id: LandId,
        stop: &dyn Fn() -> bool,
        visitor: &mut dyn Visitor,
    ) -> Option<ControlFlow<()>> {
        if let Some(options) = self.known_options(id) {
            return Some(options.iter().try_for_each(|option| visitor.option(option)));
        }
        // Options whose lands all have numbers are passed on as they are generated.
        let next = LandId(self.count.load(Ordering::Relaxed));
        let is_new = |option: &&[LandId]| option.last().is_none_or(|&land| land >= next);
        let mut collector = Collector::new(self, stop, &mut *visitor);
        let end = self
            .generator
            .each_option(self.encoding(id), &mut collector);
        EXPANSIONS.set(EXPANSIONS.get() + 1);
        if end.is_break() {
            return collector.visitor_broke.then_some(end);
        }
        let options = self.keep_options(id, collector.into_options());
        let mut new = options.iter().filter(is_new);
        Some(new.try_for_each(|option| visitor.option(option)))
    }

    /// Passes the `most` options of the smallest lands to `visitor`, and all others in outline. Returns
    /// whether the visitor broke. `None` if the options are known or a full expansion costs no more.
    pub fn expand_partially(
        &self,
        id: LandId,
        most: usize,
        visitor: &mut dyn Visitor,
    ) -> Option<ControlFlow<()>> {
        if self.known_options(id).is_some() {
            return None;
        }
        let mut sink = PartialExpansion::new(self, visitor);
        let end = self
            .generator
            .expand_partially(self.encoding(id), most, &mut sink)?;
        EXPANSIONS.set(EXPANSIONS.get() + 1);
        Some(end)
    }

    /// Passes every option of a position to `sink`, some perhaps more than once, and keeps none of their lands. This is
    /// faster than [`Game::moves`], which begins without a generator.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub fn moves(
        &self,
        position: &Position,
        sink: &mut dyn FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.generator.moves(position, sink)
    }

    /// The number of lands.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed) as usize
    }

    /// All lands, in the order of their numbers.
    pub fn ids(&self) -> impl Iterator<Item = LandId> + use<> {
        (0..self.count.load(Ordering::Relaxed)).map(LandId)
    }

    /// Whether there is no land yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The approximate memory of the lands and their options, in bytes, without the table below this one.
    pub fn bytes(&self) -> usize {
        let size_of_table = |shard: &Mutex<HashTable<LandId>>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.allocation_size()
        };
        let tables: usize = self.shards.iter().map(size_of_table).sum();
        let common = self.common.as_ref();
        self.entries.bytes()
            + common.map_or(0, |common| common.numbers.bytes())
            + self.encodings.bytes()
            + self.expanded.bytes()
            + self.bytes_held.load(Ordering::Relaxed)
            + self.generator.bytes()
            + self.keyed.bytes()
            + tables
    }

    #[inline]
    fn entry(&self, id: LandId) -> &Entry {
        let (home, id) = self.home(id);
        home.own_entry(id)
    }

    /// The table with the entry of a land, and the number of the land there.
    #[inline]
    fn home(&self, id: LandId) -> (&Self, LandId) {
        match &self.common {
            None => (self, id),
            Some(common) => (&common.lands, common.number(id)),
        }
    }

    #[inline]
    fn own_entry(&self, id: LandId) -> &Entry {
        let slot = self.entries.get(id).get();
        slot.expect("a number is handed out only after its entry was filled")
    }

    /// See [`Entry::options`].
    #[inline]
    fn number_of_options(&self, id: LandId) -> &AtomicU32 {
        match &self.common {
            None => &self.entry(id).options,
            Some(common) => &common.numbers.get(id).options,
        }
    }
}

#[cfg(test)]
mod tests;
