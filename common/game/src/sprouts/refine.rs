//! Colour refinement: links get different colours if the views from their two places differ.
//!
//! Colours are hashes that do not depend on names, order or orientation. A collision causes a tie,
//! never a wrong form.

use super::form::{Mark, MarkedLand, Region};

/// Refines colours. The memory is used again for the next land.
#[derive(Default)]
pub(super) struct Refinement {
    seen: Vec<u64>,
    sorted: Vec<u64>,
    /// For both orientations, each link with the hash of its boundary as seen from there.
    views: [Vec<(u16, u64)>; 2],
}

impl Refinement {
    /// Refines the colours of links until their number stands still.
    pub(super) fn refine(&mut self, land: &MarkedLand, colours: &mut [u64]) {
        let mut distinct = self.count_distinct(colours);
        while distinct < colours.len() {
            self.seen.clear();
            self.seen.resize(colours.len(), 0);
            for region in land.regions() {
                self.look_around(land, region, colours);
            }
            for (colour, &seen) in colours.iter_mut().zip(&self.seen) {
                *colour = mix(colour.wrapping_mul(MULTIPLIER) ^ mix(seen));
            }
            let now = self.count_distinct(colours);
            if now == distinct {
                break;
            }
            distinct = now;
        }
    }

    /// Adds the view of the region to each link in it. It is the same for the mirror image.
    fn look_around(&mut self, land: &MarkedLand, region: &Region, colours: &[u64]) {
        let mut totals = [u64::from(region.isolated); 2];
        for (orientation, total) in totals.iter_mut().enumerate() {
            let views = &mut self.views[orientation];
            views.clear();
            for boundary in region.boundaries.clone() {
                let first = views.len();
                let mut whole = 0u64;
                walk(land.marks(boundary, orientation), colours, |mark, hash| {
                    whole = whole.wrapping_add(mix(hash));
                    if let Some(link) = mark.as_link() {
                        views.push((link, hash));
                    }
                });
                let whole = mix(whole);
                *total = total.wrapping_add(whole);
                for view in &mut views[first..] {
                    view.1 = mix(view.1 ^ whole);
                }
            }
        }
        for (views, total) in self.views.iter().zip(totals) {
            let total = mix(total);
            for &(link, hash) in views {
                let seen = &mut self.seen[usize::from(link)];
                *seen = seen.wrapping_add(mix(hash.wrapping_add(total)));
            }
        }
    }

    fn count_distinct(&mut self, colours: &[u64]) -> usize {
        self.sorted.clear();
        self.sorted.extend_from_slice(colours);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.len()
    }
}

/// The smallest group of links that share a colour; of equal groups the one with the least colour.
pub(super) fn smallest_tie(colours: &[u64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|&link| colours[link]);
    order
        .chunk_by(|&a, &b| colours[a] == colours[b])
        .filter(|group| group.len() > 1)
        .min_by_key(|group| group.len())
        .map(<[usize]>::to_vec)
}

/// The colours with a new one for a link.
pub(super) fn individualised(colours: &[u64], link: usize) -> Vec<u64> {
    let mut colours = colours.to_vec();
    colours[link] = mix(!colours[link]);
    colours
}

/// Calls `visit` at each place of a boundary with a hash of the walk once around from there.
fn walk(boundary: &[Mark], colours: &[u64], mut visit: impl FnMut(Mark, u64)) {
    let code = |mark: Mark| {
        mix(match mark.as_link() {
            Some(link) => colours[usize::from(link)] ^ MULTIPLIER,
            None => mark.number(),
        })
    };
    let mut hash = 0u64;
    let mut top = 1u64;
    for (i, &mark) in boundary.iter().enumerate() {
        hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(code(mark));
        if i > 0 {
            top = top.wrapping_mul(MULTIPLIER);
        }
    }
    for &mark in boundary {
        visit(mark, hash);
        let code = code(mark);
        let rest = hash.wrapping_sub(code.wrapping_mul(top));
        hash = rest.wrapping_mul(MULTIPLIER).wrapping_add(code);
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64).
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(MULTIPLIER);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
