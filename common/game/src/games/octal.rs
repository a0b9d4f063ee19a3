//! Octal games: the digits of a code give the numbers of tokens that a move may take from a heap, and the remains that
//! it may leave.
//!
//! `(0.77):5+3` are heaps of five and three under the code 0.77. Digit t after the point is about moves that take t
//! tokens. It is the sum of the permitted remains: 1 nothing, 2 one heap, 4 two heaps. The digit before the point is 0,
//! or 4 if a move may also split a heap and take nothing. Guy and Smith (1956) found the code; *Winning Ways*, chapter
//! 4, describes the games. In [hexadecimal](super::hexadecimal) codes, 8 stands for three heaps.
//!
//! A code ends with zeros, or repeats its last digit for ever: `(0.3...)` is Nim, `(4.3...)` is Lasker's Nim. The
//! repeated digit is 1, 2 or 3, so moves that take many tokens do not split.

use std::ops::ControlFlow;

use smallvec::SmallVec;
use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Parameters, Prefix, Reach, Rule};

/// The maximum number of digits after the point.
const MOST_DIGITS: usize = 60;

const NOTHING: u8 = 1;
const ONE_HEAP: u8 = 2;
const TWO_HEAPS: u8 = 4;
const THREE_HEAPS: u8 = 8;

/// The rules of octal games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octal;

impl HeapGame for Octal {
    type Rule = Code<8>;

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
            "(4.3...):6",
        ],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::Before;
    const OTHER_NAMES: &'static [(&'static str, &'static str)] = &[
        ("dawson", "(0.137)"),
        ("dawsonkayles", "(0.07)"),
        ("doublekayles", "(0.7777)"),
        ("lasker", "(4.3...)"),
    ];

    /// Heaps under the codes that have names.
    fn starts() -> Vec<String> {
        let codes = ["(0.77)", "(0.137)", "(0.07)", "(0.7777)"].into_iter();
        let heaps = codes.flat_map(|code| (1..=24).map(move |size| format!("{code}:{size}")));
        heaps.collect()
    }
}

/// The flag of the byte of the repeated digit, which is the last one.
const REPEATED: u8 = 0x80;

/// A code with digits below `BASE`. The last digit before those that repeat is not the repeated one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code<const BASE: u8> {
    /// The digit before the point, then those after it.
    digits: SmallVec<[u8; 16]>,
    /// The digit that repeats for ever after them.
    repeated: u8,
}

impl<const BASE: u8> Rule for Code<BASE> {
    fn from_text(text: &str) -> Result<Self, String> {
        let wrong = || match BASE {
            8 => format!("expected an octal code such as `(0.77)` or `(4.3...)`, found `{text}`"),
            _ => format!("expected a hexadecimal code such as `(0.F)`, found `{text}`"),
        };
        let code = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let code = code.ok_or_else(wrong)?.trim();
        let (written, repeats) = match code.strip_suffix("...") {
            Some(written) => (written, true),
            None => (code, false),
        };
        let (whole, after) = written.split_once('.').ok_or_else(wrong)?;
        let whole = if whole.is_empty() { "0" } else { whole };
        let digit = |digit: char| digit.to_digit(BASE.into()).map(|digit| digit as u8);
        let digits: Option<SmallVec<_>> = whole.chars().chain(after.chars()).map(digit).collect();
        let mut digits = digits.filter(|_| whole.len() == 1).ok_or_else(wrong)?;
        if repeats && digits.len() == 1 {
            return Err(wrong());
        }
        let repeated = digits.last().copied().filter(|_| repeats).unwrap_or(0);
        while digits.len() > 1 && digits.last() == Some(&repeated) {
            digits.pop();
        }
        if digits.len() > MOST_DIGITS + 1 {
            return Err(format!(
                "a code has at most {MOST_DIGITS} digits after the point"
            ));
        }
        if repeated >= TWO_HEAPS {
            return Err("the repeated digit is 1, 2 or 3".to_owned());
        }
        Self::of(digits, repeated).ok_or_else(|| {
            let splits = if BASE == 8 { "0 or 4" } else { "0, 4, 8 or C" };
            format!("the digit before the point is {splits}, and some digit is not zero")
        })
    }

