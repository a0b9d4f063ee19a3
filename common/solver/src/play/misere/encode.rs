//! Portable names of canonical games: bytes that are equal exactly for equal values, in every
//! process, and a text.
//!
//! ```text
//! value  = k                              the heap *k, one byte below 0xE0
//!        | 0xF0 count value{count}        another base: its options, sorted by length, then bytes
//!        | 0xF1 count value{count}        that base + *1
//! count  = LEB128, no longer than needed
//! ```
//!
//! A changed encoding is a breaking change: stored keys and messages contain it.

use std::sync::atomic::Ordering;

use thiserror::Error;

use super::tree::{Tree, Trees};
use sproutnet_record::varint;

/// Heaps below this size have a one-byte encoding and the same id in all tables.
pub const SMALL_HEAPS: u32 = 0xE0;

/// How deep encodings may be nested: deeper values have none, and deeper bytes are refused.
pub const MAX_NESTING: u16 = 128;

const BASE: u8 = 0xF0;
const BASE_PLUS_ONE: u8 = 0xF1;

/// The bytes of a base are kept in the table, and shown as text, up to this length.
const KEPT_BYTES: u32 = 4096;

/// Why bytes are not the encoding of a value.
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
    /// More summands than [`MAX_SUMMANDS`](super::encode_bag::MAX_SUMMANDS).
    #[error("a sum has more than {} summands", super::encode_bag::MAX_SUMMANDS)]
    TooMany,
    /// Options or summands out of order, or an option repeated.
    #[error("the parts of a game are not in order")]
    Unsorted,
    /// A game that has a simpler form.
    #[error("a game is not in reduced canonical form")]
    NotCanonical,
}

/// Length and nesting of a base's encoding, known before it is written.
#[derive(Clone, Copy)]
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

/// The number of bytes that a count takes.
pub(super) fn count_len(count: usize) -> u32 {
    count.max(1).ilog2() / 7 + 1
}

