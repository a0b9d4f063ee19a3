//! Take-and-break games by their sets: which numbers of tokens a move may take if it leaves no heap, one, two or three.
//!
//! `{1,2|1,2|1,2}:5` is a row of Kayles: a move takes one or two tokens, whatever it leaves. A set lists numbers and
//! ranges, `3..5` or without an end `3..`, so sets are finite, or all but finitely many numbers. Trailing sets are left
//! out if they are empty: `{1..|1..}` is Nim. In `{|1,3..}`, a move takes any number except two, but not the whole
//! heap. The set for j heaps holds the numbers of tokens whose digits in a code have the bit 2^j (*Winning Ways*,
//! chapter 4; Siegel, *Combinatorial Game Theory*, section IV.1). A code has no notation for infinitely many digits,
//! other than repeated ones; see [octal](super::octal).
//!
//! ```text
//! parameters = set…            set: one byte for the number of ranges, then the ranges in ascending order
//! range      = first last      in two bytes each, most significant first; the last is FFFF if there is no end
//! ```

mod set;

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, Left, Parameters, Prefix, Reach, Rule};
use set::Set;

/// The number of sets: a move leaves at most three heaps.
const SETS: usize = 4;

/// The rules of take-and-break games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TakeAndBreak;

impl HeapGame for TakeAndBreak {
    type Rule = Sets;

    const INFO: GameInfo = GameInfo {
        name: "take-and-break",
        code: GameCode(b'L'),
        encoding_version: 1,
        rules: "a move takes a number of tokens in SET j and leaves j heaps, where j is 0 to 3",
        notation: "take-and-break{SET|SET|…}:SIZE+…, where a set is such as 1,4..6,9..",
        examples: &[
            "{1,2|1,2|1,2}:5+3",
            "{1..|1..|0..}:7",
            "{|1,3..}:9+4",
            "{|||0,2..}:9",
            "{2|70|1}:8+{|2..|3}:9",
        ],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::Before;

    /// Heaps under some rules that have no code.
    fn starts() -> Vec<String> {
        let rules = ["{1..|1..|1..}", "{|1..|0..}", "{|2..}", "{1|1|1..}"].into_iter();
        let heaps = rules.flat_map(|rule| (1..=16).map(move |size| format!("{rule}:{size}")));
        heaps.collect()
    }
}

/// For each number of heaps that a move may leave, the numbers of tokens that it may take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets([Set; SETS]);

impl Rule for Sets {
    fn from_text(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("expected up to {SETS} sets such as `{{1,2|1,4..6|0..}}`, found `{text}`");
        let inner = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        let mut sets = Self::default();
        for (heaps, text) in inner.ok_or_else(wrong)?.split('|').enumerate() {
            *sets.0.get_mut(heaps).ok_or_else(wrong)? = Set::from_text(text)?;
        }
        sets.valid().ok_or_else(|| {
            "some set has a number, and only a move that leaves two or three heaps may take nothing"
                .to_owned()
        })
    }

    fn to_text(&self) -> String {
        let texts: Vec<String> = self.written().iter().map(Set::to_text).collect();
        format!("{{{}}}", texts.join("|"))
    }

    fn to_bytes(&self) -> Prefix {
        let mut bytes = Prefix::new();
        for set in self.written() {
            set.append_to(&mut bytes);
        }
        bytes
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut sets = Self::default();
        for set in &mut sets.0 {
            if bytes.is_empty() {
                break;
            }
            (*set, bytes) = Set::split_from(bytes)?;
            if bytes.is_empty() && set.is_empty() {
                return None;
            }
        }
        bytes.is_empty().then(|| sets.valid())?
    }
}

impl Sets {
    /// The rule itself if it is one: there is a move, and each move makes heaps smaller.
    fn valid(self) -> Option<Self> {
        let [none, one, ..] = &self.0;
        let shrinks = !none.has(0) && !one.has(0);
        let has_move = self.0.iter().any(|set| !set.is_empty());
        (shrinks && has_move).then_some(self)
    }

    /// The sets without the empty ones at the end.
    fn written(&self) -> &[Set] {
        let last = self.0.iter().rposition(|set| !set.is_empty());
        &self.0[..last.map_or(0, |last| last + 1)]
    }
}

impl Heap for Sets {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        let [none, one, two, three] = &self.0;
        if none.has(size) {
            sink(Left::One(0))?;
        }
        for (set, least, left) in [
            (one, 1, Left::One as fn(u32) -> Left),
            (two, 2, Left::Two),
            (three, 3, Left::Three),
        ] {
            if let Some(most) = size.checked_sub(least) {
                let mut taken = set.up_to(most);
                taken.try_for_each(|taken| sink(left(size - taken)))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn longest(&self, size: u32) -> u32 {
        let [none, rest @ ..] = &self.0;
        let can_leave = |(set, least): (&Set, u32)| {
            let least_taken = set.least();
            least_taken.is_some_and(|taken| taken + least <= size)
        };
        let can_move = none.has(size) || rest.iter().zip(1..).any(can_leave);
        let [_, _, two, three] = &self.0;
        match (can_move, two.has(0) || three.has(0)) {
            (false, _) => 0,
            (true, false) => size,
            // As for codes: a heap of n can be split n - 1 times; then its tokens can be taken.
            (true, true) => 2 * size - 1,
        }
    }

    fn reach(&self) -> Option<Reach> {
        let [_, one, two, three] = &self.0;
        if two.is_infinite() || three.is_infinite() {
            return None;
        }
        let most_left = self.written().len().saturating_sub(1).max(1);
        Some(Reach {
            most_taken: self.0.iter().map(Set::regular_from).max()?,
            most_left: most_left as u32,
            takes_any: one.is_infinite(),
        })
    }
}

#[cfg(test)]
mod tests;
