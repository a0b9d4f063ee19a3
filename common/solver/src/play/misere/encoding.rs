//! Portable bytes of canonical games and of sums: equal exactly for equal games or multisets, in every
//! process.
//!
//! ```text
//! value  = k                              the heap *k, one byte below 0xE0
//!        | 0xF0 parts                     another base: its options, none twice
//!        | 0xF1 parts                     that base + *1
//! sum    = parts one                      its bases other than zero; 0 or 1 for *1
//! parts  = count value{count}             sorted by length, then bytes
//! count  = LEB128, no longer than needed
//! ```
//!
//! A changed encoding is a breaking change: stored keys and messages contain it.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use thiserror::Error;

use super::bag::{Bag, Bags};
use super::tree::{Tree, Trees};
use sproutnet_record::varint;

/// Heaps below this size have a one-byte encoding and the same id in all tables.
pub const SMALL_HEAPS: u32 = 0xE0;

/// The maximum nesting of encodings: deeper values have none, and deeper bytes are refused.
pub const MAX_NESTING: u16 = 128;

/// The maximum number of summands of an encoding, not counting the *1.
pub const MAX_SUMMANDS: usize = 1024;

const BASE: u8 = 0xF0;
const BASE_PLUS_ONE: u8 = 0xF1;

/// The maximum length of the kept bytes of a base; longer bases are not shown as text.
const KEPT_BYTES: u32 = 4096;

/// Why bytes are not the encoding of a value or a sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TreeError {
    /// The bytes end within the encoding.
    #[error("the encoding of a game is cut short")]
    Truncated,
    /// A byte that starts no value.
    #[error("no game starts with byte {0:#04x}")]
    Tag(u8),
    /// A count is longer than needed, or too large for any game.
    #[error("a count is not a shortest 32-bit LEB128 number")]
    Count,
    /// Nested deeper than [`MAX_NESTING`].
    #[error("the encoding of a game is nested deeper than {MAX_NESTING}")]
    TooDeep,
    /// More summands than [`MAX_SUMMANDS`].
    #[error("a sum has more than {MAX_SUMMANDS} summands")]
    TooMany,
    /// Options or summands out of order, or an option repeated.
    #[error("the parts of a game are not in order")]
    Unsorted,
    /// A game that has a simpler form.
    #[error("a game is not in reduced canonical form")]
    NotCanonical,
}

/// The result of reading, and the number of bytes read.
type Read<V> = Result<(V, usize), TreeError>;

/// Length and nesting of a base's encoding, known before it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EncodedSize {
    /// `u32::MAX`: that or more.
    bytes: u32,
    nesting: u16,
}

impl EncodedSize {
    pub(super) const SMALL_HEAP: Self = Self {
        bytes: 1,
        nesting: 0,
    };

    pub(super) fn of_options(count: usize, options: impl Iterator<Item = Self>) -> Self {
        let head = Self {
            bytes: 1 + count_len(count),
            nesting: 1,
        };
        options.fold(head, |sum, o| Self {
            bytes: sum.bytes.saturating_add(o.bytes),
            nesting: sum.nesting.max(o.nesting.saturating_add(1)),
        })
    }
}

/// The length of an encoded count, in bytes.
fn count_len(count: usize) -> u32 {
    count.max(1).ilog2() / 7 + 1
}

/// Reads a count. Only the shortest form of a number below 2^28 is accepted.
fn read_count(bytes: &[u8]) -> Read<usize> {
    let mut rest = bytes;
    match varint::read(&mut rest) {
        Some(count) if count < 1 << 28 => Ok((count as usize, bytes.len() - rest.len())),
        None if bytes.len() < 4 && bytes.iter().all(|byte| byte & 0x80 != 0) => {
            Err(TreeError::Truncated)
        }
        _ => Err(TreeError::Count),
    }
}

/// The order of parts inside an encoding.
fn part_order(part: &[u8]) -> (usize, &[u8]) {
    (part.len(), part)
}

/// Reads `count` parts in order, each by `part`. Repeats in a set are refused.
fn parse_parts<V>(
    bytes: &[u8],
    count: usize,
    is_set: bool,
    part: impl Fn(&[u8]) -> Read<V>,
) -> Read<Vec<V>> {
    let mut parts = Vec::with_capacity(count);
    let (mut at, mut last): (_, &[u8]) = (0, &[]);
    for _ in 0..count {
        let (value, used) = part(&bytes[at..])?;
        let now = &bytes[at..at + used];
        match part_order(last).cmp(&part_order(now)) {
            Ordering::Less => {}
            Ordering::Equal if !is_set => {}
            _ => return Err(TreeError::Unsorted),
        }
        last = now;
        at += used;
        parts.push(value);
    }
    Ok((parts, at))
}