/// Reads a count and the number of its bytes; only the shortest form of a number below 2^28 is
/// accepted.
pub(super) fn read_count(bytes: &[u8]) -> Result<(usize, usize), TreeError> {
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
pub(super) fn part_order(part: &[u8]) -> (usize, &[u8]) {
    (part.len(), part)
}

/// The number of bytes of the encoding at the start of `bytes`, which need not be that of a
/// canonical value. Allocates nothing.
///
/// # Errors
/// The bytes do not start with a tag, or a count, order or nesting is wrong.
pub(super) fn check(bytes: &[u8]) -> Result<usize, TreeError> {
    let ((), used) = parse(bytes, &|_| (), &|_, _| Ok(()))?;
    Ok(used)
}

/// Reads the encoding at the start of `bytes`: what `heap` and `base` make of it, and the number of
/// bytes it took. `base` is given what was made of the options, and whether there is a + *1.
fn parse<V>(
    bytes: &[u8],
    heap: &impl Fn(u8) -> V,
    base: &impl Fn(Vec<V>, bool) -> Result<V, TreeError>,
) -> Result<(V, usize), TreeError> {
    parse_nested(bytes, MAX_NESTING, heap, base)
}

fn parse_nested<V>(
    bytes: &[u8],
    nesting: u16,
    heap: &impl Fn(u8) -> V,
    base: &impl Fn(Vec<V>, bool) -> Result<V, TreeError>,
) -> Result<(V, usize), TreeError> {
    let tag = *bytes.first().ok_or(TreeError::Truncated)?;
    match tag {
        BASE | BASE_PLUS_ONE => {}
        k if u32::from(k) < SMALL_HEAPS => return Ok((heap(k), 1)),
        other => return Err(TreeError::Tag(other)),
    }
    let nesting = nesting.checked_sub(1).ok_or(TreeError::TooDeep)?;
    let (count, count_bytes) = read_count(&bytes[1..])?;
    let mut at = 1 + count_bytes;
    if count > bytes.len() - at {
        return Err(TreeError::Truncated);
    }
    let mut options = Vec::with_capacity(count);
    let mut last: &[u8] = &[];
    for _ in 0..count {
        let (option, used) = parse_nested(&bytes[at..], nesting, heap, base)?;
        let part = &bytes[at..at + used];
        if part_order(last) >= part_order(part) {
            return Err(TreeError::Unsorted);
        }
        last = part;
        at += used;
        options.push(option);
    }
    Ok((base(options, tag == BASE_PLUS_ONE)?, at))
}

/// Whether an encoding is that of a base other than zero, judged by how it starts.
pub(super) fn is_summand(encoding: &[u8]) -> bool {
    match encoding.first() {
        Some(&BASE) => true,
        Some(&heap) => u32::from(heap) < SMALL_HEAPS && heap > 0 && heap.is_multiple_of(2),
        None => false,
    }
}

impl Trees {
    /// The canonical bytes of a value: equal values have equal bytes in every process, whatever the
    /// order of creation, and no encoding starts another. `None` when longer than `limit` bytes or
    /// nested deeper than [`MAX_NESTING`].
    pub fn encode(&self, t: Tree, limit: usize) -> Option<Vec<u8>> {
        let len = self.encoded_len(t).filter(|&len| len <= limit)?;
        let mut out = Vec::with_capacity(len);
        self.write_encoding(t, &mut out);
        debug_assert_eq!(out.len(), len);
        Some(out)
    }

    /// The length of the encoding, found without writing it; `None` for a value that has none,
    /// whatever the limit.
    pub fn encoded_len(&self, t: Tree) -> Option<usize> {
        let size = self.base(t).size;
        (size.bytes < u32::MAX && size.nesting <= MAX_NESTING).then_some(size.bytes as usize)
    }

    /// Appends the encoding of a value for which [`Self::encoded_len`] is some length.
    pub(super) fn write_encoding(&self, t: Tree, out: &mut Vec<u8>) {
        if t.id() < SMALL_HEAPS {
            out.push(t.id() as u8);
            return;
        }
        out.push(if t.has_one() { BASE_PLUS_ONE } else { BASE });
        let base = self.base(t);
        if base.size.bytes <= KEPT_BYTES {
            out.extend_from_slice(base.encoding.get_or_init(|| {
                let encoding = self.encode_options(&base.options);
                self.encodings.fetch_add(encoding.len(), Ordering::Relaxed);
                encoding.into()
            }));
        } else {
            out.extend(self.encode_options(&base.options));
        }
    }

    fn encode_options(&self, options: &[Tree]) -> Vec<u8> {
        let mut parts: Vec<Vec<u8>> = options.iter().map(|&o| self.encoding(o)).collect();
        parts.sort_unstable_by(|a, b| part_order(a).cmp(&part_order(b)));
        let mut out = Vec::new();
        varint::write(&mut out, parts.len() as u64);
        out.extend(parts.iter().flatten());
        out
    }

    /// The encoding of a value that is known to have one.
    pub(super) fn encoding(&self, t: Tree) -> Vec<u8> {
        let mut out = Vec::new();
        self.write_encoding(t, &mut out);
        out
    }

    /// Reads the encoding at the start of `bytes`: the value and the number of bytes it took.
    ///
    /// # Errors
    /// When `bytes` do not start with what [`Self::encode`] writes. A game that is not canonical is
    /// refused and not stored, though canonical parts of it may be.
    pub fn decode(&self, bytes: &[u8]) -> Result<(Tree, usize), TreeError> {
        parse(bytes, &Tree::small_heap, &|mut options, one| {
            options.sort_unstable();
            if self.simpler(&options).is_some() {
                return Err(TreeError::NotCanonical);
            }
            let base = self.intern(&options);
            if base.id() < SMALL_HEAPS {
                return Err(TreeError::NotCanonical);
            }
            Ok(base.plus_one_if(one))
        })
    }

    /// The same without adding to the table: the value is `None` if it is not there.
    ///
    /// # Errors
    /// The bytes do not start with an encoding.
    pub(super) fn decode_known(&self, bytes: &[u8]) -> Result<(Option<Tree>, usize), TreeError> {
        let heap = |size| Some(Tree::small_heap(size));
        parse(bytes, &heap, &|options: Vec<Option<Tree>>, one| {
            let options: Option<Vec<Tree>> = options.into_iter().collect();
            Ok(options.and_then(|mut options| {
                options.sort_unstable();
                Some(self.find(&options)?.plus_one_if(one))
            }))
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
        if self
            .encoded_len(base)
            .is_none_or(|len| len > KEPT_BYTES as usize)
        {
            return format!("(…depth {}){plus_one}", self.depth(base));
        }
        let mut options: Vec<(Vec<u8>, Tree)> =
            self.options(base).map(|o| (self.encoding(o), o)).collect();
        options.sort_unstable_by(|(a, _), (b, _)| part_order(a).cmp(&part_order(b)));
        let texts: Vec<String> = options.into_iter().map(|(_, o)| self.display(o)).collect();
        format!("({}){plus_one}", texts.join(" "))
    }
}
