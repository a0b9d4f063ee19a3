//! Sets as bytes.

use super::{DEEPEST, LONGEST};
use crate::EncodingError;

/// The end of the game among the options of a set.
pub(super) const END: [u8; 2] = [0, 0];

/// What a land is made of.
pub(super) enum Parts<'a> {
    /// A heap of this size.
    Heap(u8),
    /// The options of a set.
    Set(Options<'a>),
}

/// The options of a set, one after another.
pub(super) struct Options<'a> {
    left: u8,
    rest: &'a [u8],
}

impl<'a> Iterator for Options<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        let (option, rest) = self.rest.split_at(length(self.rest));
        self.rest = rest;
        Some(option)
    }
}

/// The parts of a land that was written or checked here, or of the [`END`].
pub(super) fn parts(land: &[u8]) -> Parts<'_> {
    match land {
        [0, size, ..] => Parts::Heap(*size),
        [left, rest @ ..] => Parts::Set(Options { left: *left, rest }),
        [] => unreachable!("a land has bytes"),
    }
}

/// The length of the heap or set at the beginning of some bytes.
fn length(bytes: &[u8]) -> usize {
    // Heaps and sets that are still to come.
    let mut left = 1;
    let mut at = 0;
    while left > 0 {
        left -= 1;
        if bytes[at] == 0 {
            at += 1;
        } else {
            left += usize::from(bytes[at]);
        }
        at += 1;
    }
    at
}

/// The number of moves of the longest play.
pub(super) fn longest(land: &[u8]) -> u32 {
    match parts(land) {
        Parts::Heap(size) => size.into(),
        Parts::Set(options) => 1 + options.map(longest).max().unwrap_or(0),
    }
}

/// The bytes of the set with these options, which may be repeated and in any order; `None` if there are too many.
pub(super) fn set(mut options: Vec<Vec<u8>>) -> Option<Vec<u8>> {
    options.sort_unstable();
    options.dedup();
    let count = u8::try_from(options.len()).ok()?;
    if is_heap(options.iter().map(Vec::as_slice)) {
        return Some(vec![0, count]);
    }
    let mut bytes = vec![count];
    bytes.extend(options.into_iter().flatten());
    Some(bytes)
}

/// Whether these options are those of a heap.
fn is_heap<'a>(options: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut options = (0..).zip(options);
    options.all(|(size, option): (usize, _)| matches!(option, [0, of] if usize::from(*of) == size))
}

/// Checks that bytes are the one encoding of a land. Returns the number of moves of the longest play.
pub(super) fn check(bytes: &[u8]) -> Result<u32, EncodingError> {
    let error = |offset, problem| Err(EncodingError { offset, problem });
    if bytes.len() > LONGEST {
        return error(LONGEST, "a game has at most 2000 bytes");
    }
    if bytes == END {
        return error(0, "the end of the game is no land");
    }
    let (length, longest) = checked(bytes, 0, 0)?;
    if length < bytes.len() {
        return error(length, "there is more than one game");
    }
    Ok(longest)
}

/// Checks the heap or set at an offset. Returns the offset of its end, and the number of moves of its longest play.
fn checked(bytes: &[u8], at: usize, depth: usize) -> Result<(usize, u32), EncodingError> {
    let error = |offset, problem| Err(EncodingError { offset, problem });
    let count = match bytes[at..] {
        [] => return error(at, "expected a heap or a set"),
        [0] => return error(at + 1, "expected the size of a heap"),
        [0, size, ..] => return Ok((at + 2, size.into())),
        [count, ..] => count,
    };
    if depth == DEEPEST {
        return error(at, "at most 64 sets are within one another");
    }
    let mut end = at + 1;
    let mut longest = 0;
    let mut last: Option<&[u8]> = None;
    let mut is_heap = true;
    for size in 0..count {
        let begin = end;
        let moves;
        (end, moves) = checked(bytes, begin, depth + 1)?;
        longest = longest.max(moves);
        let option = &bytes[begin..end];
        if last.is_some_and(|last| last >= option) {
            return error(begin, "options ascend");
        }
        is_heap &= option == [0, size];
        last = Some(option);
    }
    if is_heap {
        return error(
            at,
            "a set with the options of a heap is written as the heap",
        );
    }
    Ok((end, longest + 1))
}