/// Reads the value at the start of `bytes`. `heap` and `base` make it; `base` gets the options and whether *1 is added.
fn parse<V>(
    bytes: &[u8],
    nesting: u16,
    heap: &impl Fn(u8) -> V,
    base: &impl Fn(Vec<V>, bool) -> Result<V, TreeError>,
) -> Read<V> {
    let tag = *bytes.first().ok_or(TreeError::Truncated)?;
    match tag {
        BASE | BASE_PLUS_ONE => {}
        k if u32::from(k) < SMALL_HEAPS => return Ok((heap(k), 1)),
        other => return Err(TreeError::Tag(other)),
    }
    let nesting = nesting.checked_sub(1).ok_or(TreeError::TooDeep)?;
    let (count, count_bytes) = read_count(&bytes[1..])?;
    let parts = &bytes[1 + count_bytes..];
    if count > parts.len() {
        return Err(TreeError::Truncated);
    }
    let option = |bytes: &[u8]| parse(bytes, nesting, heap, base);
    let (options, used) = parse_parts(parts, count, true, option)?;
    let value = base(options, tag == BASE_PLUS_ONE)?;
    Ok((value, 1 + count_bytes + used))
}

/// Reads the value at the start of `bytes`. `base` finds bases by their options; an unknown base is an error.
fn parse_tree(bytes: &[u8], base: &impl Fn(&[Tree]) -> Option<Tree>) -> Read<Tree> {
    let base = |mut options: Vec<Tree>, one| {
        options.sort_unstable();
        let base = base(&options).ok_or(TreeError::NotCanonical)?;
        Ok(base.plus_one_if(one))
    };
    parse(bytes, MAX_NESTING, &Tree::small_heap, &base)
}

/// Reads the sum at the start of `bytes`, each summand by `tree`. Returns the summands, and whether there is a *1.
fn parse_sum<V>(bytes: &[u8], tree: impl Fn(&[u8]) -> Read<V>) -> Read<(Vec<V>, bool)> {
    let (count, count_bytes) = read_count(bytes)?;
    if count > MAX_SUMMANDS {
        return Err(TreeError::TooMany);
    }
    let summand = |bytes: &[u8]| {
        let (value, used) = tree(bytes)?;
        // A base other than zero.
        match bytes[0] {
            BASE => Ok((value, used)),
            heap if u32::from(heap) < SMALL_HEAPS && heap > 0 && heap.is_multiple_of(2) => {
                Ok((value, used))
            }
            _ => Err(TreeError::NotCanonical),
        }
    };
    let (summands, used) = parse_parts(&bytes[count_bytes..], count, false, summand)?;
    let at = count_bytes + used;
    match bytes.get(at) {
        None => Err(TreeError::Truncated),
        Some(&one @ (0 | 1)) => Ok(((summands, one == 1), at + 1)),
        Some(&other) => Err(TreeError::Tag(other)),
    }
}

/// The length of the value at the start of `bytes`, which need not be canonical. Allocates nothing.
fn check(bytes: &[u8]) -> Read<()> {
    parse(bytes, MAX_NESTING, &|_| (), &|_, _| Ok(()))
}

/// The length of the sum at the start of `bytes`; its summands need not be canonical. Allocates nothing.
///
/// # Errors
/// The bytes do not start with an encoding of a sum.
pub(super) fn check_sum(bytes: &[u8]) -> Result<usize, TreeError> {
    Ok(parse_sum(bytes, check)?.1)
}

impl Trees {
    /// The canonical bytes of a value. No encoding is a prefix of another. `None` when longer than `limit` bytes or
    /// nested deeper than [`MAX_NESTING`].
    pub fn encode(&self, t: Tree, limit: usize) -> Option<Vec<u8>> {
        let len = self.encoded_len(t).filter(|&len| len <= limit)?;
        let bytes = self.encoding(t);
        debug_assert_eq!(bytes.len(), len);
        Some(bytes)
    }

    /// The length of the encoding, without writing it. `None` for a value without an encoding, whatever the limit.
    pub fn encoded_len(&self, t: Tree) -> Option<usize> {
        let size = self.base(t).size;
        (size.bytes < u32::MAX && size.nesting <= MAX_NESTING).then_some(size.bytes as usize)
    }

