//! Games given by their options: a position is the set of the positions that a move leads to.
//!
//! `{0,*1,{*2}}` has three options: the end, a heap of Nim of size 1, and a position whose only move leads to a heap of
//! size 2. So any finite impartial game can be written, with sums only between whole games (Conway, *On Numbers and
//! Games*, chapter 12). Equal options count once, and their order is of no importance. `*n` is short for the set of
//! `0`, `*1`, …, `*(n-1)`, so each set has one text. Options that are equal as values but not as sets stay: that
//! depends on the play convention.
//!
//! ```text
//! land = heap | set
//! heap = 0 size           size: one byte
//! set  = count option…    count: one byte, at least 1; options: lands in ascending order, and 0 0 for the end
//! ```

mod bytes;
pub mod file;
mod picture;
mod text;

use std::ops::ControlFlow;

use smallvec::SmallVec;
use sproutnet_notation::GameCode;

use crate::names::EXPLICIT;
use crate::picture::Picture;
use crate::sums::print_sum;
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};
use bytes::{END, Parts};

/// The maximum size of a heap, and the maximum number of options of a set.
const MOST: u8 = u8::MAX;

/// The maximum number of sets within sets.
const DEEPEST: usize = 64;

/// The maximum length of a land in bytes, so that the key of a record stays short.
const LONGEST: usize = 2_000;

/// The rules of games that are given by their options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit;

impl Game for Explicit {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: EXPLICIT,
            code: GameCode(b'E'),
            encoding_version: 1,
            rules: "a move goes from a set of positions to one of its elements",
            notation: "explicit:{OPTION,OPTION,…}+…, where an option is 0, a heap *SIZE, or again such a set",
            examples: &[
                "{0,*1,{*2}}",
                "{*2}+{*3,{*2}}",
                "{*1,*2,*3,{*2,*3}}",
                "{{{*2},0},*5}+*3",
                "{{*1},{{*1},*4}}+{{*1}}",
            ],
            wants_nimbers: true,
        }
    }

    /// The games whose longest play has up to three moves.
    fn starts(&self) -> Vec<String> {
        let options = ["0", "*1", "{*1}", "*2"];
        let sets = (1..1 << options.len()).map(|chosen: u32| {
            let is_chosen = |&(i, _): &(usize, &&str)| chosen & 1 << i > 0;
            let chosen = options.iter().enumerate().filter(is_chosen);
            let chosen: Vec<&str> = chosen.map(|(_, &option)| option).collect();
            format!("{{{}}}", chosen.join(","))
        });
        let canonical = |set: String| self.parse(&set).map(|position| self.print(&position));
        sets.flat_map(canonical).collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(picture::of(position))
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        text::read(text)
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| text::print(land.as_bytes()))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes).map(|_| Land::from_canonical(bytes))
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        bytes::check(bytes)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for Explicit {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let mut option = |option: &[u8]| {
            if option != END {
                sink.land(option, bytes::longest(option));
            }
            sink.end()
        };
        match bytes::parts(land) {
            Parts::Heap(size) => (0..size).try_for_each(|left| option(&[0, left])),
            Parts::Set(options) => {
                let options: SmallVec<[&[u8]; 16]> = options.collect();
                options.into_iter().try_for_each(&mut option)
            }
        }
    }

    fn bytes(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests;
