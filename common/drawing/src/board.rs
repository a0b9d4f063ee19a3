//! The results of joining two spots of a position.

use std::collections::BTreeSet;

use sproutnet_game::sprouts::Mid;
use sproutnet_game::sprouts::planar::PlanarMap;
use sproutnet_game::{self as game, Game, Position, Sprouts};

use crate::embed::Embedding;
use crate::error::DrawingError;
use crate::joins::joins;

/// A position on which two spots can be joined. Spots have the same numbers as in a [`Drawing`](super::Drawing).
#[derive(Clone, Debug)]
pub struct Board {
    lands: Vec<Land>,
}

#[derive(Clone, Debug)]
struct Land {
    map: PlanarMap,
    /// The lives of the spots that have any, and the number of the first of them.
    lives: Vec<u32>,
    first: usize,
    /// All lands but this one.
    others: Position,
}

/// A position that results from joining two spots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The position.
    pub position: Position,
    /// Its canonical text.
    pub text: String,
    /// The curves that lead to it, at least one.
    pub ways: Vec<Way>,
}

/// A way to draw a curve between two spots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The numbers of the spots with lives on either side of the curve; `None` if it does not cut its region in two.
    /// The spots that it joins are left out. A spot can be on both sides. The isolated spots of a region are
    /// interchangeable: those with the lowest numbers are on the first side.
    pub sides: Option<[Vec<usize>; 2]>,
}

impl Board {
    /// The board of a position of Sprouts.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        let mut lands = Vec::new();
        let mut first = 1;
        let maps = Embedding::of_all(&Sprouts, Mid::Spot, position)?;
        for (i, map) in maps.iter().enumerate() {
            let lives = map.live().to_vec();
            let others = [&position.lands()[..i], &position.lands()[i + 1..]].concat();
            lands.push(Land {
                map: map.planar()?,
                first,
                others: Position::new(others),
                lives,
            });
            first += lands[i].lives.len();
        }
        Ok(Self { lands })
    }

    /// The number of each spot, counted from 1, with its lives.
    pub fn lives(&self) -> impl Iterator<Item = (usize, u32)> {
        let lives = self.lands.iter().flat_map(|land| &land.lives);
        lives.enumerate().map(|(i, &lives)| (i + 1, lives))
    }

    /// All positions after joining two spots, or a spot to itself. Empty if they cannot be joined.
    ///
    /// # Errors
    /// The rest of the region can be distributed in too many ways.
    pub fn joins(&self, one: usize, other: usize) -> Result<Vec<Join>, DrawingError> {
        let has =
            |land: &&Land, spot: usize| spot >= land.first && spot < land.first + land.lives.len();
        let both = |land: &&Land| has(land, one) && has(land, other);
        let Some(land) = self.lands.iter().find(both) else {
            return Ok(Vec::new());
        };
        let (one, other) = (one - land.first, other - land.first);
        let joined = joins(&land.map, one, other).ok_or(DrawingError::TooLarge)?;
        let numbers = |side: Vec<usize>| side.into_iter().map(|spot| land.first + spot).collect();
        let joins = joined.into_iter().map(|(position, curves)| {
            let sides = curves.into_iter().map(|curve| curve.sides);
            let ways = sides.map(|sides| Way {
                sides: sides.map(|sides| sides.map(numbers)),
            });
            let position = position.plus(&land.others);
            Join {
                text: game::qualified(&Sprouts, &Sprouts.print(&position)),
                position,
                ways: ways.collect::<BTreeSet<Way>>().into_iter().collect(),
            }
        });
        let mut joins: Vec<Join> = joins.collect();
        joins.sort_by(|a, b| (a.text.len(), &a.text).cmp(&(b.text.len(), &b.text)));
        Ok(joins)
    }
}
