//! The table of all known shapes of regions. The effect of a move on a region depends only on its shape, so it is
//! computed once per shape.

mod cache;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::cache::{RegionKey, ShapeCache};
use super::diagram::EncodingCache;
use super::labels::{Labels, MOST_SLOTS};
use super::moves;
use super::region::{MarkedRegion, Shape, Template};
use super::rules::Rules;
use super::simplify::Simplifier;
use super::symmetry::Symmetries;
use crate::slots::Slots;
use sproutnet_notation::raw::{RawPosition, Spot};

/// The maximum number of moves of a usable shape, repeats included.
const MOST_MOVES: usize = 1 << 13;

/// The number of a shape in a [`Shapes`] table.
pub(super) type ShapeId = u32;

/// All known shapes and their moves. Shared by threads.
pub(super) struct Shapes {
    pub(super) rules: Rules,
    /// The numbers of shapes, by the bytes of their templates.
    numbers: RwLock<FxHashMap<Box<[u8]>, ShapeId>>,
    entries: Slots<OnceLock<Entry>>,
    cache: ShapeCache,
    encoding_cache: EncodingCache,
    /// The approximate memory behind the entries, in bytes.
    held: AtomicUsize,
}

/// A region of a land: its shape, and the letters in its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    pub(super) shape: ShapeId,
    pub(super) labels: Labels,
    /// Its contribution to the moves of its land: [`Rules::weight`].
    pub(super) weight: u32,
}

/// A shape and its computed data.
pub(super) struct Entry {
    pub(super) shape: Shape,
    /// The encoding of regions of this shape.
    pub(super) template: Template,
    /// See [`Region::weight`].
    weight: u32,
    /// The hash of the shape, the same in every process.
    pub(super) hash: u128,
    /// `None` if there are too many.
    pub(super) symmetries: Option<Symmetries>,
    moves: OnceLock<Option<Box<[Move]>>>,
    /// For each turn of the shape, whether it takes each move to an earlier one.
    repeats: RwLock<FxHashMap<Labels, Arc<[bool]>>>,
    /// For each slot, the change for each fate of its letter.
    changes: Box<[[OnceLock<Change>; 2]]>,
}

/// The effect of a move in another region on the letter in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// The letter gets its third line.
    Dies = 0,
    /// The region of its other copy vanishes.
    IsAlone = 1,
}

/// The result of a move or fate for a region.
pub(super) enum Change {
    /// The region has no moves left.
    Vanishes,
    /// A region of another shape. Its letters are the numbers of their slots before.
    Becomes(Region),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    /// The regions after it, at most two. Their letters are the numbers of their slots before; new
    /// letters have the numbers after these, in order.
    pub(super) regions: SmallVec<[Region; 2]>,
    /// The slots whose letters change in the other region.
    pub(super) fates: SmallVec<[(u8, Fate); 4]>,
}

