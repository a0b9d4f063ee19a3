//! A position as a picture: a panel for each land.

use std::sync::Arc;

use sproutnet_game::sprouts::Mid;
use sproutnet_game::{self as game, Game, Position};

use crate::arrange;
use crate::error::DrawingError;
use crate::picture::Picture;
use crate::point::Point;

/// A position as a picture.
pub(super) struct Drawing {
    pub(super) text: String,
    pub(super) panels: Vec<Panel>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The picture of a land, moved to its place.
pub(super) struct Panel {
    pub(super) picture: Picture,
    /// The number of the land's first spot.
    pub(super) first: usize,
    pub(super) radii: Vec<f64>,
}

impl Drawing {
    /// Draws a position. The drawing depends only on the position.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, is too large, or is of another game.
    pub(super) fn of(game: &dyn Game, mid: Mid, position: &Position) -> Result<Self, DrawingError> {
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
}

impl Panel {
    /// The spots with lives, each with its number, in the order of the canonical text, its place and its radius.
    pub(super) fn spots(&self) -> impl Iterator<Item = (usize, Point, f64)> {
        let places = self.picture.spots.iter().zip(&self.radii);
        let live = places.take(self.picture.map.live().len());
        live.zip(self.first..)
            .map(|((&at, &radius), number)| (number, at, radius))
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
