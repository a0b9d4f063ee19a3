//! Sets of numbers of tokens.

use smallvec::SmallVec;

use crate::heaps::{LARGEST_HEAP, Prefix};

/// The maximum number of ranges of a set.
const MOST_RANGES: usize = 50;

/// The last number of a range without an end.
const NO_END: u16 = u16::MAX;

/// A set of numbers, finite or with all numbers from some number on: ranges with their first and last number, ascending
/// and with a gap between any two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(SmallVec<[(u16, u16); 4]>);

impl Set {
    /// Reads numbers and ranges with commas between them.
    pub(super) fn from_text(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let mut ranges = Vec::new();
        for part in text.split(',') {
            let wrong = || {
                format!(
                    "expected a number up to {LARGEST_HEAP} or a range such as `4..6` or `4..`, found `{}`",
                    part.trim()
                )
            };
            let number = |text: &str| {
                let number = text.trim().parse::<u16>().ok();
                number.filter(|&number| u32::from(number) <= LARGEST_HEAP)
            };
            let range = match part.split_once("..") {
                None => number(part).map(|number| (number, number)),
                Some((first, last)) if last.trim().is_empty() => {
                    number(first).map(|first| (first, NO_END))
                }
                Some((first, last)) => number(first).zip(number(last)),
            };
            let range = range.filter(|(first, last)| first <= last);
            ranges.push(range.ok_or_else(wrong)?);
        }
        ranges.sort_unstable();
        let mut set = Self::default();
        for (first, last) in ranges {
            match set.0.last_mut() {
                Some((_, before)) if first <= before.saturating_add(1) => {
                    *before = last.max(*before);
                }
                _ => set.0.push((first, last)),
            }
        }
        match set.0.len() {
            ..=MOST_RANGES => Ok(set),
            _ => Err(format!("a set has at most {MOST_RANGES} ranges")),
        }
    }

    /// The canonical text: two numbers that follow each other are written one by one.
    pub(super) fn to_text(&self) -> String {
        let text = |&(first, last): &(u16, u16)| match last {
            NO_END => format!("{first}.."),
            last if last == first => format!("{first}"),
            last if last == first + 1 => format!("{first},{last}"),
            last => format!("{first}..{last}"),
        };
        let texts: Vec<String> = self.0.iter().map(text).collect();
        texts.join(",")
    }

    /// Appends the canonical bytes.
    pub(super) fn append_to(&self, bytes: &mut Prefix) {
        bytes.push(self.0.len() as u8);
        for (first, last) in &self.0 {
            bytes.extend_from_slice(&first.to_be_bytes());
            bytes.extend_from_slice(&last.to_be_bytes());
        }
    }

    /// Reads a set at the beginning of bytes, and returns the other bytes. `None` unless they are canonical.
    pub(super) fn split_from(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&count, mut rest) = bytes.split_first()?;
        let mut set = Self::default();
        for _ in 0..count {
            let ([a, b, c, d], after) = rest.split_first_chunk()?;
            rest = after;
            let (first, last) = (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]));
            let is_number = |number| u32::from(number) <= LARGEST_HEAP;
            let is_range = first <= last && is_number(first) && (is_number(last) || last == NO_END);
            let has_gap = set
                .0
                .last()
                .is_none_or(|&(_, before)| before.checked_add(1).is_some_and(|next| next < first));
            (is_range && has_gap).then(|| set.0.push((first, last)))?;
        }
        (set.0.len() <= MOST_RANGES).then_some((set, rest))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_infinite(&self) -> bool {
        matches!(self.0.last(), Some((_, NO_END)))
    }

    pub(super) fn has(&self, number: u32) -> bool {
        self.ranges()
            .any(|(first, last)| (first..=last).contains(&number))
    }

    /// The least number of the set.
    pub(super) fn least(&self) -> Option<u32> {
        self.ranges().next().map(|(first, _)| first)
    }

    /// The numbers of the set up to this one, ascending.
    pub(super) fn up_to(&self, most: u32) -> impl Iterator<Item = u32> {
        self.ranges()
            .flat_map(move |(first, last)| first..=last.min(most))
    }

    /// The number above which either all numbers are in the set or none.
    pub(super) fn regular_from(&self) -> u32 {
        match self.ranges().last() {
            None => 0,
            Some((first, u32::MAX)) => first.saturating_sub(1),
            Some((_, last)) => last,
        }
    }

    fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().map(|&(first, last)| match last {
            NO_END => (first.into(), u32::MAX),
            last => (first.into(), last.into()),
        })
    }
}
