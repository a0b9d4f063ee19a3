//! Lands as regions that are joined by letters, and the moves in them.
//!
//! The effect of a move on its own region depends on the region's shape ([`shapes`](super::shapes)). Neighbouring
//! regions change where their letters die or lose their other copies. Everything else stays.

mod encoding_cache;
mod land_symmetries;

use std::sync::Arc;

use smallvec::SmallVec;

pub(super) use self::encoding_cache::EncodingCache;
use self::encoding_cache::LandKey;
use self::land_symmetries::LandSymmetries;
use super::encoding;
use super::labelling::{self, LabelledRegions, Part};
use super::labels::Labels;
use super::region::MarkedRegion;
pub(super) use super::shapes::Region;
use super::shapes::{Change, Fate, Shapes};
use crate::OptionSink;
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::surface::Surface;

/// The bound on the numbers of letters. Those above are for letters that a move creates.
const MOST_LETTERS: usize = 180;

/// Regions. Each letter is in two of them.
pub(super) type Regions = SmallVec<[Region; 8]>;

/// The regions of a land. `None` if it is too large, or cannot be drawn on the sphere.
pub(super) fn of_land(land: &[u8], shapes: &Shapes) -> Option<Regions> {
    let regions = read(land, shapes).or_else(|| of_raw(&encoding::read(land), shapes))?;
    let all_found = regions
        .iter()
        .all(|region| shapes.moves(region.shape).is_some());
    all_found.then_some(regions)
}

/// The regions of a land, if all shapes are known and no region has a letter twice.
fn read(land: &[u8], shapes: &Shapes) -> Option<Regions> {
    let mut regions = Regions::new();
    let mut template: SmallVec<[u8; 64]> = SmallVec::new();
    let mut labels = Labels::NONE;
    let mut bytes = land.iter();
    while let Some(&byte) = bytes.next() {
        if encoding::is_long(byte) {
            return None;
        }
        match encoding::as_short_link(byte) {
            Some(rank) if labels.is_full() || labels.has(rank) => return None,
            Some(rank) => {
                labels.push(rank);
                template.push(encoding::short_link(0));
            }
            None => template.push(byte),
        }
        if u16::from(byte) == encoding::ISOLATED {
            let count = *bytes.next()?;
            if encoding::is_long(count) {
                return None;
            }
            template.push(count);
        } else if u16::from(byte) == encoding::END_OF_REGION {
            let shape = shapes.find(&template)?;
            regions.push(shapes.region(shape, labels));
            template.clear();
            labels = Labels::NONE;
        }
    }
    Some(regions)
}

fn of_raw(raw: &RawPosition, shapes: &Shapes) -> Option<Regions> {
    if raw.letters() > MOST_LETTERS {
        return None;
    }
    let mut marked = MarkedRegion::default();
    let mut regions = Regions::new();
    for region in 0..raw.regions() {
        if raw.surface(region) != Surface::SPHERE {
            return None;
        }
        let (shape, labels) = shapes.intern(raw, region, &mut marked)?;
        regions.push(shapes.region(shape, labels));
    }
    Some(regions)
}

/// Passes the land of these regions to `sink`. False if the land is too large or too symmetric. `bytes` is scratch
/// memory.
pub(super) fn pass_land(
    regions: &[Region],
    max_moves: u32,
    shapes: &Shapes,
    bytes: &mut SmallVec<[u8; 64]>,
    sink: &mut dyn OptionSink,
) -> bool {
    let Some(key) = LandKey::of(regions) else {
        let is_encoded = encode(regions, shapes, bytes);
        if is_encoded {
            sink.land(bytes, max_moves);
        }
        return is_encoded;
    };
    if sink.land_by_key(key.key(), max_moves) {
        return true;
    }
    let encodings = shapes.encoding_cache();
    let is_known = encodings.find(&key, bytes);
    if !is_known && !encode(regions, shapes, bytes) {
        return false;
    }
    let is_kept = sink.land_with_key(key.key(), bytes, max_moves);
    if !is_known && !is_kept {
        encodings.keep(&key, bytes);
    }
    true
}

/// Replaces `to` by the canonical bytes of the land of these regions. False if the land is too large or too symmetric.
fn encode(regions: &[Region], shapes: &Shapes, to: &mut SmallVec<[u8; 64]>) -> bool {
    let Some(labelled) = labelled(regions, shapes) else {
        return false;
    };
    to.clear();
    for (at, ranks) in &labelled {
        let shape = regions[usize::from(*at)].shape;
        shapes.entry(shape).template.write(ranks, to);
    }
    true
}

fn labelled(regions: &[Region], shapes: &Shapes) -> Option<LabelledRegions> {
    labelling::canonical(regions.iter().map(|region| {
        let entry = shapes.entry(region.shape);
        Some(Part {
            shape: entry.hash,
            symmetries: entry.symmetries.as_ref()?,
            labels: region.labels,
        })
    }))
}

