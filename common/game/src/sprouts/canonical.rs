//! The canonical form: the same bytes for all raw positions that are equal up to the equivalences of
//! [`simplify`](super::simplify) and up to
//!
//! - the rotation of a boundary, and the mirroring of all boundaries of a region together, or, on a surface without an
//!   orientation, of each alone;
//! - the order of boundaries in a region, of regions in a land, of lands in a position;
//! - the names of letters;
//! - the shape of a land with two lives, which has exactly one move and is written `1`. (Without this
//!   rule, merging the boundaries of a region with three lives could show in an option: `1`, `22`
//!   and `AB|AB` are one game, in either convention.) This holds for dots alone, as the merging does.
//!
//! Most lands are [labelled](super::labelling) region by region. Lands that are too large or too
//! symmetric for that, or not on the sphere, are labelled by their [links](super::links).

use std::collections::HashMap;

use smallvec::SmallVec;

use super::labelling::{self, Part};
use super::labels::{Labels, MOST_SLOTS};
use super::region::MarkedRegion;
use super::rules::{Rules, halves};
use super::simplify::Simplifier;
use super::{encoding, links};
use crate::{Land, Position};
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::surface::Surface;

/// The canonical position of a raw position: simplified, split into lands, each in canonical form.
pub(super) fn position(raw: &RawPosition, rules: Rules) -> Position {
    Canonicaliser::new(rules).position(raw)
}

/// Brings positions into canonical form. Its memory is reused.
pub(super) struct Canonicaliser {
    rules: Rules,
    simplifier: Simplifier,
    marked: MarkedRegion,
}

impl Canonicaliser {
    /// Finds the canonical form under these rules.
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            simplifier: Simplifier::new(rules),
            marked: MarkedRegion::default(),
        }
    }

    /// The canonical position of a raw position.
    pub(super) fn position(&mut self, raw: &RawPosition) -> Position {
        let simple = self.simplified(raw);
        let lands = lands(&simple).map(|regions| self.land(&simple, &regions));
        Position::new(lands.collect())
    }

    /// A raw position after simplification.
    pub(super) fn simplified(&mut self, raw: &RawPosition) -> RawPosition {
        let mut simple = RawPosition::default();
        self.simplifier.simplify(raw, &mut simple);
        simple
    }

    /// The canonical form of the land made of some regions of a simplified raw position.
    pub(super) fn land(&mut self, simple: &RawPosition, regions: &[usize]) -> Land {
        let spots = regions.iter().flat_map(|&r| simple.boundaries(r)).flatten();
        // A land with two lives has exactly one move.
        if self.rules.merges_small_regions() && spots.map(|&spot| halves(spot)).sum::<u32>() == 4 {
            return Land::from_canonical(&encoding::ONE_MOVE);
        }
        let bytes = self.labelled_by_regions(simple, regions);
        let bytes = bytes.unwrap_or_else(|| links::encode(simple, regions.iter().copied()));
        Land::from_canonical(&bytes)
    }

    /// The canonical form by regions, unless the land is too large, too symmetric or not on the sphere.
    fn labelled_by_regions(&mut self, simple: &RawPosition, regions: &[usize]) -> Option<Vec<u8>> {
        let mut numbers: HashMap<u16, u8> = HashMap::new();
        let mut formed = Vec::with_capacity(regions.len());
        for &region in regions {
            if simple.surface(region) != Surface::SPHERE {
                return None;
            }
            self.marked.set(simple, region);
            let (shape, letters) = (self.marked.shape(), self.marked.letters());
            if letters.len() > MOST_SLOTS {
                return None;
            }
            let mut labels = Labels::NONE;
            for &letter in &letters {
                let next = u8::try_from(numbers.len()).ok()?;
                labels.push(*numbers.entry(letter).or_insert(next));
            }
            let hash = shape.hash();
            formed.push((shape, hash, self.marked.symmetries(&letters, hash)?, labels));
        }
        let parts = formed.iter().map(|(_, hash, symmetries, labels)| Part {
            shape: *hash,
            symmetries,
            labels: *labels,
        });
        let labelled = labelling::canonical(parts)?;
        let mut bytes = SmallVec::new();
        for (at, ranks) in &labelled {
            let (shape, ..) = &formed[usize::from(*at)];
            shape.template().write(ranks, &mut bytes);
        }
        Some(bytes.into_vec())
    }
}

/// The regions of each land of a simplified raw position.
pub(super) fn lands(simple: &RawPosition) -> impl Iterator<Item = Vec<usize>> {
    let land_of = land_of_each_region(simple);
    (0..land_of.len()).filter_map(move |land| {
        let regions = (land..land_of.len()).filter(|&region| land_of[region] == land);
        let regions: Vec<usize> = regions.collect();
        (!regions.is_empty()).then_some(regions)
    })
}

/// The land of each region, named by its first region. Regions that share a letter belong to one land.
fn land_of_each_region(simple: &RawPosition) -> Vec<usize> {
    let mut land_of: Vec<usize> = (0..simple.regions()).collect();
    let mut first_met = vec![usize::MAX; simple.letters()];
    for region in 0..simple.regions() {
        let spots = simple.boundaries(region).flatten();
        for number in spots.filter_map(|spot| spot.number()) {
            let other = first_met[number];
            if other == usize::MAX {
                first_met[number] = region;
                continue;
            }
            let (a, b) = (land_of[other], land_of[region]);
            let (first, second) = (a.min(b), a.max(b));
            let joined = land_of.iter_mut().filter(|land| **land == second);
            joined.for_each(|land| *land = first);
        }
    }
    land_of
}
