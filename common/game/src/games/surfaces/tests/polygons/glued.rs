//! Gluing polygons, and the resulting regions.

use std::collections::BTreeSet;

use super::{Item, Polygon, Seen};

/// A place between two items on the rim of a polygon: the polygon, the item after it; and the direction of a walk.
type Gap = (usize, usize, bool);

/// Polygons whose sides are glued in pairs.
pub(super) struct Glued<'a> {
    pub(super) polygons: &'a [Polygon],
}

impl Glued<'_> {
    /// The regions, in any order.
    pub(super) fn regions(&self) -> Vec<Seen> {
        let mut met = BTreeSet::new();
        let mut regions = Vec::new();
        for first in 0..self.polygons.len() {
            if !met.contains(&first) {
                let (region, is_orientable) = self.region(first);
                met.extend(region.iter().map(|&(polygon, _)| polygon));
                let boundaries = self.boundaries(&region);
                let items = region
                    .iter()
                    .flat_map(|&(polygon, _)| &self.polygons[polygon]);
                let sides = items.filter(|item| matches!(item, Item::Side(..))).count() / 2;
                // The Euler characteristic of the closed surface is 2 less the Euler genus.
                let genus = 2 + sides - region.len() - boundaries.len();
                regions.push((genus, is_orientable, boundaries));
            }
        }
        regions
    }

    /// The polygons of the region with this one, each with whether it is turned over, and whether that can be done so that
    /// all have one orientation.
    fn region(&self, first: usize) -> (Vec<(usize, bool)>, bool) {
        let mut region = vec![(first, false)];
        let mut is_orientable = true;
        let mut next = 0;
        while let Some(&(polygon, is_turned)) = region.get(next) {
            next += 1;
            for (place, &item) in self.polygons[polygon].iter().enumerate() {
                let Item::Side(_, way) = item else { continue };
                let (beyond, _, other_way) = self.beyond(polygon, place);
                // Both have one orientation if they meet the side in opposite directions.
                let is_turned = is_turned != (way == other_way);
                match region.iter().find(|&&(met, _)| met == beyond) {
                    Some(&(_, expected)) => is_orientable &= is_turned == expected,
                    None => region.push((beyond, is_turned)),
                }
            }
        }
        (region, is_orientable)
    }

    /// The other place of a side, and its direction there.
    fn beyond(&self, polygon: usize, place: usize) -> (usize, usize, bool) {
        let Item::Side(side, _) = self.polygons[polygon][place] else {
            unreachable!("this is no side");
        };
        for (other, items) in self.polygons.iter().enumerate() {
            for (there, item) in items.iter().enumerate() {
                if let Item::Side(met, way) = *item
                    && met == side
                    && (other, there) != (polygon, place)
                {
                    return (other, there, way);
                }
            }
        }
        unreachable!("a side is met twice")
    }

    /// The spots on each boundary of a region, in the direction that the orientation gives.
    fn boundaries(&self, region: &[(usize, bool)]) -> Vec<Vec<usize>> {
        let mut boundaries = Vec::new();
        let mut met = BTreeSet::new();
        for &(polygon, is_turned) in region {
            for gap in 0..self.polygons[polygon].len() {
                if met.contains(&(polygon, gap)) {
                    continue;
                }
                let start = (polygon, gap, !is_turned);
                let mut boundary = Vec::new();
                let mut at = start;
                loop {
                    met.insert((at.0, at.1));
                    at = self.step(at, &mut boundary);
                    if at == start {
                        break;
                    }
                }
                boundaries.push(boundary);
            }
        }
        boundaries
    }

    /// The next place on a walk along a boundary. A spot on the way is added to it.
    fn step(&self, (polygon, gap, forward): Gap, boundary: &mut Vec<usize>) -> Gap {
        let items = &self.polygons[polygon];
        let place = if forward {
            gap
        } else {
            (gap + items.len() - 1) % items.len()
        };
        let after = |polygon: usize, place: usize, forward: bool| {
            let next = if forward {
                (place + 1) % self.polygons[polygon].len()
            } else {
                place
            };
            (polygon, next, forward)
        };
        match items[place] {
            Item::Side(_, way) => {
                // Beyond the side, in the same direction along the rim if both meet it in opposite directions.
                let (other, there, other_way) = self.beyond(polygon, place);
                after(other, there, forward == (way != other_way))
            }
            Item::Spot(spot) => {
                boundary.push(spot);
                after(polygon, place, forward)
            }
            _ => unreachable!("the curve is drawn"),
        }
    }
}
