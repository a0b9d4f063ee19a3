//! Sprouts, the pencil game of Conway and Paterson.
//!
//! - [`notation`]: positions as text.
//! - [`raw position`]: a position as it is drawn or as a move leaves it, before any simplification.
//! - [`simplify`]: the equivalences that leave the game tree unchanged.
//! - [`canonical`]: one form for all raw positions that are equal up to those equivalences, by the way
//!   their regions are [`written`], each by its shape ([`region`]) and its [`symmetry`]. What is too large
//!   for that is labelled, by [`refine`]ment of colours; [`form`] is such a land without names.
//! - [`encoding`]: that form as bytes; [`grammar`] tells which bytes can be read.
//! - [`moves`]: the moves of a raw position, by rewriting it.
//! - [`diagram`]: the options of a land, by what becomes of its regions, which [`shapes`] finds out
//!   once for each shape; [`labels`] are the letters that join regions, [`template`] is how regions of
//!   a shape are written, [`ordered`] says which option is told first.
//! - [`outline`]: a land as its regions, for whoever wants to see it.
//! - [`planar`]: a second, slow engine that plays on the planar map itself. It shares nothing
//!   with the others but the notation, and exists to check them.

mod canonical;
mod diagram;
mod encoding;
mod form;
mod grammar;
#[cfg(test)]
mod grammar_tests;
mod labelling;
mod labels;
mod moves;
mod ordered;
pub mod planar;
mod refine;
mod region;
mod shapes;
mod simplify;
mod symmetry;
mod template;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use self::canonical::Canonicaliser;
use self::ordered::OrderedOptions;
use self::shapes::Shapes;
use super::{EncodingError, Game, Generator, Land, OptionSink, ParseError, Position};
use sproutnet_notation::GameCode;

pub use sproutnet_notation::MAX_LIVES;
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::text;

/// The rules of Sprouts; positions are read and written in the notation of Applegate, Jacobson
/// and Sleator as extended by Lemoine and Viennot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sprouts;

impl Game for Sprouts {
    fn name(&self) -> &'static str {
        "sprouts"
    }

    fn code(&self) -> GameCode {
        GameCode(b'S')
    }

    fn encoding_version(&self) -> u32 {
        2
    }

    fn start_text(&self, n: u32) -> String {
        if n == 0 {
            "!".to_owned()
        } else {
            format!("0*{n}")
        }
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        text::parse(text).map(|raw| canonical::position(&raw))
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
        grammar::lives(bytes)?;
        match canonical::position(&encoding::read(bytes)).lands() {
            [land] if land.as_bytes() == bytes => Ok(land.clone()),
            _ => Err(EncodingError {
                offset: 0,
                problem: "this is not the canonical form of one land",
            }),
        }
    }

    /// A move takes one life, and the last move needs two.
    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        Ok(grammar::lives(bytes)? - 1)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(Shapes::default())
    }
}

impl Generator for Shapes {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        if let Some(regions) = diagram::of_land(land, self) {
            return OrderedOptions::options(&regions, self).tell(sink);
        }
        let mut canonicaliser = Canonicaliser::default();
        moves::each(&encoding::read(land), &mut |raw| {
            for land in canonicaliser.position(raw).lands() {
                sink.land(land.as_bytes(), Sprouts.max_moves(land));
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
        let regions = diagram::of_land(land, self)?;
        Some(OrderedOptions::options(&regions, self).partial_expansion(most, sink))
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }
}

/// The raw position that a land's canonical bytes describe.
pub fn raw_position(land: &Land) -> RawPosition {
    encoding::read(land.as_bytes())
}
