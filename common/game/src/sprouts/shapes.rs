//! The table of all shapes of regions met. What a move or a change does to a region depends on its
//! shape alone, so it is found out once for each shape.

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
use super::region::{Shape, ShapeBuilder};
use super::simplify::Simplifier;
use super::symmetry::Symmetries;
use super::template::Template;
use crate::slots::Slots;
use sproutnet_notation::raw::{RawPosition, Spot};

/// The moves in a region of a shape with more of them, repeats among them, are not kept.
const MOST_MOVES: usize = 1 << 13;

/// The number of a shape in a [`Shapes`] table.
pub(super) type ShapeId = u32;

/// All shapes met, with what becomes of them. Shared by threads.
#[derive(Default)]
pub(super) struct Shapes {
    /// Numbers by the bytes of templates.
    numbers: RwLock<FxHashMap<Box<[u8]>, ShapeId>>,
    entries: Slots<OnceLock<Entry>>,
    drawings: ShapeCache,
    encoding_cache: EncodingCache,
    /// Bytes of what is known of shapes, about.
    held: AtomicUsize,
}

/// A region of a land: its shape, and the letters in its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    pub(super) shape: ShapeId,
    pub(super) labels: Labels,
    /// Twice the lives in it, but for the letters, which count one each.
    pub(super) halves: u32,
}

/// A shape and what is known of it.
pub(super) struct Entry {
    pub(super) shape: Shape,
    /// How a region of the shape is written.
    pub(super) template: Template,
    /// Twice the lives in the region, but for the letters, which count one each.
    halves: u32,
    /// Stands for the shape, in every process.
    pub(super) hash: u128,
    /// None if there are too many.
    pub(super) symmetries: Option<Symmetries>,
    moves: OnceLock<Option<Box<[Move]>>>,
    /// For turns of the shape, which moves they take to earlier ones.
    repeats: RwLock<FxHashMap<Labels, Arc<[bool]>>>,
    /// For each slot what comes of its letter's death, and of the loss of its other copy.
    changes: Box<[[OnceLock<Change>; 2]]>,
}

/// What happens to the letter in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    /// It gets its third line.
    Dies = 0,
    /// The region on its other side is no more.
    IsAlone = 1,
}

/// What a region becomes.
pub(super) enum Change {
    /// Nothing can be played in it any more.
    Vanishes,
    /// A region of another shape. Its letters are the numbers of the slots where they were.
    Becomes(Region),
}

/// A move in a region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    /// The regions that are there after it, at most two. The letters in their slots are numbered by
    /// the slots where they were before, and beyond these, if they are new, by their order.
    pub(super) regions: SmallVec<[Region; 2]>,
    /// The slots whose letters meet a fate.
    pub(super) fates: SmallVec<[(u8, Fate); 4]>,
}

impl Shapes {
    /// What is known of a shape.
    pub(super) fn entry(&self, id: ShapeId) -> &Entry {
        let entry = self.entries.at(id).get();
        entry.expect("numbers are given to shapes that are entered")
    }

    /// A region of that shape, with those letters in its slots.
    pub(super) fn region(&self, shape: ShapeId, labels: Labels) -> Region {
        let halves = self.entry(shape).halves;
        Region {
            shape,
            labels,
            halves,
        }
    }

    /// The number of a simplified region's shape, and the letters in its slots. `None` if there are
    /// too many of them.
    pub(super) fn intern(
        &self,
        raw: &RawPosition,
        region: usize,
        builder: &mut ShapeBuilder,
    ) -> Option<(ShapeId, Labels)> {
        let drawing = RegionKey::of(raw, region);
        let known = drawing
            .as_ref()
            .and_then(|drawing| self.drawings.find(drawing));
        if known.is_some() {
            return known;
        }
        let (shape, labels) = self.form(raw, region, builder)?;
        if let Some(drawing) = drawing {
            self.drawings.keep(drawing, shape, labels);
        }
        Some((shape, labels))
    }

