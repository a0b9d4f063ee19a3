//! Subtraction games: a move takes a number of tokens from a heap. The number must be in a given set.
//!
//! `{1,3,4}:21` is a heap of 21 from which 1, 3 or 4 are taken. The theory is in *Winning Ways*, chapter 4.

use std::ops::ControlFlow;

use smallvec::SmallVec;
use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, LARGEST_HEAP, Left, Parameters, Prefix, Reach, Rule};

/// The maximum size of a set.
const MOST: usize = 100;

/// The rules of subtraction games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subtraction;

impl HeapGame for Subtraction {
    type Rule = Set;

    const INFO: GameInfo = GameInfo {
        name: "subtraction",
        code: GameCode(b'T'),
        encoding_version: 1,
        rules: "a move takes A, B, … tokens from a heap",
        notation: "subtraction{A,B,…}:SIZE+SIZE+…",
        examples: &["{1,3,4}:21", "{2,5}:8+9", "{3}:7", "{1,3,4}:6+{2,5}:9"],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::Before;

    fn starts() -> Vec<String> {
        let sets = ["{2,3}", "{1,3,4}", "{2,5}", "{1,2,4}"].into_iter();
        let heaps = sets.flat_map(|set| (1..=24).map(move |size| format!("{set}:{size}")));
        heaps.collect()
    }
}

/// The numbers of tokens that a move may take, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set(SmallVec<[u16; 8]>);

impl Rule for Set {
    fn from_text(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected up to {MOST} numbers from 1 to {LARGEST_HEAP}, such as `{{1,3,4}}`, found `{text}`"
            )
        };
        let inner = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let numbers = inner.ok_or_else(wrong)?.split(',');
        let numbers: Option<SmallVec<_>> = numbers.map(|n| n.trim().parse().ok()).collect();
        let mut numbers = numbers.ok_or_else(wrong)?;
        numbers.sort_unstable();
        numbers.dedup();
        Self::of(numbers).ok_or_else(wrong)
    }

    fn to_text(&self) -> String {
        let numbers: Vec<_> = self.0.iter().map(u16::to_string).collect();
        format!("{{{}}}", numbers.join(","))
    }

    fn to_bytes(&self) -> Prefix {
        self.0.iter().flat_map(|n| n.to_be_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let numbers = bytes
            .chunks(2)
            .map(|n| n.try_into().map(u16::from_be_bytes));
        Self::of(numbers.collect::<Result<_, _>>().ok()?)
    }
}

impl Set {
    fn of(numbers: SmallVec<[u16; 8]>) -> Option<Self> {
        let ascend = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let are_sizes = numbers
            .iter()
            .all(|&n| (1..=LARGEST_HEAP).contains(&n.into()));
        let is_set = (1..=MOST).contains(&numbers.len()) && ascend && are_sizes;
        is_set.then_some(Self(numbers))
    }
}

impl Heap for Set {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        let taken = self.0.iter().map(|&n| u32::from(n));
        let mut left = taken.map_while(|n| size.checked_sub(n));
        left.try_for_each(|left| sink(Left::One(left)))
    }

    fn longest(&self, size: u32) -> u32 {
        self.0.first().map_or(0, |&least| size / u32::from(least))
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach {
            most_taken: self.0.last().copied().unwrap_or(1).into(),
            most_left: 1,
            takes_any: false,
        })
    }
}
