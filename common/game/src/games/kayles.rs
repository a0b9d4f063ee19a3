//! Kayles: a move takes one pin or two adjacent ones from a row. The pins on either side become rows of their own.
//!
//! A land is a row, written as its number of pins. `5+3` is a position of two rows. *Winning Ways*
//! (Berlekamp, Conway, Guy) gives the nimbers, Sibert and Conway (1992) the theory of misère play.
//!
//! [`Octal`](super::Octal) has the same game as `octal(0.77)`. Kayles keeps its own name and encoding, which stores
//! have used from the start.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Parameters, Reach, Rule};

/// The rules of Kayles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kayles;

impl HeapGame for Kayles {
    type Rule = Self;

    const INFO: GameInfo = GameInfo {
        name: "kayles",
        code: GameCode(b'K'),
        encoding_version: 1,
        rules: "a move takes one pin or two adjacent pins from a row",
        notation: "kayles:PINS+PINS+…",
        examples: &["5+3", "12", "4+4+1"],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::None;
}

impl Rule for Kayles {}

impl Heap for Kayles {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        for taken in 1..=size.min(2) {
            sink(Left::One(size - taken))?;
            sink(Left::Two(size - taken))?;
        }
        ControlFlow::Continue(())
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach {
            most_taken: 2,
            most_left: 2,
            takes_any: false,
        })
    }
}

#[cfg(test)]
mod tests;