    /// The same for a region that is drawn in a new way.
    fn form(
        &self,
        raw: &RawPosition,
        region: usize,
        builder: &mut ShapeBuilder,
    ) -> Option<(ShapeId, Labels)> {
        let (shape, letters) = builder.build(raw, region);
        let fits = letters.len() <= MOST_SLOTS && letters.iter().all(|&letter| letter < 256);
        let labels = fits.then(|| letters.iter().map(|&letter| letter as u8).collect())?;
        let template = Template::of(&shape);
        if let Some(id) = self.find(template.bytes()) {
            return Some((id, labels));
        }
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as ShapeId;
        let id = *numbers.entry(template.bytes().into()).or_insert(next);
        if id == next {
            let hash = shape.hash();
            let entry = Entry {
                halves: 2 * shape.lives() - letters.len() as u32,
                hash,
                symmetries: builder.symmetries(&letters, hash),
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

    /// The number of the shape with those bytes in its template, if it was met.
    pub(super) fn find(&self, template: &[u8]) -> Option<ShapeId> {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        numbers.get(template).copied()
    }

    /// About how many bytes of memory all that is known takes.
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        let slot = size_of::<(Box<[u8]>, ShapeId)>() + 1;
        let held = self.held.load(Ordering::Relaxed);
        let of_numbers = numbers.capacity() * slot;
        self.entries.bytes()
            + of_numbers
            + self.drawings.bytes()
            + self.encoding_cache.bytes()
            + held
    }

    /// Lands of such regions that were written not long ago.
    pub(super) fn encoding_cache(&self) -> &EncodingCache {
        &self.encoding_cache
    }

    fn hold(&self, bytes: usize) {
        self.held.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All moves in a region of that shape, without repeats. `None` if there are too many, or one of them
    /// makes too many letters.
    pub(super) fn moves(&self, id: ShapeId) -> Option<&[Move]> {
        let entry = self.entry(id);
        let moves = entry.moves.get_or_init(|| self.find_moves(&entry.shape));
        moves.as_deref()
    }

    /// For each move in a region of that shape, whether a turn of the shape, given as the slot to which
    /// each slot goes, takes it to an earlier one.
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

    /// A move in a region whose slots are turned.
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

    /// Puts the regions of a move and the letters in them in order, so that moves that make the same are
    /// alike. Letters from `slots` on are new.
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
        let before = drawn(shape);
        let mut simplifier = Simplifier::default();
        let mut builder = ShapeBuilder::default();
        let mut after = RawPosition::default();
        let mut all = Vec::new();
        let complete = moves::each(&before, &mut |moved| {
            if all.len() == MOST_MOVES {
                return ControlFlow::Break(());
            }
            simplifier.simplify_part(moved, slots, &mut after);
            let mut regions = SmallVec::new();
            for region in 0..after.regions() {
                match self.intern(&after, region, &mut builder) {
                    Some((shape, labels)) => regions.push(self.region(shape, labels)),
                    None => return ControlFlow::Break(()),
                }
            }
            self.order(&mut regions, slots as u8);
            let fates = (0..slots).filter_map(|slot| {
                let label = slot as u8;
                let stays = regions
                    .iter()
                    .any(|region: &Region| region.labels.has(label));
                let is_drawn = || {
                    let mut boundaries = (0..moved.regions()).flat_map(|r| moved.boundaries(r));
                    boundaries.any(|boundary| boundary.contains(&Spot::letter(slot)))
                };
                let fate = |()| {
                    if is_drawn() {
                        Fate::IsAlone
                    } else {
                        Fate::Dies
                    }
                };
                (!stays).then_some(()).map(fate).map(|fate| (label, fate))
            });
            let fates = fates.collect();
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

    /// What comes of a region when the letter in a slot meets a fate.
    pub(super) fn change(&self, id: ShapeId, slot: usize, fate: Fate) -> &Change {
        let entry = self.entry(id);
        let change = &entry.changes[slot][fate as usize];
        change.get_or_init(|| self.find_change(&entry.shape, slot, fate))
    }

    fn find_change(&self, shape: &Shape, slot: usize, fate: Fate) -> Change {
        let before = drawn(shape);
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
        Simplifier::default().simplify_part(&changed, shape.slots(), &mut after);
        if after.regions() == 0 {
            return Change::Vanishes;
        }
        let became = self.intern(&after, 0, &mut ShapeBuilder::default());
        let (id, labels) = became.expect("there are fewer letters than before");
        Change::Becomes(self.region(id, labels))
    }
}

/// A region of a shape, with letters that are numbered as their slots.
fn drawn(shape: &Shape) -> RawPosition {
    let slots = shape.slots();
    let mut raw = RawPosition::default();
    raw.reserve_letters(slots);
    shape.draw(0..slots, &mut raw);
    raw
}

/// Names new letters, those from `first` on, in the order in which they are met.
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
