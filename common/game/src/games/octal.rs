//! Octal games: the digits of a code give the numbers of tokens that a move may take from a heap, and the remains that
//! it may leave.
//!
//! `(0.77):5+3` are heaps of five and three under the code 0.77. Digit t after the point is about moves that take t
//! tokens. It is the sum of the permitted remains: 1 nothing, 2 one heap, 4 two heaps. The digit before the point is 0,
//! or 4 if a move may also split a heap and take nothing. Guy and Smith (1956) found the code; *Winning Ways*, chapter
//! 4, describes the games.

use std::ops::ControlFlow;

use smallvec::SmallVec;
use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Place, Prefix, Reach, Rule};

/// The maximum number of digits after the point.
const MOST_DIGITS: usize = 60;

const NOTHING: u8 = 1;
const ONE_HEAP: u8 = 2;
const TWO_HEAPS: u8 = 4;

/// The rules of octal games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octal;

impl HeapGame for Octal {
    type Rule = Code;

    const INFO: GameInfo = GameInfo {
        name: "octal",
        code: GameCode(b'O'),
        encoding_version: 1,
        rules: "digit t of CODE says what a move that takes t tokens may leave: 1 nothing, 2 one heap, 4 two heaps",
        notation: "octal(CODE):SIZE+SIZE+…",
        examples: &[
            "(0.77):5+3",
            "(0.137):11",
            "(0.07):4+9",
            "(4.007):7",
            "(0.45):8",
            "(0.77):4+(0.07):6",
        ],
        wants_nimbers: true,
    };
    const PLACE: Place = Place::Before;
    const OTHER_NAMES: &'static [(&'static str, &'static str)] = &[
        ("dawson", "(0.137)"),
        ("dawsonkayles", "(0.07)"),
        ("doublekayles", "(0.7777)"),
    ];

    /// Heaps under the codes that have names.
    fn starts() -> Vec<String> {
        let codes = ["(0.77)", "(0.137)", "(0.07)", "(0.7777)"].into_iter();
        let heaps = codes.flat_map(|code| (1..=24).map(move |size| format!("{code}:{size}")));
        heaps.collect()
    }
}

/// A code: the digit before the point, then the digits after it. The last digit is not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code(SmallVec<[u8; 16]>);

impl Rule for Code {
    fn from_text(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected an octal code such as `(0.77)`, found `{text}`");
        let code = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let (whole, digits) = code
            .ok_or_else(wrong)?
            .trim()
            .split_once('.')
            .ok_or_else(wrong)?;
        let digit = |digit: char| digit.to_digit(8).map(|digit| digit as u8);
        let whole = match whole {
            "" => "0",
            whole => whole,
        };
        let all: Option<SmallVec<_>> = whole.chars().chain(digits.chars()).map(digit).collect();
        let mut all = all.filter(|_| whole.len() == 1).ok_or_else(wrong)?;
        while all.len() > 1 && all.last() == Some(&0) {
            all.pop();
        }
        if all.len() > MOST_DIGITS + 1 {
            return Err(format!(
                "an octal code has at most {MOST_DIGITS} digits after the point"
            ));
        }
        Self::of(all).ok_or_else(|| {
            "the digit before the point is 0 or 4, and some digit is not zero".to_owned()
        })
    }

    fn to_text(&self) -> String {
        let digits: String = self.0[1..]
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect();
        format!(
            "({}.{})",
            self.0[0],
            if digits.is_empty() { "0" } else { &digits }
        )
    }

    fn to_bytes(&self) -> Prefix {
        Prefix::from_slice(&self.0)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::of(SmallVec::from_slice(bytes))
    }
}

impl Code {
    fn of(digits: SmallVec<[u8; 16]>) -> Option<Self> {
        let (&whole, after) = digits.split_first()?;
        let is_code = match after.last() {
            None => whole == TWO_HEAPS,
            Some(&last) => (whole == 0 || whole == TWO_HEAPS) && last > 0,
        };
        let is_octal = digits.len() <= MOST_DIGITS + 1 && digits.iter().all(|&digit| digit < 8);
        (is_code && is_octal).then_some(Self(digits))
    }

    /// The numbers of tokens that a move may take, each with its digit.
    fn digits(&self) -> impl Iterator<Item = (u32, u8)> {
        (0..).zip(self.0.iter().copied())
    }
}

impl Heap for Code {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        for (taken, digit) in self.digits() {
            let Some(left) = size.checked_sub(taken) else {
                break;
            };
            if digit & if left == 0 { NOTHING } else { ONE_HEAP } > 0 {
                sink(Left::One(left))?;
            }
            if digit & TWO_HEAPS > 0 {
                sink(Left::Two(left))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn longest(&self, size: u32) -> u32 {
        let can_leave = |left: u32, digit: u8| match left {
            0 => digit & NOTHING > 0,
            1 => digit & ONE_HEAP > 0,
            _ => digit & (ONE_HEAP | TWO_HEAPS) > 0,
        };
        let mut digits = self.digits();
        let can_move = digits.any(|(taken, digit)| {
            let left = size.checked_sub(taken);
            left.is_some_and(|left| can_leave(left, digit))
        });
        match (can_move, self.0[0]) {
            (false, _) => 0,
            (true, 0) => size,
            // A heap of n can be split n - 1 times; then its tokens can be taken.
            (true, _) => 2 * size - 1,
        }
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach {
            most_taken: self.0.len() as u32 - 1,
            splits: self.0.iter().any(|digit| digit & TWO_HEAPS > 0),
        })
    }
}