pub(super) fn raw_position(regions: &[Region], shapes: &Shapes) -> RawPosition {
    let mut raw = RawPosition::default();
    let labels = regions.iter().flat_map(|region| region.labels.iter());
    raw.reserve_letters(labels.max().map_or(0, |&label| usize::from(label) + 1));
    for Region { shape, labels, .. } in regions {
        let letters = labels.iter().map(|&label| usize::from(label));
        shapes.entry(*shape).shape.write(letters, &mut raw);
    }
    raw
}

/// The fates of letters, each for its remaining copy.
type Fates = Vec<(u8, Fate)>;

/// Passes the regions after each move to `sink`. Moves that a symmetry maps to earlier ones are left out.
pub(super) fn each_move(land: &[Region], shapes: &Shapes, sink: &mut dyn FnMut(&mut [Region])) {
    let all = land.iter().flat_map(|region| region.labels.iter());
    let first_new = all.max().map_or(0, |&label| label + 1);
    let mut after: Vec<Region> = Vec::with_capacity(land.len() + 2);
    let mut fates = Fates::with_capacity(8);
    let symmetries = LandSymmetries::of(land, shapes);
    for (at, region) in land.iter().enumerate() {
        if symmetries.is_repeated(at) {
            continue;
        }
        let repeats = symmetries
            .turns(at)
            .map(|turn| shapes.repeats(region.shape, turn));
        let repeats: SmallVec<[Arc<[bool]>; 4]> = repeats.collect();
        let slots = region.labels.len() as u8;
        let name = |label: u8| match label.checked_sub(slots) {
            Some(new) => first_new + new,
            None => region.labels[usize::from(label)],
        };
        let moves = shapes.moves(region.shape);
        let moves = moves.expect("of_land found the moves of every shape");
        for (number, moved) in moves.iter().enumerate() {
            if repeats.iter().any(|repeats| repeats[number]) {
                continue;
            }
            after.clear();
            after.extend_from_slice(&land[..at]);
            after.extend_from_slice(&land[at + 1..]);
            after.extend(moved.regions.iter().map(|region| Region {
                labels: region.labels.map(name),
                ..*region
            }));
            fates.extend(moved.fates.iter().map(|&(slot, fate)| (name(slot), fate)));
            while let Some((label, fate)) = fates.pop() {
                apply(&mut after, label, fate, shapes, &mut fates);
            }
            sink(&mut after);
        }
    }
}

/// Changes the region with the remaining copy of a letter by the letter's fate.
fn apply(regions: &mut Vec<Region>, label: u8, fate: Fate, shapes: &Shapes, fates: &mut Fates) {
    let place = regions.iter().enumerate().find_map(|(i, region)| {
        let slot = region.labels.slot_of(label)?;
        Some((i, slot))
    });
    let Some((i, slot)) = place else {
        return;
    };
    match shapes.change(regions[i].shape, slot, fate) {
        Change::Vanishes => {
            let gone = regions.swap_remove(i);
            let others = gone.labels.iter().filter(|&&other| other != label);
            fates.extend(others.map(|&other| (other, Fate::IsAlone)));
        }
        Change::Becomes(became) => {
            let before = regions[i].labels;
            regions[i] = Region {
                labels: became.labels.map(|slot| before.at(slot)),
                ..*became
            };
        }
    }
}

#[derive(Clone, Copy, Default)]
struct LetterSet([u64; 4]);

impl LetterSet {
    fn add(&mut self, labels: &[u8]) {
        for label in labels {
            self.0[usize::from(label >> 6)] |= 1 << (label & 63);
        }
    }

    fn has_any(&self, labels: &[u8]) -> bool {
        let has = |label: &u8| self.0[usize::from(label >> 6)] & 1 << (label & 63) != 0;
        labels.iter().any(has)
    }
}

/// Passes the regions of each land (those joined by letters) to `sink`. This reorders the regions.
pub(super) fn each_land(regions: &mut [Region], sink: &mut dyn FnMut(&[Region])) {
    let mut start = 0;
    while start < regions.len() {
        let mut joined = LetterSet::default();
        joined.add(&regions[start].labels);
        let mut end = start + 1;
        let mut before = start;
        while end > before {
            before = end;
            for next in before..regions.len() {
                if joined.has_any(&regions[next].labels) {
                    joined.add(&regions[next].labels);
                    regions.swap(next, end);
                    end += 1;
                }
            }
        }
        sink(&regions[start..end]);
        start = end;
    }
}

/// An upper bound on the number of moves in the land of these regions.
pub(super) fn max_moves(regions: &[Region], shapes: &Shapes) -> u32 {
    let weight = regions.iter().map(|region| region.weight).sum();
    shapes.rules.max_moves(weight)
}
