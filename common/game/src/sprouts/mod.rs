//! Sprouts, the pencil game of Conway and Paterson.
//!
//! Positions come as raw positions from the [parser](sproutnet_notation::text), or from a move.
//!
//! - [`simplify`]: the equivalences that leave the game tree unchanged.
//! - [`canonical`]: one form for all raw positions that are equal up to those equivalences.
//!   [`labelling`] finds it for most lands, region by region. A region is a shape ([`region`]), with
//!   its [`symmetry`], and the letters in its slots ([`labels`]). [`links`] finds it for other lands.
//! - [`encoding`]: the canonical form as bytes. [`grammar`] checks bytes.
//! - [`moves`]: the moves of a raw position, by rewriting it. [`alike`]: boundaries and moves that look alike.
//!   [`cuts`]: the cuts of a surface along a curve.
//! - [`diagram`]: the options of a land, region by region. [`shapes`] keeps the moves of each shape,
//!   [`ordered`] sorts the options. [`rewritten`] finds those of other lands.
//! - [`planar`]: a second, slow engine that plays on the planar map itself. It shares nothing with the others. It
//!   checks them, and is used to play on drawings. [`replay`] plays recorded matches on it.

mod alike;
mod canonical;
#[cfg(test)]
mod canonical_tests;
mod cuts;
mod diagram;
mod encoding;
mod grammar;
#[cfg(test)]
mod grammar_tests;
mod labelling;
mod labels;
mod links;
mod moves;
mod ordered;
pub mod planar;
#[cfg(test)]
mod random;
mod region;
pub mod replay;
mod rewritten;
mod rules;
mod shapes;
mod simplify;
mod symmetry;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;

use std::cell::RefCell;
use std::ops::ControlFlow;

use self::canonical::Canonicaliser;
use self::ordered::OrderedOptions;
use self::rewritten::RewrittenOptions;
pub(crate) use self::rules::Rules;
use self::shapes::Shapes;
use super::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};
use sproutnet_notation::GameCode;

pub use sproutnet_notation::MAX_LIVES;
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::{plane, text};

/// The rules of Sprouts. [`sproutnet_notation::text`] explains the notation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sprouts;

impl Sprouts {
    /// The text of the start position with `spots` spots.
    pub fn start(spots: u32) -> String {
        match spots {
            0 => "!".to_owned(),
            spots => format!("0*{spots}"),
        }
    }

    /// The position drawn on a planar map.
    pub fn on_map(map: &planar::PlanarMap) -> Position {
        Rules::SPROUTS.position(&map.raw())
    }
}

impl Game for Sprouts {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "sprouts",
            code: GameCode(b'S'),
            encoding_version: 2,
            rules: "a move joins two spots, or a spot to itself, and puts a new spot on the line; a spot has up to three lines",
            notation: "0*SPOTS, or regions with their boundaries, such as 0*3.1a1a",
            examples: &["0*2", "0*3.1a1a", "0.AB|AB+1.1"],
            wants_nimbers: false,
        }
    }

    fn start_text(&self, n: u32) -> Option<String> {
        Some(Self::start(n))
    }

    fn mid(&self) -> Option<Mid> {
        Some(Mid::Spot)
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        text::parse_drawable(text).map(|raw| Rules::SPROUTS.position(&raw))
    }

    fn parse_stored(&self, text: &str) -> Result<Position, ParseError> {
        text::parse(text).map(|raw| Rules::SPROUTS.position(&raw))
    }

    fn parse_unambiguous(&self, text: &str) -> Result<Position, ParseError> {
        text::parse_unambiguous(text).map(|raw| Rules::SPROUTS.position(&raw))
    }

    fn print(&self, position: &Position) -> String {
        if position.lands().is_empty() {
            return "!".to_owned();
        }
        let print = |land: &Land| text::print_land(&encoding::read(land.as_bytes()));
        let texts: Vec<String> = position.lands().iter().map(print).collect();
        texts.join("+")
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        Rules::SPROUTS.land(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        Rules::SPROUTS.check(bytes)
    }

    fn check_possible(&self, bytes: &[u8]) -> Result<(), EncodingError> {
        check_drawable(bytes)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Rules::SPROUTS.generator()
    }
}

/// The methods that the games of this engine share.
impl Rules {
    /// The canonical position of a raw position.
    pub(crate) fn position(self, raw: &RawPosition) -> Position {
        canonical::position(raw, self)
    }

