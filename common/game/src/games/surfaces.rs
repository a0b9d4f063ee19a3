//! Sprouts on compact surfaces (Lemoine and Viennot 2008, arXiv 0812.0081): on spheres with handles or crosscaps.
//!
//! A region is a surface with boundaries. Cutting it along the curve of a move leaves one region or two, whose surfaces
//! and boundaries follow from the classification of surfaces (`docs/explanation/surfaces.md`). On the sphere this is Sprouts, so
//! that both games have one [engine](crate::sprouts).

mod picture;

use sproutnet_notation::GameCode;
use sproutnet_notation::text::surfaces;

use crate::picture::Picture;
use crate::sprouts::{self, Rules, Sprouts};
use crate::{EncodingError, Game, GameInfo, Generator, Land, ParseError, Position};

/// The rules of Sprouts on surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surfaces;

/// The surfaces of the table: the sphere, one and two handles, one to three crosscaps.
const SURFACES: [&str; 6] = ["", "@1", "@2", "@-1", "@-2", "@-3"];

/// The maximum number of spots in the table.
const MOST_SPOTS: u32 = 6;

impl Game for Surfaces {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "surfaces",
            // Not `F`: older stores have lands in other bytes under it.
            code: GameCode(b'U'),
            encoding_version: 1,
            rules: "Sprouts on a sphere with handles or crosscaps: a move joins two spots, and puts a new spot on the line",
            notation: "surfaces:REGION|REGION… as in Sprouts, with @HANDLES or @-CROSSCAPS after a region, such as surfaces:0*3@1",
            examples: &[
                "0*3@1",
                "0*3@-1",
                "0.1A.A@-2",
                "0.AB@-1|AB",
                "1a1a.0+22.22@2",
            ],
            wants_nimbers: false,
        }
    }

    fn start_text(&self, n: u32) -> Option<String> {
        Some(Sprouts::start(n))
    }

    /// Up to six spots on each of six surfaces. One spot is the same game on all of them.
    fn starts(&self) -> Vec<String> {
        let starts =
            (2..=MOST_SPOTS).flat_map(|n| SURFACES.map(|surface| format!("0*{n}{surface}")));
        ["!", "0*1"]
            .map(str::to_owned)
            .into_iter()
            .chain(starts)
            .collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter().map(sprouts::raw_position);
        Some(Picture {
            caption: picture::CAPTION,
            lands: lands.map(|land| picture::panel(&land)).collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        surfaces::parse(text).map(|raw| Rules::SURFACES.position(&raw))
    }

    fn print(&self, position: &Position) -> String {
        if position.lands().is_empty() {
            return "!".to_owned();
        }
        let lands = position.lands().iter().map(sprouts::raw_position);
        let texts: Vec<String> = lands.map(|land| surfaces::print(&land)).collect();
        texts.join("+")
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        Rules::SURFACES.land(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        Rules::SURFACES.check(bytes)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Rules::SURFACES.generator()
    }
}

#[cfg(test)]
mod tests;
