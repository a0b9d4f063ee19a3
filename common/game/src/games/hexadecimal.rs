//! Hexadecimal games: octal games whose moves may also leave three heaps.
//!
//! The digits of a [code](super::octal) are 0 to 9 and A to F, where 8 stands for three heaps: `(0.F):7` is a heap of
//! seven from which a move takes one token, and leaves no heap or up to three. *Winning Ways*, chapter 4, and Howse and
//! Nowakowski (2004) describe such games.

use sproutnet_notation::GameCode;

use super::octal::Code;
use crate::GameInfo;
use crate::heaps::{HeapGame, Parameters};

/// The rules of hexadecimal games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hexadecimal;

impl HeapGame for Hexadecimal {
    type Rule = Code<16>;

    const INFO: GameInfo = GameInfo {
        name: "hexadecimal",
        code: GameCode(b'D'),
        encoding_version: 1,
        rules: "as in octal games; and 8 in a digit of CODE lets a move leave three heaps",
        notation: "hexadecimal(CODE):SIZE+SIZE+…",
        examples: &[
            "(0.F):9",
            "(0.8):7+4",
            "(0.1A):8",
            "(8.3):6",
            "(0.9):6+(0.0C):5",
        ],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::Before;

    /// Heaps under some codes of one and two digits.
    fn starts() -> Vec<String> {
        let codes = ["(0.8)", "(0.9)", "(0.F)", "(0.1A)"].into_iter();
        let heaps = codes.flat_map(|code| (1..=16).map(move |size| format!("{code}:{size}")));
        heaps.collect()
    }
}
