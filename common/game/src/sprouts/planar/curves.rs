//! The curves between two given spots, where the caller chooses the side of each other boundary.

use super::moves::{Others, Pair};
use super::{Corner, PlanarMap};

/// A way to join two spots, before the other boundaries of the face are shared out.
#[derive(Clone, Debug)]
pub struct Curve {
    pair: Pair,
    sides: Option<[Vec<usize>; 2]>,
    others: Vec<Vec<usize>>,
}

impl Curve {
    /// The spots of the curve's own boundary on either side, if the curve cuts its face in two. The ends and the new
    /// spot are on both sides, and others can be. Sorted.
    pub fn sides(&self) -> Option<&[Vec<usize>; 2]> {
        self.sides.as_ref()
    }

    /// The spots of each other boundary of the face. Sorted.
    pub fn others(&self) -> &[Vec<usize>] {
        &self.others
    }

    /// The map with the curve. If it cuts its face in two, `is_first` says for each other boundary whether it is on the
    /// first side.
    ///
    /// # Panics
    /// If the map is not the one of the curve.
    #[must_use]
    pub fn draw(&self, map: &PlanarMap, is_first: &[bool]) -> PlanarMap {
        let shared = |rest: &[Corner]| {
            let (first, second): (Vec<_>, Vec<_>) =
                rest.iter().zip(is_first).partition(|&(_, &first)| first);
            let corners = |side: Vec<(&Corner, &bool)>| side.into_iter().map(|(&c, _)| c).collect();
            vec![Others::Shared(corners(first), corners(second))]
        };
        let curves = self.pair.curves(shared);
        let [curve] = &curves[..] else {
            unreachable!("one distribution gives one curve");
        };
        map.play(curve)
    }
}

impl PlanarMap {
    /// The curves between two spots, or from a spot to itself: one for each two corners that may be joined.
    #[must_use]
    pub fn curves_between(&self, one: usize, other: usize) -> Vec<Curve> {
        let are_ends = |a, b| [a, b] == [one, other] || [b, a] == [one, other];
        let pairs = self.pairs_where(are_ends).into_iter();
        let curve = |pair: Pair| Curve {
            others: pair.rest.iter().map(|&named| self.met(named)).collect(),
            sides: self.own_sides(&pair),
            pair,
        };
        pairs.map(curve).collect()
    }

    /// The spots of a curve's own boundary on either side, if it cuts its face in two.
    fn own_sides(&self, pair: &Pair) -> Option<[Vec<usize>; 2]> {
        let curves = pair.curves(|_| vec![Others::Shared(Vec::new(), Vec::new())]);
        let curve = curves.first()?;
        let map = self.play(curve);
        let faces = curve.sides(&map)?;
        Some(faces.map(|face| map.met(map.faces[face].boundaries[0])))
    }

    /// The spots of a boundary, each once. Sorted.
    fn met(&self, boundary: Corner) -> Vec<usize> {
        let corners = self.corners(boundary).into_iter();
        let mut spots: Vec<usize> = corners.map(|corner| self.spot(corner)).collect();
        spots.sort_unstable();
        spots.dedup();
        spots
    }
}