impl Shapes {
    /// An empty table, for a game with these rules.
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            numbers: RwLock::default(),
            entries: Slots::default(),
            cache: ShapeCache::default(),
            encoding_cache: EncodingCache::default(),
            held: AtomicUsize::new(0),
        }
    }

    #[inline]
    pub(super) fn entry(&self, id: ShapeId) -> &Entry {
        let entry = self.entries.at(id).get();
        entry.expect("a number is handed out only after its entry was filled")
    }

    /// A region of this shape with these letters in its slots.
    pub(super) fn region(&self, shape: ShapeId, labels: Labels) -> Region {
        let weight = self.entry(shape).weight;
        Region {
            shape,
            labels,
            weight,
        }
    }

    /// The shape of a simplified region, and the letters in its slots. `None` if there are too many letters, or one is
    /// in two slots. Such a letter cannot be drawn on the sphere.
    pub(super) fn intern(
        &self,
        raw: &RawPosition,
        region: usize,
        marked: &mut MarkedRegion,
    ) -> Option<(ShapeId, Labels)> {
        let key = RegionKey::of(raw, region);
        let known = key.as_ref().and_then(|key| self.cache.find(key));
        if known.is_some() {
            return known;
        }
        let (shape, labels) = self.intern_uncached(raw, region, marked)?;
        if let Some(key) = key {
            self.cache.keep(key, shape, labels);
        }
        Some((shape, labels))
    }

    fn intern_uncached(
        &self,
        raw: &RawPosition,
        region: usize,
        marked: &mut MarkedRegion,
    ) -> Option<(ShapeId, Labels)> {
        marked.set(raw, region);
        let letters = marked.letters();
        let is_new = |slot: usize| !letters[..slot].contains(&letters[slot]);
        let fits = letters.len() <= MOST_SLOTS
            && letters.iter().all(|&letter| letter < 256)
            && (1..letters.len()).all(is_new);
        let labels = fits.then(|| letters.iter().map(|&letter| letter as u8).collect())?;
        let shape = marked.shape();
        let template = shape.template();
        if let Some(id) = self.find(&template.bytes) {
            return Some((id, labels));
        }
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as ShapeId;
        let id = *numbers.entry(template.bytes[..].into()).or_insert(next);
        if id == next {
            let hash = shape.hash();
            let entry = Entry {
                weight: shape.weight(self.rules),
                hash,
                symmetries: marked.symmetries(&letters, hash),
                moves: OnceLock::new(),
                repeats: RwLock::default(),
                changes: (0..letters.len()).map(|_| Default::default()).collect(),
                shape,
                template,
            };
            let of_symmetries = entry.symmetries.as_ref().map_or(0, Symmetries::bytes);
            self.hold(of_symmetries + size_of_val(&*entry.changes));
            self.entries.at(id).get_or_init(|| entry);
        }
        Some((id, labels))
    }

    /// The shape with this template, if it is known.
    pub(super) fn find(&self, template: &[u8]) -> Option<ShapeId> {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        numbers.get(template).copied()
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        let slot = size_of::<(Box<[u8]>, ShapeId)>() + 1;
        let held = self.held.load(Ordering::Relaxed);
        let of_numbers = numbers.capacity() * slot;
        self.entries.bytes() + of_numbers + self.cache.bytes() + self.encoding_cache.bytes() + held
    }

    /// The encodings of recent lands.
    pub(super) fn encoding_cache(&self) -> &EncodingCache {
        &self.encoding_cache
    }

    fn hold(&self, bytes: usize) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All moves in a region of this shape, without repeats. `None` if there are too many, or one of them
    /// creates too many letters.
    pub(super) fn moves(&self, id: ShapeId) -> Option<&[Move]> {
        let entry = self.entry(id);
        let moves = entry.moves.get_or_init(|| self.find_moves(&entry.shape));
        moves.as_deref()
    }

    /// For each move in a region of this shape, whether a turn of the shape maps it to an earlier one. The turn is
    /// given as the image of each slot.
    pub(super) fn repeats(&self, id: ShapeId, turn: &Labels) -> Arc<[bool]> {
        let entry = self.entry(id);
        let known = entry.repeats.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(turn) {
            return Arc::clone(known);
        }
        drop(known);
        let moves = self.moves(id).unwrap_or_default();
        let is_repeat = |(number, moved): (usize, &Move)| {
            let image = self.image(moved, turn);
            moves[..number].binary_search(&image).is_ok()
        };
        let found: Arc<[bool]> = moves.iter().enumerate().map(is_repeat).collect();
        let mut known = entry
            .repeats
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if known.insert(*turn, Arc::clone(&found)).is_none() {
            self.hold(size_of::<(Labels, Arc<[bool]>)>() + found.len());
        }
        found
    }

    fn image(&self, moved: &Move, turn: &Labels) -> Move {
        let slots = turn.len() as u8;
        let to = |slot: u8| turn.get(usize::from(slot)).copied().unwrap_or(slot);
        let regions = moved.regions.iter();
        let mut regions: SmallVec<_> = regions
            .map(|region| Region {
                labels: region.labels.map(to),
                ..*region
            })
            .collect();
        self.order(&mut regions, slots);
        let fates = moved.fates.iter().map(|&(slot, fate)| (to(slot), fate));
        let mut fates: SmallVec<_> = fates.collect();
        fates.sort_unstable();
        Move { regions, fates }
    }

    /// Brings the regions of a move and their letters into a canonical order, so that equal moves compare as equal.
    /// Letters from `slots` on are new.
    fn order(&self, regions: &mut [Region], slots: u8) {
        name_new(regions, slots);
        for region in &mut *regions {
            if let Some(symmetries) = &self.entry(region.shape).symmetries {
                region.labels = symmetries.least(region.labels);
            }
        }
        regions.sort_unstable();
        name_new(regions, slots);
    }

    fn find_moves(&self, shape: &Shape) -> Option<Box<[Move]>> {
        let slots = shape.slots();
        let before = raw_region(shape);
        let mut simplifier = Simplifier::new(self.rules);
        let mut marked = MarkedRegion::default();
        let mut after = RawPosition::default();
        let mut all = Vec::new();
        let complete = moves::each(&before, self.rules, &mut |moved| {
            if all.len() == MOST_MOVES {
                return ControlFlow::Break(());
            }
            simplifier.simplify_part(moved, slots, &mut after);
            let mut regions = SmallVec::new();
            for region in 0..after.regions() {
                match self.intern(&after, region, &mut marked) {
                    Some((shape, labels)) => regions.push(self.region(shape, labels)),
                    None => return ControlFlow::Break(()),
                }
            }
            self.order(&mut regions, slots as u8);
            let is_lost = |&slot: &u8| {
                !regions
                    .iter()
                    .any(|region: &Region| region.labels.has(slot))
            };
            let fate = |slot: u8| {
                let mut boundaries = (0..moved.regions()).flat_map(|r| moved.boundaries(r));
                let letter = Spot::letter(slot.into());
                if boundaries.any(|boundary| boundary.contains(&letter)) {
                    (slot, Fate::IsAlone)
                } else {
                    (slot, Fate::Dies)
                }
            };
            let fates = (0..slots as u8).filter(is_lost).map(fate).collect();
            all.push(Move { regions, fates });
            ControlFlow::Continue(())
        });
        if complete.is_break() {
            return None;
        }
        all.sort_unstable();
        all.dedup();
        self.hold(size_of_val(&*all));
        Some(all.into())
    }

    /// The change of a region by a fate of the letter in a slot.
    pub(super) fn change(&self, id: ShapeId, slot: usize, fate: Fate) -> &Change {
        let entry = self.entry(id);
        let change = &entry.changes[slot][fate as usize];
        change.get_or_init(|| self.find_change(&entry.shape, slot, fate))
    }

    fn find_change(&self, shape: &Shape, slot: usize, fate: Fate) -> Change {
        let before = raw_region(shape);
        let mut changed = RawPosition::default();
        changed.reserve_letters(before.letters());
        for boundary in before.boundaries(0) {
            for &spot in boundary {
                match fate {
                    _ if spot != Spot::letter(slot) => changed.push(spot),
                    Fate::Dies => {}
                    Fate::IsAlone => changed.push(Spot::MID),
                }
            }
            changed.end_boundary();
        }
        changed.end_region();
        let mut after = RawPosition::default();
        Simplifier::new(self.rules).simplify_part(&changed, shape.slots(), &mut after);
        if after.regions() == 0 {
            return Change::Vanishes;
        }
        let became = self.intern(&after, 0, &mut MarkedRegion::default());
        let (id, labels) = became.expect("there are fewer letters than before");
        Change::Becomes(self.region(id, labels))
    }
}

/// A region of this shape, with letters numbered like their slots.
fn raw_region(shape: &Shape) -> RawPosition {
    let slots = shape.slots();
    let mut raw = RawPosition::default();
    raw.reserve_letters(slots);
    shape.write(0..slots, &mut raw);
    raw
}

/// Renames the letters from `first` on in the order of occurrence.
fn name_new(regions: &mut [Region], first: u8) {
    let mut met: SmallVec<[u8; 8]> = SmallVec::new();
    for label in regions
        .iter_mut()
        .flat_map(|region| region.labels.iter_mut())
    {
        if *label >= first {
            let place = met.iter().position(|other| other == label);
            let place = place.unwrap_or_else(|| {
                met.push(*label);
                met.len() - 1
            });
            *label = first + place as u8;
        }
    }
}
