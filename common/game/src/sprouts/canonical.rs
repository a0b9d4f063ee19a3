//! The canonical form: the same bytes for all raw positions that are equal up to the equivalences of
//! [`simplify`](super::simplify) and up to
//!
//! - the rotation of a boundary, and the mirroring of all boundaries of a region together;
//! - the order of boundaries in a region, of regions in a land, of lands in a position;
//! - the names of letters;
//! - the shape of a land with two lives, which has exactly one move and is written `1`. (Without this
//!   rule, merging the boundaries of a region with three lives could show in an option: `1`, `22`
//!   and `AB|AB` are one game, in either convention.)
//!
//! Most lands are [labelled](super::labelling) region by region. Lands that are too large or too
//! symmetric for that are labelled here by their links, the letters that join two regions. Colours of
//! links are [refined](super::refine); a tie is broken by trying each of the tied links and keeping
//! the smallest form. Two trials with the same form show an automorphism, which makes the trials that
//! it maps onto each other unnecessary (McKay, *Practical graph isomorphism*, 1981).

use std::cmp::Ordering;
use std::collections::HashMap;

use super::encoding;
use super::form::{Form, MarkedLand};
use super::labelling::{self, Part};
use super::labels::{Labels, MOST_SLOTS};
use super::refine::{Refinement, individualised, smallest_tie};
use super::region::ShapeBuilder;
use super::simplify::Simplifier;
use crate::{Land, Position};
use sproutnet_notation::raw::RawPosition;

/// The canonical position of a raw position: simplified, split into lands, each in canonical form.
pub(super) fn position(raw: &RawPosition) -> Position {
    Canonicaliser::default().position(raw)
}

/// Brings positions into canonical form. The memory is used again for the next one.
#[derive(Default)]
pub(super) struct Canonicaliser {
    simplifier: Simplifier,
    simple: RawPosition,
    land_of: Vec<usize>,
    first_met: Vec<usize>,
    marked: MarkedLand,
    refinement: Refinement,
}

impl Canonicaliser {
    /// The canonical position of a raw position.
    pub(super) fn position(&mut self, raw: &RawPosition) -> Position {
        self.simplifier.simplify(raw, &mut self.simple);
        self.find_lands();
        let mut lands = Vec::new();
        for land in 0..self.simple.regions() {
            let regions = (land..self.simple.regions()).filter(|&r| self.land_of[r] == land);
            let regions: Vec<usize> = regions.collect();
            lands.extend(self.land(&regions));
        }
        Position::new(lands)
    }

    /// The canonical form of a simplified land that cannot be labelled region by region.
    pub(super) fn large_land(&mut self, raw: &RawPosition) -> Land {
        self.marked.set(raw, 0..raw.regions());
        self.labelled_by_links()
    }

    /// The canonical form of the land that consists of some regions of the simplified raw position.
    fn land(&mut self, regions: &[usize]) -> Option<Land> {
        self.marked.set(&self.simple, regions.iter().copied());
        if self.marked.is_empty() {
            return None;
        }
        if self.marked.is_one_move() {
            return Some(Land::from_canonical(&encoding::ONE_MOVE));
        }
        let land = self.labelled_by_regions(regions);
        Some(land.unwrap_or_else(|| self.labelled_by_links()))
    }

    /// The canonical form by regions, unless the land is too large or too symmetric.
    fn labelled_by_regions(&mut self, regions: &[usize]) -> Option<Land> {
        let mut builder = ShapeBuilder::default();
        let mut numbers: HashMap<u16, u8> = HashMap::new();
        let mut formed = Vec::with_capacity(regions.len());
        for &region in regions {
            let (shape, letters) = builder.build(&self.simple, region);
            if letters.len() > MOST_SLOTS {
                return None;
            }
            let mut labels = Labels::NONE;
            for &letter in &letters {
                let next = u8::try_from(numbers.len()).ok()?;
                labels.push(*numbers.entry(letter).or_insert(next));
            }
            let hash = shape.hash();
            formed.push((shape, hash, builder.symmetries(&letters, hash)?, labels));
        }
        let parts = formed.iter().map(|(_, hash, symmetries, labels)| Part {
            shape: *hash,
            symmetries,
            labels: *labels,
        });
        let labelled = labelling::canonical(parts)?;
        let mut writer = encoding::Writer::default();
        for (at, ranks) in &labelled {
            let (shape, ..) = &formed[usize::from(*at)];
            let mut ranks = ranks.iter();
            shape.encode(&mut writer, |_| {
                u16::from(*ranks.next().expect("one for each slot"))
            });
        }
        Some(Land::from_canonical(&writer.into_bytes()))
    }

