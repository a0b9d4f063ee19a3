//! Sprouts on compact surfaces (Lemoine and Viennot 2008, arXiv 0812.0081): on spheres with handles or crosscaps.
//!
//! A region is a surface with boundaries. Cutting it along the curve of a move leaves one region or two, whose surfaces
//! and boundaries follow from the classification of surfaces (`docs/surfaces.md`). On the sphere this is Sprouts.
//!
//! - [`region`]: surfaces, regions, and the equivalences that leave the game tree unchanged.
//! - [`moves`]: the moves. [`canonical`]: one form for all lands that are equal.
//! - [`notation`]: positions as text. [`encoding`]: lands as bytes. [`picture`]: what is drawn of them.

mod canonical;
mod encoding;
mod moves;
mod notation;
mod picture;
mod region;

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use self::region::{Region, lives_of};
use crate::picture::Picture;
use crate::{EncodingError, Game, Generator, Land, OptionSink, ParseError, Position};

/// The rules of Sprouts on surfaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surfaces;

/// The surfaces of the table: the sphere, one and two handles, one to three crosscaps.
const SURFACES: [&str; 6] = ["", "@1", "@2", "@-1", "@-2", "@-3"];

/// The most spots in the table.
const MOST_SPOTS: u32 = 6;

impl Game for Surfaces {
    fn name(&self) -> &'static str {
        "surfaces"
    }

    fn code(&self) -> GameCode {
        GameCode(b'F')
    }

    fn encoding_version(&self) -> u32 {
        1
    }

    fn rules(&self) -> &'static str {
        "Sprouts on a sphere with handles or crosscaps: a move joins two spots, and puts a new spot on the line"
    }

    fn notation(&self) -> &'static str {
        "surfaces:REGION|REGION… as in Sprouts, with @HANDLES or @-CROSSCAPS after a region, such as surfaces:0*3@1"
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "0*3@1",
            "0*3@-1",
            "0.1A.A@-2",
            "0.AB@-1|AB",
            "1a1a.0+22.22@2",
        ]
    }

    fn start_text(&self, n: u32) -> Option<String> {
        match n {
            0 => Some("!".to_owned()),
            n => (3 * n <= encoding::MOST_LIVES).then(|| format!("0*{n}")),
        }
    }

    /// Up to six spots on each of six surfaces. One spot is alike on all of them.
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
        let lands = position.lands().iter();
        Some(Picture {
            caption: picture::CAPTION,
            lands: lands
                .map(|land| picture::panel(&encoding::read(land.as_bytes())))
                .collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        let lands = lands(notation::read(text)?);
        let lands = lands.map(|(bytes, _)| Land::from_canonical(&bytes));
        Ok(Position::new(lands.collect()))
    }

    fn print(&self, position: &Position) -> String {
        if position.lands().is_empty() {
            return "!".to_owned();
        }
        let lands = position.lands().iter();
        let texts: Vec<String> = lands
            .map(|land| notation::write(&encoding::read(land.as_bytes())))
            .collect();
        texts.join("+")
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        let mut lands = lands(encoding::read(bytes));
        match (lands.next(), lands.next()) {
            (Some((canonical, _)), None) if canonical == bytes => Ok(Land::from_canonical(bytes)),
            _ => Err(EncodingError {
                offset: 0,
                problem: "this is not the canonical form of one land",
            }),
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        encoding::lives(bytes).map(most_moves)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for Surfaces {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        moves::each(&encoding::read(land), &mut |regions| {
            for (bytes, lives) in lands(regions) {
                sink.land(&bytes, most_moves(lives));
            }
            sink.end()
        })
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The most moves in a land with so many lives: a move takes one, and the last one needs two.
fn most_moves(lives: u32) -> u32 {
    lives - 1
}

/// The canonical bytes and the lives of the lands of some regions.
fn lands(mut regions: Vec<Region>) -> impl Iterator<Item = (Vec<u8>, u32)> {
    region::simplify(&mut regions);
    region::lands(regions)
        .into_iter()
        .map(|land| match lives_of(&land) {
            // Exactly one move is left.
            2 => (encoding::ONE_MOVE.to_vec(), 2),
            lives => (canonical::form(&land), lives),
        })
}

#[cfg(test)]
mod tests;
