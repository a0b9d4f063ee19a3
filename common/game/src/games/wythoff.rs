//! Wythoff's game: a move takes any number of tokens from one of two heaps, or the same number from both.
//!
//! A land is a pair of heaps, written `3,5`, the smaller one first. Wythoff (1907) found the lost pairs under normal
//! play: ⌊kφ⌋ and ⌊kφ²⌋ for k = 0, 1, 2, …, with φ = (1 + √5) / 2.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::picture::{Panel, Picture};
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};

/// The size of the largest heap.
const MOST: u32 = 1_000;

/// The rules of Wythoff's game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wythoff;

impl Game for Wythoff {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "wythoff",
            code: GameCode(b'W'),
            encoding_version: 1,
            rules: "a move takes any number of tokens from one heap of a pair, or the same number from both",
            notation: "wythoff:SIZE,SIZE+SIZE,SIZE+…",
            examples: &["3,5+1,2", "4,7", "0,3"],
            wants_nimbers: true,
        }
    }

    /// Pairs of heaps of up to ten tokens.
    fn starts(&self) -> Vec<String> {
        let pairs = (1..=10).flat_map(|other| (0..=other).map(move |one| (one, other)));
        pairs.map(|(one, other)| format!("{one},{other}")).collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter().map(|land| {
            let (one, other) = sizes(land.as_bytes());
            let mut panel = Panel::default();
            panel.row(one, &one.to_string());
            panel.row(other, &other.to_string());
            panel
        });
        Some(Picture {
            caption: "Two rows together are a pair of heaps.",
            lands: lands.collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| {
            let size = |text: &str| text.trim().parse().ok().filter(|&size| size <= MOST);
            let sizes = match term.split_once(',') {
                Some((one, other)) => size(one).zip(size(other)),
                // Two empty heaps, in their printed form.
                None => (term.trim() == "0").then_some((0, 0)),
            };
            let wrong = || format!("expected two sizes up to {MOST} such as `3,5`, found `{term}`");
            sizes.map(land).ok_or_else(wrong)
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| {
            let (one, other) = sizes(land.as_bytes());
            format!("{one},{other}")
        })
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes).map(|_| Land::from_canonical(bytes))
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let is_pair = |&(one, other): &(u32, u32)| one <= other && (1..=MOST).contains(&other);
        let pair = (bytes.len() == 4).then(|| sizes(bytes)).filter(is_pair);
        pair.map(|(one, other)| one + other).ok_or(EncodingError {
            offset: 0,
            problem: "a pair is two sizes in two bytes each, the smaller one first",
        })
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for Wythoff {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (one, other) = sizes(land);
        let of_one = (0..one).map(|left| (left, other));
        let of_other = (0..other).map(|left| (one, left));
        let of_both = (1..=one).map(|taken| (one - taken, other - taken));
        of_one.chain(of_other).chain(of_both).try_for_each(|left| {
            if left != (0, 0) {
                sink.land(&bytes(left), left.0 + left.1);
            }
            sink.end()
        })
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The land of two heaps; `None` if both are empty.
fn land(sizes: (u32, u32)) -> Option<Land> {
    (sizes != (0, 0)).then(|| Land::from_canonical(&bytes(sizes)))
}

fn bytes((one, other): (u32, u32)) -> [u8; 4] {
    let [a, b] = (one.min(other) as u16).to_be_bytes();
    let [c, d] = (one.max(other) as u16).to_be_bytes();
    [a, b, c, d]
}

fn sizes(land: &[u8]) -> (u32, u32) {
    let size = |at: usize| u32::from(u16::from_be_bytes([land[at], land[at + 1]]));
    (size(0), size(2))
}