    /// Finds the land of each region, named by its first region. Regions that share a letter belong to
    /// one land.
    fn find_lands(&mut self) {
        let Self {
            simple,
            land_of,
            first_met,
            ..
        } = self;
        land_of.clear();
        land_of.extend(0..simple.regions());
        first_met.clear();
        first_met.resize(simple.letters(), usize::MAX);
        for region in 0..simple.regions() {
            for number in simple
                .boundaries(region)
                .flatten()
                .filter_map(|s| s.number())
            {
                let other = first_met[number];
                if other == usize::MAX {
                    first_met[number] = region;
                    continue;
                }
                let (a, b) = (land_of[other], land_of[region]);
                let (first, second) = (a.min(b), a.max(b));
                if first != second {
                    land_of
                        .iter_mut()
                        .filter(|l| **l == second)
                        .for_each(|l| *l = first);
                }
            }
        }
    }

    /// The canonical form of the current land by its links.
    fn labelled_by_links(&mut self) -> Land {
        let mut labelling = LinkLabelling {
            land: &self.marked,
            refinement: &mut self.refinement,
            automorphisms: Vec::new(),
        };
        let colours = vec![0; self.marked.links()];
        Land::from_canonical(&labelling.smallest(colours).form.encode())
    }
}

/// A form, and the ranks of links that give it.
struct Leaf {
    form: Form,
    rank: Vec<u16>,
}

/// The search for the smallest form of a land.
struct LinkLabelling<'a> {
    land: &'a MarkedLand,
    refinement: &'a mut Refinement,
    /// The automorphisms found, as permutations of links.
    automorphisms: Vec<Vec<u16>>,
}

impl LinkLabelling<'_> {
    /// The smallest form that agrees with the colours.
    fn smallest(&mut self, mut colours: Vec<u64>) -> Leaf {
        self.refinement.refine(self.land, &mut colours);
        let Some(tied) = smallest_tie(&colours) else {
            return self.leaf(&colours);
        };
        let known = self.automorphisms.len();
        let mut best = self.smallest(individualised(&colours, tied[0]));
        for (tried, &link) in tied.iter().enumerate().skip(1) {
            // All automorphisms found below this node fix the links individualised above it.
            if self.maps_to_any(link, &tied[..tried], known) {
                continue;
            }
            let mut leaf = self.any_leaf(individualised(&colours, link));
            if leaf.form != best.form {
                leaf = self.smallest(individualised(&colours, link));
            }
            match leaf.form.cmp(&best.form) {
                Ordering::Less => best = leaf,
                Ordering::Equal => self.automorphisms.push(mapping(&best, &leaf)),
                Ordering::Greater => {}
            }
        }
        best
    }

    /// The form when each tie is broken in favour of the first link.
    fn any_leaf(&mut self, mut colours: Vec<u64>) -> Leaf {
        loop {
            self.refinement.refine(self.land, &mut colours);
            match smallest_tie(&colours) {
                None => return self.leaf(&colours),
                Some(tied) => colours = individualised(&colours, tied[0]),
            }
        }
    }

    /// Whether the automorphisms after the first `known` ones map the link to one of `others`.
    fn maps_to_any(&self, link: usize, others: &[usize], known: usize) -> bool {
        let mut orbit = vec![link];
        let mut next = 0;
        while next < orbit.len() {
            for automorphism in &self.automorphisms[known..] {
                let image = usize::from(automorphism[orbit[next]]);
                if others.contains(&image) {
                    return true;
                }
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        false
    }

    /// The form when all links have different colours.
    fn leaf(&self, colours: &[u64]) -> Leaf {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_unstable_by_key(|&link| colours[link]);
        let mut rank = vec![0u16; colours.len()];
        for (position, &link) in order.iter().enumerate() {
            rank[link] = position as u16;
        }
        Leaf {
            form: self.land.form(&rank),
            rank,
        }
    }
}

/// The permutation of links that turns one leaf into another of the same form.
fn mapping(from: &Leaf, to: &Leaf) -> Vec<u16> {
    let mut by_rank = vec![0u16; to.rank.len()];
    for (link, &rank) in to.rank.iter().enumerate() {
        by_rank[usize::from(rank)] = link as u16;
    }
    from.rank
        .iter()
        .map(|&rank| by_rank[usize::from(rank)])
        .collect()
}
