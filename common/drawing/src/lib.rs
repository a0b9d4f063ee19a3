//! Positions as pictures, and those of Sprouts as boards to play on.
//!
//! [`svg`](fn@svg) draws a position of any game that has pictures. Games but Sprouts give the shapes
//! ([`sproutnet_game::picture`]).
//!
//! A [`Drawing`] is a picture of a position of Sprouts: spots, curves that do not cross, and the dead spots that the
//! text leaves out. Each land has its own panel. A [`Board`] gives the results of joining two spots, so
//! that people can play on the picture.
//!
//! - `arrange`: the places of panels.
//! - `shapes`: pictures that games give as shapes.
//! - `embed`: a land as a map, with dead spots.
//! - `mesh`: the plane cut into triangles along the lines of the map.
//! - `tutte`, `layout`, `relax`: the places of the vertices.
//! - `curves`: smooth curves.
//! - `picture`: the picture of a land; `kept`: those that were drawn last.
//! - `labels`: the places of the names of spots.
//! - `svg`: the picture as an SVG document.
//! - `sketch`: the picture as text.
//! - `board`: the results of joining spots.
//! - [`sheet`]: a match on one drawing, which stays while moves are added.

mod arrange;
mod board;
mod curves;
mod embed;
mod kept;
mod labels;
mod layout;
mod mesh;
mod picture;
mod point;
mod relax;
mod shapes;
pub mod sheet;
mod sketch;
mod svg;
mod tutte;

pub use board::{Board, Join, Way};
pub use labels::Labels;
pub use point::Point;
pub use sketch::Sketch;
pub use svg::SvgOptions;

use embed::Embedding;
use picture::Picture;
use sproutnet_game::sprouts::Mid;
use sproutnet_game::{self as game, Game, Position, Sprouts};

/// The position cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// No drawing in the plane has these regions.
    #[error("this position cannot be drawn in the plane: no drawing has these regions")]
    NotPlanar,
    /// There is too much to draw, or to distribute between the two sides of a curve.
    #[error("this position is too large to draw")]
    TooLarge,
    /// The game has no pictures.
    #[error("positions of this game cannot be drawn")]
    NoPictures,
}

/// Whether a game has pictures.
pub fn has_pictures(game: &dyn Game) -> bool {
    game.mid().is_some() || game.picture(&Position::default()).is_some()
}

/// What is seen in the pictures of a game, in a sentence or two; nothing if it has none.
pub fn caption(game: &dyn Game) -> Option<&'static str> {
    match game.mid() {
        Some(Mid::Spot) => {
            return Some("A spot shows how many lines it can still take. Each colour is a region.");
        }
        Some(Mid::FreeEnd) => {
            return Some(
                "A spot or a free end shows how many lines it can still take. Each colour is a region.",
            );
        }
        None => {}
    }
    let picture = game.picture(&Position::default());
    picture.map(|picture| picture.caption)
}

/// A position of any game as an SVG document, which depends only on the position and the options.
///
/// # Errors
/// The position cannot be drawn in the plane, is too large, or is of a game without pictures.
pub fn svg(
    game: &dyn Game,
    position: &Position,
    options: &SvgOptions,
) -> Result<String, DrawingError> {
    if let Some(mid) = game.mid() {
        return Ok(Drawing::in_the_plane(game, mid, position)?.svg(options));
    }
    let picture = game.picture(position).ok_or(DrawingError::NoPictures)?;
    let text = game::qualified(game, &game.print(position));
    shapes::write(&picture, &text, options)
}

/// The most lines of lands that are drawn for the first time while somebody waits: they take some 25 ms.
const MOST_LINES_AT_ONCE: usize = 24;

/// The width and the height of the picture of a position that takes long to draw: lands with many lines are not in the
/// cache.
pub fn size_if_slow(game: &dyn Game, position: &Position) -> Option<(f64, f64)> {
    let mid = game.mid()?;
    let lands = position.lands().iter();
    let all_kept = lands.clone().all(|land| kept::has(game, land));
    if all_kept {
        return None;
    }
    let maps = embeddings(game, mid, position).ok()?;
    let new = lands.zip(&maps).filter(|(land, _)| !kept::has(game, land));
    let lines: usize = new.map(|(_, map)| map.lines()).sum();
    let sides = maps.iter().map(|map| 2.0 * picture::half(map));
    let sizes: Vec<_> = sides.map(|side| (side, side)).collect();
    let all = arrange::beside(&sizes);
    (lines > MOST_LINES_AT_ONCE).then_some((all.width, all.height))
}

/// A spot with lives in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its number, from 1, in the order of the canonical text.
    pub number: usize,
    /// The number of lines that it can still take.
    pub lives: u32,
    /// Its place, in the units of the picture.
    pub at: Point,
    /// Its radius, in the units of the picture.
    pub radius: f64,
}

/// A position as a picture.
#[derive(Clone, Debug)]
pub struct Drawing {
    text: String,
    panels: Vec<Panel>,
    width: f64,
    height: f64,
}

/// The picture of a land in its place.
#[derive(Clone, Debug)]
struct Panel {
    picture: Picture,
    /// The number of the land's first spot.
    first: usize,
    radii: Vec<f64>,
}

impl Drawing {
    /// Draws a position of Sprouts. The drawing depends only on the position.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, is too large, or is of another game.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        Self::in_the_plane(&Sprouts, Mid::Spot, position)
    }

    fn in_the_plane(game: &dyn Game, mid: Mid, position: &Position) -> Result<Self, DrawingError> {
        let mut panels = Vec::new();
        let mut first = 1;
        for land in position.lands() {
            let picture = Picture::clone(&*kept::picture(game, mid, land)?);
            let live = picture.map.live().len();
            let radii = radii(&picture);
            panels.push(Panel {
                picture,
                first,
                radii,
            });
            first += live;
        }
        let mut drawing = Self {
            text: game::qualified(game, &game.print(position)),
            panels,
            width: 0.0,
            height: 0.0,
        };
        drawing.arrange();
        Ok(drawing)
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

    fn arrange(&mut self) {
        let sides = self.panels.iter().map(|panel| 2.0 * panel.picture.half);
        let sizes: Vec<_> = sides.map(|side| (side, side)).collect();
        let arranged = arrange::beside(&sizes);
        for (panel, corner) in self.panels.iter_mut().zip(arranged.corners) {
            let half = panel.picture.half;
            panel.picture.place(corner + Point::new(half, half), 1.0);
        }
        self.width = arranged.width;
        self.height = arranged.height;
    }
}

fn embeddings(
    game: &dyn Game,
    mid: Mid,
    position: &Position,
) -> Result<Vec<Embedding>, DrawingError> {
    let lands = position.lands().iter();
    lands.map(|land| kept::embedding(game, mid, land)).collect()
}

/// The radii of spots, which depend on their lives and the room around them.
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
