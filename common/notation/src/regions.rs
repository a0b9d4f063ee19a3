//! A land, or a position as it is written, as its regions: what is met where, without how it is kept.

use crate::raw::{Sketch, Spot};
use crate::text::{self, ParseError};

/// What is met on a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// A spot without lines, alone on its boundary.
    Isolated,
    /// A spot with one line.
    End,
    /// A spot with two lines that is met once.
    Mid,
    /// A spot with two lines that is met twice; the number is the same both times, and no other's.
    Letter(usize),
}

/// Regions, each a list of boundaries, each the spots met on it in cyclic order.
pub type Regions = Vec<Vec<Vec<Met>>>;

/// The regions of all lands of a position as its text has them: nothing is simplified but that dead spots
/// are left out, and a letter may be met once.
///
/// # Errors
/// The text is no position.
pub fn written(text: &str) -> Result<Regions, ParseError> {
    text::parse(text).map(|sketch| outline(&sketch))
}

/// The regions of a position as it is kept.
pub fn outline(sketch: &Sketch) -> Regions {
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
