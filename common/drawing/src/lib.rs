//! Positions of games as pictures, and positions of Sprouts as sheets to play on.
//!
//! [`svg`](fn@svg) draws a position of any game that has pictures. Games other than Sprouts give the shapes
//! ([`sproutnet_game::picture`]).
//!
//! ```
//! let (game, position) = sproutnet_game::parse("0*2.AB|AB")?;
//! let picture = sproutnet_drawing::svg(&*game, &position, &Default::default())?;
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The picture of a position of Sprouts shows its spots, curves that do not cross, and the dead spots that the text
//! leaves out. Each land has its own panel.
//!
//! From the bottom to the top:
//!
//! - `point`: points of the plane; `curves`: smooth curves; `arrange`: the places of panels.
//! - `paper`: spots and lines on a square of paper; `triangles`: a triangulation with the lines as edges; `relax`:
//!   evening out; `clear`: making room; `tight`: where there is too little.
//! - `embed`: a land as a map, with dead spots.
//! - `mesh`: the plane cut into triangles along the lines of the map; `tutte`, `layout`: the first places of its
//!   vertices.
//! - `land`: a land on paper; `picture`: the picture of a land, and a cache of pictures.
//! - `drawing`: the picture of a position; `labels`: the places of the names of spots; `svg`: the picture as an SVG
//!   document; `number`: coordinates in it.
//! - `pips`: the dots that show how many lines a spot can still take.
//! - `shapes`: the shapes of other games as an SVG document.
//! - [`sheet`]: a match on one drawing, to which each move adds a line.
//! - this module: pictures of any game.

mod arrange;
mod clear;
mod curves;
mod drawing;
mod embed;
mod error;
mod labels;
mod land;
mod layout;
mod mesh;
mod number;
mod paper;
mod picture;
mod pips;
mod point;
mod relax;
mod shapes;
pub mod sheet;
mod svg;
mod tight;
mod triangles;
mod tutte;

pub use error::DrawingError;
pub use labels::Labels;
pub use point::Point;
pub use sproutnet_game::picture::has_pictures;
pub use svg::SvgOptions;

use drawing::Drawing;
use embed::Embedding;
use picture::Picture;
use sproutnet_game::sprouts::Mid;
use sproutnet_game::{self as game, Game, Position};

/// An explanation of the pictures of a game, in a sentence or two; `None` if the game has no pictures.
pub fn caption(game: &dyn Game) -> Option<&'static str> {
    match game.mid() {
        Some(Mid::Spot) => {
            return Some(
                "The dots in a spot are the lines that it can still take. Each colour of the paper is a region.",
            );
        }
        Some(Mid::FreeEnd) => {
            return Some(
                "The dots in a spot or a free end are the lines that it can still take. Each colour of the paper is a region.",
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
        return Ok(svg::write(&Drawing::of(game, mid, position)?, options));
    }
    let picture = game.picture(position).ok_or(DrawingError::NoPictures)?;
    let text = game::qualified(game, &game.print(position));
    shapes::write(&picture, &text, options)
}

/// The maximum number of lines in uncached lands that are drawn without delay. Drawing them takes some 25 ms.
const MOST_LINES_AT_ONCE: usize = 24;

/// The maximum number of spots in a picture inside a page. More delay the first paint of the page.
const MOST_SPOTS_AT_ONCE: usize = 150;

/// The width and the height of a picture for which a page should not wait: one that is slow to draw, since its uncached
/// lands have more than `MOST_LINES_AT_ONCE` lines, or one of more than `MOST_SPOTS_AT_ONCE` spots or of many shapes.
/// `None` for other pictures, and for positions that cannot be drawn.
pub fn size_if_slow(game: &dyn Game, position: &Position) -> Option<(f64, f64)> {
    let Some(mid) = game.mid() else {
        return shapes::size_if_large(&game.picture(position)?);
    };
    let maps = Embedding::of_all(game, mid, position).ok()?;
    let spots: usize = maps.iter().map(|map| map.lives.len()).sum();
    let drawn = position.lands().iter().zip(&maps);
    let new = drawn.filter(|(land, _)| !Picture::is_kept(game, land));
    let lines: usize = new.map(|(_, map)| map.lines()).sum();
    let is_slow = spots > MOST_SPOTS_AT_ONCE || lines > MOST_LINES_AT_ONCE;
    let all = arrange::squares(maps.iter().map(|map| 2.0 * land::half(map)));
    is_slow.then_some((all.width, all.height))
}