    fn to_text(&self) -> String {
        let mut digits = self.digits.iter().map(|&digit| symbol(digit));
        let whole = digits.next().unwrap_or('0');
        let mut after: String = digits.collect();
        if self.repeated > 0 {
            after.push(symbol(self.repeated));
            after.push_str("...");
        }
        let after = if after.is_empty() { "0" } else { &after };
        format!("({whole}.{after})")
    }

    fn to_bytes(&self) -> Prefix {
        let mut bytes = Prefix::from_slice(&self.digits);
        if self.repeated > 0 {
            bytes.push(self.repeated | REPEATED);
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_last() {
            Some((&last, digits)) if last & REPEATED > 0 => {
                let repeated = Some(last & !REPEATED).filter(|&digit| digit > 0)?;
                Self::of(SmallVec::from_slice(digits), repeated)
            }
            _ => Self::of(SmallVec::from_slice(bytes), 0),
        }
    }
}

/// A hexadecimal digit.
fn symbol(digit: u8) -> char {
    let symbol = char::from_digit(digit.into(), 16).expect("a digit is below 16");
    symbol.to_ascii_uppercase()
}

impl<const BASE: u8> Code<BASE> {
    fn of(digits: SmallVec<[u8; 16]>, repeated: u8) -> Option<Self> {
        let (&whole, after) = digits.split_first()?;
        // A move that takes nothing has to split.
        let is_whole = whole & (NOTHING | ONE_HEAP) == 0;
        let ends = after.last().is_none_or(|&last| last != repeated);
        let has_move = whole > 0 || repeated > 0 || !after.is_empty();
        let are_digits = digits.iter().all(|&digit| digit < BASE) && repeated < TWO_HEAPS;
        let is_short = digits.len() <= MOST_DIGITS + 1;
        let is_code = is_whole && ends && has_move && are_digits && is_short;
        is_code.then_some(Self { digits, repeated })
    }

    /// The numbers of tokens that a move may take, each with its digit.
    fn digits(&self) -> impl Iterator<Item = (u32, u8)> {
        let repeated = std::iter::repeat(self.repeated).take_while(|&digit| digit > 0);
        (0..).zip(self.digits.iter().copied().chain(repeated))
    }
}

impl<const BASE: u8> Heap for Code<BASE> {
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
            if digit & THREE_HEAPS > 0 {
                sink(Left::Three(left))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn longest(&self, size: u32) -> u32 {
        let can_leave = |left: u32, digit: u8| match left {
            0 => digit & NOTHING > 0,
            1 => digit & ONE_HEAP > 0,
            2 => digit & (ONE_HEAP | TWO_HEAPS) > 0,
            _ => digit & (ONE_HEAP | TWO_HEAPS | THREE_HEAPS) > 0,
        };
        let can_move = self
            .digits()
            .map_while(|(taken, digit)| Some((size.checked_sub(taken)?, digit)))
            .any(|(left, digit)| can_leave(left, digit));
        match (can_move, self.digits[0]) {
            (false, _) => 0,
            (true, 0) => size,
            // A heap of n can be split n - 1 times; then its tokens can be taken.
            (true, _) => 2 * size - 1,
        }
    }

    fn reach(&self) -> Option<Reach> {
        let of_digit = |digit: &u8| match *digit {
            THREE_HEAPS.. => 3,
            TWO_HEAPS.. => 2,
            _ => 1,
        };
        Some(Reach {
            most_taken: self.digits.len() as u32 - 1,
            most_left: self.digits.iter().map(of_digit).max().unwrap_or(1),
            takes_any: self.repeated & ONE_HEAP > 0,
        })
    }
}

#[cfg(test)]
mod tests;
