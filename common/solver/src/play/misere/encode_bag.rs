//! Portable names of sums: bytes that are equal exactly for equal multisets, in every process.
//!
//! ```text
//! sum    = count value{count} one         its bases, sorted by length, then bytes; 0 or 1 for *1
//! ```
//!
//! Values and counts are written as in single games
//! ([`Trees::encode`](super::tree::Trees::encode)). A changed encoding is a breaking change: stored
//! keys and messages contain it.

use super::bag::{Bag, Bags};
use super::encode::{self, TreeError, count_len, is_summand, part_order, read_count};
use super::tree::Tree;
use sproutnet_record::varint;

/// The most summands an encoding may have, the *1 not counted.
pub const MAX_SUMMANDS: usize = 1024;

impl Bags {
    /// Canonical bytes, equal exactly for equal sums (as multisets) in every process, and no
    /// encoding starts another. `None` when longer than `limit` bytes, with more than
    /// [`MAX_SUMMANDS`] bases, or when a base has no encoding.
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
        let mut parts: Vec<Vec<u8>> = bases.iter().map(|&b| self.trees().encoding(b)).collect();
        parts.sort_unstable_by(|a, b| part_order(a).cmp(&part_order(b)));
        let mut out = Vec::with_capacity(len);
        varint::write(&mut out, parts.len() as u64);
        out.extend(parts.iter().flatten());
        out.push(u8::from(bag.has_one()));
        Some(out)
    }

    /// Reads the encoding at the start of `bytes`: the sum and the number of bytes it took.
    ///
    /// # Errors
    /// When `bytes` do not start with what [`Self::encode`] writes. The parts before the error may
    /// have been stored.
    pub fn decode(&self, bytes: &[u8]) -> Result<(Bag, usize), TreeError> {
        let sum = parse(bytes, |bytes| self.trees().decode(bytes))?;
        let mut bases = sum.summands;
        bases.sort_unstable();
        Ok((self.intern(&bases).plus_one_if(sum.one), sum.length))
    }

    /// The sum that the whole of `bytes` encodes, if it is in the table already. Nothing is added.
    pub fn find(&self, bytes: &[u8]) -> Option<Bag> {
        let sum = parse(bytes, |bytes| self.trees().decode_known(bytes)).ok()?;
        let bases: Option<Vec<Tree>> = sum.summands.into_iter().collect();
        let mut bases = bases.filter(|_| sum.length == bytes.len())?;
        bases.sort_unstable();
        Some(self.find_bases(&bases)?.plus_one_if(sum.one))
    }
}

/// The number of bytes of the encoding at the start of `bytes`, whose summands need not be
/// canonical. Allocates nothing.
///
/// # Errors
/// The bytes do not start with a count of summands in order.
pub(super) fn check(bytes: &[u8]) -> Result<usize, TreeError> {
    let sum = parse(bytes, |bytes| Ok(((), encode::check(bytes)?)))?;
    Ok(sum.length)
}

/// A sum as it is written.
struct Sum<V> {
    summands: Vec<V>,
    one: bool,
    /// The number of bytes it took.
    length: usize,
}

/// Reads the encoding at the start of `bytes`, each summand by `summand`, which returns the number
/// of bytes that it took.
fn parse<V>(
    bytes: &[u8],
    summand: impl Fn(&[u8]) -> Result<(V, usize), TreeError>,
) -> Result<Sum<V>, TreeError> {
    let (count, mut at) = read_count(bytes)?;
    if count > MAX_SUMMANDS {
        return Err(TreeError::TooMany);
    }
    let mut summands = Vec::with_capacity(count);
    let mut last: &[u8] = &[];
    for _ in 0..count {
        let (value, used) = summand(&bytes[at..])?;
        let part = &bytes[at..at + used];
        if !is_summand(part) {
            return Err(TreeError::NotCanonical);
        }
        if part_order(last) > part_order(part) {
            return Err(TreeError::Unsorted);
        }
        last = part;
        at += used;
        summands.push(value);
    }
    let one = match bytes.get(at) {
        None => return Err(TreeError::Truncated),
        Some(0) => false,
        Some(1) => true,
        Some(&other) => return Err(TreeError::Tag(other)),
    };
    Ok(Sum {
        summands,
        one,
        length: at + 1,
    })
}
