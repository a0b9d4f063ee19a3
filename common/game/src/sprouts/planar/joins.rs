//! What joining two given spots leads to.
//!
//! The list of all curves is exponential in the number of boundaries around a face. Here the isolated
//! spots of a face are alike: only how many of them are cut off makes a difference.

use super::moves::Others;
use super::{Corner, MAX_DEGREE, PlanarMap};

/// What a curve between two spots leads to.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The map with the curve.
    pub map: PlanarMap,
    /// If the curve cuts its face in two: the spots that can still take lines, on either side of it. Those
    /// at its ends and on it are left out; a spot may be on both sides.
    pub sides: Option<[Vec<usize>; 2]>,
}

impl PlanarMap {
    /// What all curves between two spots lead to, or from a spot to itself, up to which of the
    /// isolated spots of a face are cut off: of so many always the first are. `None` if there are more
    /// than `most`.
    #[must_use]
    pub fn joins(&self, one: usize, other: usize, most: usize) -> Option<Vec<Joined>> {
        let mut joins = Vec::new();
        for pair in self.pairs() {
            let ends = [self.spot(pair.from), self.spot(pair.to)];
            if ends != [one, other] && ends != [other, one] {
                continue;
            }
            if pair.cuts && ways(&pair.rest).is_none_or(|ways| joins.len() + ways > most) {
                return None;
            }
            for curve in pair.curves(sharings) {
                let map = self.play(&curve);
                let sides = curve.sides(&map);
                let sides =
                    sides.map(|faces| faces.map(|face| map.live_in(face, &ends, self.spots)));
                joins.push(Joined { map, sides });
            }
        }
        (joins.len() <= most).then_some(joins)
    }

    /// The spots in a face that can take a line, but for some, and but for those from a number on.
    fn live_in(&self, face: usize, without: &[usize], below: usize) -> Vec<usize> {
        let degrees = self.degrees();
        let corners = self.faces[face].boundaries.iter();
        let corners = corners.flat_map(|&boundary| self.corners(boundary));
        let mut spots: Vec<usize> = corners.map(|corner| self.spot(corner)).collect();
        spots.sort_unstable();
        spots.dedup();
        spots
            .retain(|spot| *spot < below && degrees[*spot] < MAX_DEGREE && !without.contains(spot));
        spots
    }
}

/// In how many ways boundaries can be shared out; none if that is too large a number.
fn ways(boundaries: &[Corner]) -> Option<usize> {
    let isolated = boundaries
        .iter()
        .filter(|corner| is_isolated(corner))
        .count();
    let subsets = 1_usize.checked_shl(u32::try_from(boundaries.len() - isolated).ok()?)?;
    subsets.checked_mul(isolated + 1)
}

fn is_isolated(corner: &Corner) -> bool {
    matches!(corner, Corner::Isolated(_))
}

/// Every way to share boundaries out between two sides, isolated spots being alike.
fn sharings(boundaries: &[Corner]) -> Vec<Others> {
    let (isolated, others): (Vec<Corner>, Vec<Corner>) =
        boundaries.iter().partition(|c| is_isolated(c));
    let mut ways = Vec::new();
    for subset in 0..1_usize << others.len() {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for (i, &boundary) in others.iter().enumerate() {
            let side = if subset >> i & 1 == 1 {
                &mut one
            } else {
                &mut other
            };
            side.push(boundary);
        }
        for cut_off in 0..=isolated.len() {
            let (first, last) = isolated.split_at(cut_off);
            let with = |side: &[Corner], more: &[Corner]| [side, more].concat();
            ways.push(Others::Shared(with(&one, first), with(&other, last)));
        }
    }
    ways
}