    /// Makes a land of untrusted bytes.
    ///
    /// # Errors
    /// The bytes are not the canonical encoding of a land.
    pub(crate) fn land(self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        match self.position(&encoding::read(bytes)).lands() {
            [land] if land.as_bytes() == bytes => Ok(land.clone()),
            _ => Err(EncodingError {
                offset: 0,
                problem: "this is not the canonical form of one land",
            }),
        }
    }

    /// Checks untrusted bytes, and returns the maximum number of moves: [`Game::check`].
    ///
    /// # Errors
    /// The bytes do not describe a land.
    pub(crate) fn check(self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let lives = grammar::lives(bytes, self)?;
        if self.merges_small_regions() {
            // A move takes one life, and the last one needs two.
            return Ok(lives - 1);
        }
        if !self.has_spots() && !encoding::has_mids_alone(bytes) {
            return Err(EncodingError {
                offset: 0,
                problem: "a game of crosses has free ends alone",
            });
        }
        match grammar::max_moves(bytes, self) {
            0 => Err(EncodingError {
                offset: 0,
                problem: "no region of the land has a move",
            }),
            moves => Ok(moves),
        }
    }

    /// Passes every raw position after one move to `sink`, without any equivalence.
    #[cfg(test)]
    pub(crate) fn raw_moves(
        self,
        raw: &RawPosition,
        sink: &mut dyn FnMut(&RawPosition) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        moves::each(raw, self, sink)
    }

    /// A new generator of options.
    pub(crate) fn generator(self) -> Box<dyn Generator> {
        Box::new(Shapes::new(self))
    }
}

/// Checks that the regions of a land can be drawn in the plane, given bytes that describe a land.
///
/// # Errors
/// The regions cannot be drawn in the plane.
pub(crate) fn check_drawable(bytes: &[u8]) -> Result<(), EncodingError> {
    thread_local! {
        static MEMORY: RefCell<(plane::Boundaries, plane::Checker)> = RefCell::default();
    }
    let checked = MEMORY.with_borrow_mut(|(boundaries, checker)| {
        encoding::read_letters(bytes, boundaries);
        checker.check(boundaries)
    });
    checked.map_err(|_| EncodingError {
        offset: 0,
        problem: "no drawing in the plane has these regions",
    })
}

impl Generator for Shapes {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        if let Some(regions) = diagram::of_land(land, self) {
            return OrderedOptions::of(&regions, self).pass_all(sink);
        }
        let raw = encoding::read(land);
        if let Some(mut options) = RewrittenOptions::of(&raw, self.rules) {
            return options.pass_first(usize::MAX, sink);
        }
        let mut canonicaliser = Canonicaliser::new(self.rules);
        moves::each(&raw, self.rules, &mut |raw| {
            for land in canonicaliser.position(raw).lands() {
                let max_moves = grammar::max_moves(land.as_bytes(), self.rules);
                sink.land(land.as_bytes(), max_moves);
            }
            sink.end()
        })
    }

    fn expand_partially(
        &self,
        land: &[u8],
        most: usize,
        sink: &mut dyn OptionSink,
    ) -> Option<ControlFlow<()>> {
        if let Some(regions) = diagram::of_land(land, self) {
            return Some(OrderedOptions::of(&regions, self).pass_first(most, sink));
        }
        let mut options = RewrittenOptions::of(&encoding::read(land), self.rules)?;
        Some(options.pass_first(most, sink))
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// The meaning of a `2` on a boundary: one life, in one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mid {
    /// A spot with two lines. No move is left on its other side.
    Spot,
    /// The end of a line, as in a cross.
    FreeEnd,
}

/// The raw position of a land's canonical bytes.
pub fn raw_position(land: &Land) -> RawPosition {
    encoding::read(land.as_bytes())
}

/// The numbers of spots and of lives of a position.
pub fn spots_and_lives(position: &Position) -> (usize, u32) {
    let (mut spots, mut lives) = (0, 0);
    for land in position.lands() {
        let mut raw = raw_position(land);
        let halves = raw
            .spots_mut()
            .iter()
            .filter(|spot| spot.number().is_some());
        // A letter occurs twice.
        let letters = halves.count() / 2;
        spots += raw.spots_mut().len() - letters;
        lives += Sprouts.max_moves(land) + 1;
    }
    (spots, lives)
}
