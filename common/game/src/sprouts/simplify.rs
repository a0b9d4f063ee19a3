//! The equivalences that leave the game tree unchanged, in both conventions. 5 and 6 hold for dots alone; see
//! [`Rules::merges_small_regions`], and `docs/explanation/surfaces.md` for the role of surfaces.
//!
//! 1. dead spots vanish (moves and the parser leave them out);
//! 2. neighbouring copies of a letter on a boundary become one;
//! 3. empty boundaries vanish, and so do regions with fewer than two lives;
//! 4. a letter with only one copy left becomes a [`Spot::MID`];
//! 5. in a region with two or three lives only the spots matter, not their boundaries: a move there
//!    takes two lives and leaves no move inside. The spots go on one boundary, and a letter with both
//!    copies there becomes a [`Spot::MID`]. Nor does its surface matter, so that it becomes a sphere;
//! 6. a region with four lives that is not on a sphere is on the projective plane: all such surfaces are alike there.
//!
//! One pass in this order reaches the fixpoint. 2 removes one of two copies, never a life, and creates
//! no new neighbours since a letter has no third copy. The lives of a region do not depend on other
//! regions. 4 to 6 do not change the lives of a region.

use super::rules::{Rules, halves};
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::surface::Surface;

/// Simplifies raw positions. Its memory is reused.
pub(super) struct Simplifier {
    merges_small_regions: bool,
    copies: Vec<u8>,
    sorted: Vec<Spot>,
}

impl Simplifier {
    /// Simplifies by the equivalences that hold under these rules.
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            merges_small_regions: rules.merges_small_regions(),
            copies: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// Replaces `to` by the simplified form of `from`.
    pub(super) fn simplify(&mut self, from: &RawPosition, to: &mut RawPosition) {
        self.simplify_part(from, 0, to);
    }

    /// Like [`Self::simplify`], for a part of a land: the other copies of letters below `open_letters` are elsewhere.
    pub(super) fn simplify_part(
        &mut self,
        from: &RawPosition,
        open_letters: usize,
        to: &mut RawPosition,
    ) {
        to.clear();
        to.reserve_letters(from.letters());
        self.copies.clear();
        self.copies.resize(open_letters, 1);
        self.copies.resize(from.letters().max(open_letters), 0);
        for region in 0..from.regions() {
            for boundary in from.boundaries(region) {
                push_collapsed(boundary, to);
            }
            self.close_region(from.surface(region), to);
        }
        for spot in to.spots_mut() {
            if spot.number().is_some_and(|number| self.copies[number] == 1) {
                *spot = Spot::MID;
            }
        }
    }

    /// Ends the open region: drops it if it has no moves left, merges its boundaries if they do not matter, and counts
    /// the copies of its letters.
    fn close_region(&mut self, surface: Surface, to: &mut RawPosition) {
        let mut surface = surface;
        if surface != Surface::SPHERE || !is_large(to.open_region()) {
            match close_small_region(to, &mut self.sorted, self.merges_small_regions) {
                0 => return,
                2 | 3 if self.merges_small_regions => surface = Surface::SPHERE,
                4 if surface != Surface::SPHERE => surface = Surface::PROJECTIVE_PLANE,
                _ => {}
            }
        }
        for spot in to.open_region() {
            if let Some(number) = spot.number() {
                self.copies[number] += 1;
            }
        }
        to.end_region_on(surface);
    }
}

/// Adds a boundary, with one copy in place of neighbouring copies of a letter.
fn push_collapsed(boundary: &[Spot], to: &mut RawPosition) {
    let mut before = Spot::DEAD;
    for &spot in boundary {
        if spot.number().is_none() || spot != before {
            to.push(spot);
        }
        before = spot;
    }
    if let [first, .., last] = to.open_boundary()
        && first == last
        && first.number().is_some()
    {
        to.pop();
    }
    to.end_boundary();
}

/// Whether the spots of a region certainly have more than three lives.
fn is_large(spots: &[Spot]) -> bool {
    // The other copy of a letter may be here as well.
    spots.iter().map(|&spot| halves(spot)).sum::<u32>() >= 8
}

/// Drops the open region if it has no moves left. With `merges`, merges its boundaries if they do not matter. Returns
/// the lives of the region, or 0 if it is gone. `sorted` is scratch memory.
fn close_small_region(to: &mut RawPosition, sorted: &mut Vec<Spot>, merges: bool) -> u32 {
    sorted.clear();
    sorted.extend_from_slice(to.open_region());
    sorted.sort_unstable();
    let is_pair = |pair: &[Spot]| pair[0] == pair[1] && pair[0].number().is_some();
    let pairs = sorted.windows(2).filter(|pair| is_pair(pair)).count() as u32;
    let lives = sorted.iter().map(|spot| spot.lives()).sum::<u32>() - pairs;
    if lives < 2 {
        to.drop_region();
        return 0;
    }
    if merges && lives <= 3 {
        for i in 1..sorted.len() {
            if is_pair(&sorted[i - 1..=i]) {
                sorted[i - 1] = Spot::MID;
                sorted[i] = Spot::DEAD;
            }
        }
        sorted.retain(|&spot| spot != Spot::DEAD);
        sorted.sort_unstable();
        to.drop_region();
        to.push_boundary(sorted);
    }
    lives
}
