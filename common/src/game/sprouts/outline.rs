//! A land as its regions: what is met where, without how it is kept.

use super::encoding;
use super::sketch::Spot;
use crate::game::Land;

/// What is met on a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Met {
    /// A spot without lines, alone on its boundary.
    Isolated,
    /// A spot with one line.
    End,
    /// A spot with two lines that is met once.
    Mid,
    /// A spot with two lines that is met twice; the number is the same both times, and no other's.
    Letter(usize),
}

/// The regions of a land, each a list of boundaries, each the spots met on it in cyclic order.
pub(crate) fn regions(land: &Land) -> Vec<Vec<Vec<Met>>> {
    let sketch = encoding::sketch(land);
    let met = |&spot: &Spot| match (spot.number(), spot) {
        (Some(number), _) => Met::Letter(number),
        (None, Spot::ISOLATED) => Met::Isolated,
        (None, Spot::END) => Met::End,
        (None, _) => Met::Mid,
    };
    let boundary = |boundary: &[Spot]| boundary.iter().map(met).collect();
    (0..sketch.regions())
        .map(|region| sketch.boundaries(region).map(boundary).collect())
        .collect()
}
