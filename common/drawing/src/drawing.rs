//! A position of Sprouts as a picture.

use std::sync::Arc;

use sproutnet_game::sprouts::Mid;
use sproutnet_game::{self as game, Game, Position, Sprouts};

use crate::arrange;
use crate::error::DrawingError;
use crate::picture::Picture;
use crate::point::Point;
use crate::svg::{self, SvgOptions};

/// A spot with lives in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The number, from 1, in the order of the canonical text.
    pub number: usize,
    /// The number of lines that can still end here.
    pub lives: u32,
    /// The centre, in the units of the picture.
    pub at: Point,
    /// The radius, in the units of the picture.
    pub radius: f64,
}

/// A position as a picture.
#[derive(Clone, Debug)]
pub struct Drawing {
    pub(super) text: String,
    pub(super) panels: Vec<Panel>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The picture of a land, moved to its place.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) picture: Picture,
    /// The number of the land's first spot.
    pub(super) first: usize,
    pub(super) radii: Vec<f64>,
}

impl Drawing {
    /// Draws a position of Sprouts. The drawing depends only on the position.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, is too large, or is of another game.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        Self::in_the_plane(&Sprouts, Mid::Spot, position)
    }

    pub(super) fn in_the_plane(
        game: &dyn Game,
        mid: Mid,
        position: &Position,
    ) -> Result<Self, DrawingError> {
        let mut panels = Vec::new();
        let mut first = 1;
        for land in position.lands() {
            let picture = Arc::unwrap_or_clone(Picture::kept(game, mid, land)?);
            let live = picture.map.live().len();
            let radii = radii(&picture);
            panels.push(Panel {
                picture,
                first,
                radii,
            });
            first += live;
        }
        let sides = panels.iter().map(|panel: &Panel| 2.0 * panel.picture.half);
        let arranged = arrange::squares(sides);
        for (panel, corner) in panels.iter_mut().zip(arranged.corners) {
            let half = panel.picture.half;
            panel.picture.place(corner + Point::new(half, half), 1.0);
        }
        Ok(Self {
            text: game::qualified(game, &game.print(position)),
            panels,
            width: arranged.width,
            height: arranged.height,
        })
    }

    /// The spots with lives, in the order of their numbers.
    pub fn spots(&self) -> Vec<Spot> {
        let spots = self.panels.iter().flat_map(|panel| {
            let lives = panel.picture.map.live().iter().enumerate();
            lives.map(|(i, &lives)| Spot {
                number: panel.first + i,
                lives,
                at: panel.picture.spots[i],
                radius: panel.radii[i],
            })
        });
        spots.collect()
    }

    /// The width and the height of the picture.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The picture as an SVG document.
    pub fn svg(&self, options: &SvgOptions) -> String {
        svg::write(self, options)
    }
}

/// The radii of spots: by their lives, and smaller where there is little room.
fn radii(picture: &Picture) -> Vec<f64> {
    let clearances = picture.clearances();
    let radius = |(spot, clear): (usize, f64)| {
        let wanted: f64 = match picture.map.lives[spot] {
            0 => 2.2,
            1 => 6.4,
            2 => 7.0,
            _ => 7.6,
        };
        wanted.min(0.4 * clear)
    };
    clearances.into_iter().enumerate().map(radius).collect()
}