    /// The encoding of a value with an [`Self::encoded_len`].
    fn encoding(&self, t: Tree) -> Vec<u8> {
        if t.id() < SMALL_HEAPS {
            return vec![t.id() as u8];
        }
        let mut out = vec![if t.has_one() { BASE_PLUS_ONE } else { BASE }];
        let base = self.base(t);
        if base.size.bytes <= KEPT_BYTES {
            out.extend_from_slice(base.encoding.get_or_init(|| {
                let encoding = self.encode_parts(&base.options);
                self.encodings.fetch_add(encoding.len(), Relaxed);
                encoding.into()
            }));
        } else {
            out.extend(self.encode_parts(&base.options));
        }
        out
    }

    /// The values with their encodings, in the order of the latter.
    fn sorted(&self, values: impl Iterator<Item = Tree>) -> Vec<(Vec<u8>, Tree)> {
        let mut parts: Vec<_> = values.map(|t| (self.encoding(t), t)).collect();
        parts.sort_unstable_by(|(a, _), (b, _)| part_order(a).cmp(&part_order(b)));
        parts
    }

    fn encode_parts(&self, values: &[Tree]) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, values.len() as u64);
        let parts = self.sorted(values.iter().copied());
        out.extend(parts.iter().flat_map(|(bytes, _)| bytes));
        out
    }

    /// Reads the encoding at the start of `bytes`. Returns the value and the number of bytes read.
    ///
    /// # Errors
    /// `bytes` do not start with an encoding by [`Self::encode`]. A game that is not canonical is refused and not
    /// stored, but canonical parts of it may be.
    pub fn decode(&self, bytes: &[u8]) -> Result<(Tree, usize), TreeError> {
        parse_tree(bytes, &|options| match self.simpler(options) {
            Some(_) => None,
            None => Some(self.intern(options)).filter(|base| base.id() >= SMALL_HEAPS),
        })
    }

    /// The value as text: a heap as its size, another base as its options in the order of their
    /// encodings, "+1" for "+ *1": `(2 3)+1`. A base whose encoding is longer than 4096 bytes shows
    /// only its depth: `(…depth 30)`.
    pub fn display(&self, t: Tree) -> String {
        if let Some(k) = self.heap_size(t) {
            return k.to_string();
        }
        let plus_one = if t.has_one() { "+1" } else { "" };
        let base = t.base();
        let is_short = |len| len <= KEPT_BYTES as usize;
        if !self.encoded_len(base).is_some_and(is_short) {
            return format!("(…depth {}){plus_one}", self.depth(base));
        }
        let options = self.sorted(self.options(base)).into_iter();
        let texts: Vec<String> = options.map(|(_, option)| self.display(option)).collect();
        format!("({}){plus_one}", texts.join(" "))
    }
}

impl Bags {
    /// The canonical bytes of a sum. No encoding is a prefix of another. `None` when longer than `limit` bytes, with
    /// more than [`MAX_SUMMANDS`] bases, or when a base has no encoding.
    pub fn encode(&self, bag: Bag, limit: usize) -> Option<Vec<u8>> {
        let bases: Vec<Tree> = self.summands(bag).filter(|&t| t != Tree::ONE).collect();
        if bases.len() > MAX_SUMMANDS {
            return None;
        }
        let mut len = count_len(bases.len()) as usize + 1;
        for &base in &bases {
            len = len.saturating_add(self.trees().encoded_len(base)?);
        }
        if len > limit {
            return None;
        }
        let mut out = self.trees().encode_parts(&bases);
        out.push(u8::from(bag.has_one()));
        Some(out)
    }

    /// Reads the encoding at the start of `bytes`. Returns the sum and the number of bytes read.
    ///
    /// # Errors
    /// `bytes` do not start with an encoding by [`Self::encode`]. The parts before the error may have been stored.
    pub fn decode(&self, bytes: &[u8]) -> Result<(Bag, usize), TreeError> {
        let ((mut bases, one), used) = parse_sum(bytes, |bytes| self.trees().decode(bytes))?;
        bases.sort_unstable();
        Ok((self.intern(&bases).plus_one_if(one), used))
    }

    /// The sum whose encoding is all of `bytes`, if it is in the table. Adds nothing.
    pub fn find(&self, bytes: &[u8]) -> Option<Bag> {
        let trees = self.trees();
        let known = |bytes: &[u8]| parse_tree(bytes, &|options| trees.find(options));
        let ((mut bases, one), used) = parse_sum(bytes, known).ok()?;
        bases.sort_unstable();
        let bag = (used == bytes.len()).then(|| self.find_bases(&bases))??;
        Some(bag.plus_one_if(one))
    }
}
