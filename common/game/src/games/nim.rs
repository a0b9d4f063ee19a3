//! Nim: a move takes any number of tokens from one heap.
//!
//! A land is a heap, written as its size. Bouton (1901) found that the nimber of a position is the sum of the sizes
//! in binary without carrying.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Parameters, Reach, Rule};

/// The rules of Nim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nim;

impl HeapGame for Nim {
    type Rule = Self;

    const INFO: GameInfo = GameInfo {
        name: "nim",
        code: GameCode(b'N'),
        encoding_version: 1,
        rules: "a move takes any number of tokens from a heap",
        notation: "nim:SIZE+SIZE+…",
        examples: &["3+5+7", "1+1", "4+2"],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::None;
}

impl Rule for Nim {}

impl Heap for Nim {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        (0..size).try_for_each(|left| sink(Left::One(left)))
    }

    fn is_nim(&self) -> bool {
        true
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach {
            most_taken: 0,
            most_left: 1,
            takes_any: true,
        })
    }
}
