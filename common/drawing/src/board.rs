//! What becomes of a position when two of its spots are joined.

use std::collections::BTreeMap;

use super::embed::{Corner, Embedding};
use super::{DrawingError, embeddings};
use sproutnet_game::sprouts::planar::{self, PlanarMap};
use sproutnet_game::{Game, Position, Sprouts};

/// The most ways in which two spots may be joined.
const MOST_WAYS: usize = 1 << 13;

/// A position as a board to play on: its spots have the numbers that they have in a
/// [`Drawing`](super::Drawing).
#[derive(Clone, Debug)]
pub struct Board {
    lands: Vec<Land>,
}

#[derive(Clone, Debug)]
struct Land {
    map: PlanarMap,
    /// The lives of its spots that have any, and the number of the first.
    lives: Vec<u32>,
    first: usize,
    /// All lands but this one.
    others: Position,
}

/// A position that joining two spots leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The position.
    pub position: Position,
    /// Its canonical text.
    pub text: String,
    /// The ways of drawing the curve that lead to it, at least one.
    pub ways: Vec<Way>,
}

/// A way to draw a curve between two spots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The spots with lives, by number, that are on the one side of the curve and on the other, if it cuts
    /// its region in two; the spots that it joins are left out, and a spot may be on both sides. The
    /// isolated spots of a region are alike: of so many on the one side those of the lowest numbers stand
    /// for any.
    pub sides: Option<[Vec<usize>; 2]>,
}

impl Board {
    /// The board of a position of Sprouts.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, as a text may say, or is too large to find out.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        let mut lands = Vec::new();
        let mut first = 1;
        for (i, map) in embeddings(position)?.into_iter().enumerate() {
            let lives: Vec<u32> = map
                .lives
                .iter()
                .copied()
                .filter(|&lives| lives > 0)
                .collect();
            let others = [&position.lands()[..i], &position.lands()[i + 1..]].concat();
            lands.push(Land {
                map: planar(&map)?,
                first,
                others: Position::new(others),
                lives,
            });
            first += lands[i].lives.len();
        }
        Ok(Self { lands })
    }

    /// The lives of each spot, by its number, from 1.
    pub fn lives(&self) -> impl Iterator<Item = (usize, u32)> {
        let lives = self.lands.iter().flat_map(|land| &land.lives);
        lives.enumerate().map(|(i, &lives)| (i + 1, lives))
    }

    /// All positions that joining two spots leads to, or a spot to itself; none if they cannot be joined.
    ///
    /// # Errors
    /// There are too many ways to share out what else is in the region.
    pub fn joins(&self, one: usize, other: usize) -> Result<Vec<Join>, DrawingError> {
        let has =
            |land: &&Land, spot: usize| spot >= land.first && spot < land.first + land.lives.len();
        let both = |land: &&Land| has(land, one) && has(land, other);
        let Some(land) = self.lands.iter().find(both) else {
            return Ok(Vec::new());
        };
        let joined = land
            .map
            .joins(one - land.first, other - land.first, MOST_WAYS);
        let mut ways_to: BTreeMap<Position, Vec<Way>> = BTreeMap::new();
        for joined in joined.ok_or(DrawingError::TooLarge)? {
            let text = joined.map.text();
            // What was read once can be read with one spot more.
            let position = Sprouts.parse(&text).map_err(|_| DrawingError::TooLarge)?;
            let number = |spot: usize| land.first + spot;
            let sides = joined
                .sides
                .map(|sides| sides.map(|side| side.into_iter().map(number).collect()));
            let ways = ways_to.entry(position.plus(&land.others)).or_default();
            ways.push(Way { sides });
        }
        let joins = ways_to.into_iter().map(|(position, mut ways)| {
            ways.sort_unstable();
            ways.dedup();
            Join {
                text: Sprouts.print(&position),
                position,
                ways,
            }
        });
        let mut joins: Vec<Join> = joins.collect();
        joins.sort_by(|a, b| (a.text.len(), &a.text).cmp(&(b.text.len(), &b.text)));
        Ok(joins)
    }
}

/// The map as the rules engine has it, which checks it.
fn planar(map: &Embedding) -> Result<PlanarMap, DrawingError> {
    let darts: Vec<[usize; 3]> = (0..map.origin.len())
        .map(|dart| [map.origin[dart], dart ^ 1, map.next[dart]])
        .collect();
    let corner = |&corner: &Corner| match corner {
        Corner::Isolated(spot) => planar::Corner::Isolated(spot),
        Corner::Before(dart) => planar::Corner::Before(dart),
    };
    let faces = map
        .faces
        .iter()
        .map(|face| face.boundaries.iter().map(corner).collect());
    PlanarMap::from_parts(map.lives.len(), &darts, faces.collect())
        .map_err(|_| DrawingError::NotPlanar)
}
