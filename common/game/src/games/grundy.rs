//! Grundy's game: a move splits a heap into two heaps of different sizes.
//!
//! A land is a heap, written as its size (Grundy 1939). Whether the nimbers have a period is not known.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Parameters, Rule};

/// The rules of Grundy's game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grundy;

impl HeapGame for Grundy {
    type Rule = Self;

    const INFO: GameInfo = GameInfo {
        name: "grundy",
        code: GameCode(b'G'),
        encoding_version: 1,
        rules: "a move splits a heap into two heaps of different sizes",
        notation: "grundy:SIZE+SIZE+…",
        examples: &["9", "5+6", "12+3"],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::None;
}

impl Rule for Grundy {}

impl Heap for Grundy {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        sink(Left::TwoDifferent(size))
    }

    /// Heaps of one and two cannot be split.
    fn longest(&self, size: u32) -> u32 {
        size.saturating_sub(2)
    }
}
