//! The results of joining two given spots.
//!
//! The number of curves is exponential in the number of boundaries of a face. Here the isolated spots of a face are
//! interchangeable, so that only the number of cut-off ones matters.

use super::moves::{Move, distributions};
use super::{Corner, PlanarMap};

/// The result of a curve between two spots.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The map with the curve.
    pub map: PlanarMap,
    /// The spots with lives on either side of the curve, if it cuts its face in two. The spots at its ends
    /// and on it are left out; a spot can be on both sides.
    pub sides: Option<[Vec<usize>; 2]>,
    /// The corners, in the map before, from which the curve leaves its ends.
    pub corners: [Corner; 2],
    /// The boundaries of the map before on either side of the curve, if it cuts its face in two. The first side is the
    /// one seen on a walk along the curve from the first corner to the second.
    pub around: Option<[Vec<Corner>; 2]>,
}

impl PlanarMap {
    /// The results of all curves between two spots, or from a spot to itself. Of the isolated spots of a face, the
    /// first ones are always cut off. `None` if there are more than `most` results.
    #[must_use]
    pub fn joins(&self, one: usize, other: usize, most: usize) -> Option<Vec<Joined>> {
        self.joins_by(Self::play, one, other, most)
    }

    /// The same for curves with a cross on them.
    #[must_use]
    pub fn joins_with_crosses(&self, one: usize, other: usize, most: usize) -> Option<Vec<Joined>> {
        self.joins_by(Self::play_cross, one, other, most)
    }

    fn joins_by(
        &self,
        play: impl Fn(&Self, &Move) -> Self,
        one: usize,
        other: usize,
        most: usize,
    ) -> Option<Vec<Joined>> {
        let mut joins = Vec::new();
        let are_ends = |a, b| [a, b] == [one, other] || [b, a] == [one, other];
        for pair in self.pairs_where(are_ends) {
            let ends = [one, other];
            if pair.cuts && ways(&pair.rest).is_none_or(|ways| joins.len() + ways > most) {
                return None;
            }
            let with_alike = |rest: &[Corner]| {
                let (alike, others): (Vec<Corner>, Vec<Corner>) =
                    rest.iter().partition(|corner| is_isolated(corner));
                distributions(&others, &alike)
            };
            for curve in pair.curves(with_alike) {
                let map = play(self, &curve);
                let around = curve.around();
                let sides = curve.sides(&map);
                let sides =
                    sides.map(|faces| faces.map(|face| map.live_in(face, &ends, self.spots)));
                joins.push(Joined {
                    map,
                    sides,
                    corners: [pair.from, pair.to],
                    around,
                });
            }
        }
        (joins.len() <= most).then_some(joins)
    }

    /// The spots below a number in a face that can take a line, except for some.
    fn live_in(&self, face: usize, without: &[usize], below: usize) -> Vec<usize> {
        let lives = self.lives_of_spots();
        let corners = self.faces[face].boundaries.iter();
        let corners = corners.flat_map(|&boundary| self.corners(boundary));
        let mut spots: Vec<usize> = corners.map(|corner| self.spot(corner)).collect();
        spots.sort_unstable();
        spots.dedup();
        spots.retain(|spot| *spot < below && lives[*spot] > 0 && !without.contains(spot));
        spots
    }
}

/// The number of distributions of boundaries. `None` if it is too large.
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
