//! Finding keys in a block.

use super::{
    BlockError, common_prefix,
    reader::{Entries, Entry},
};
use crate::Stored;

/// Looks up keys, given in ascending order, in one pass over a block. Builds no keys: the length that
/// a key has in common with the previous record, and the length that the next record shares, mostly
/// determine their order.
pub struct Finder<'a, 'k> {
    entries: Entries<'a>,
    /// The first record not known to be below the key sought last.
    next: Option<Entry<'a>>,
    /// The key sought last.
    last: &'k [u8],
    /// The length of the prefix it has in common with the record before `next`.
    matched: usize,
}

impl<'a, 'k> Finder<'a, 'k> {
    /// Checks the frame of a block: length, format, checksum, count, and the sizes of its parts.
    ///
    /// # Errors
    /// One of them is wrong.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let mut entries = Entries::new(bytes)?;
        Ok(Self {
            next: entries.next()?,
            entries,
            last: &[],
            matched: 0,
        })
    }

    /// The value of `key` in the block. Keys must not descend from call to call. Do not call this again
    /// after an error. If [`decode`](super::decode) rejects the bytes, results are meaningless.
    ///
    /// # Errors
    /// The bytes are not what [`encode`](super::encode) writes.
    pub fn find(&mut self, key: &'k [u8]) -> Result<Option<Stored>, BlockError> {
        // The previous record is below the last key, and the last key below this one, so the first
        // difference decides.
        let mut matched = self.matched.min(common_prefix(self.last, key));
        let mut found = None;
        while let Some(entry) = &self.next {
            if entry.shared < matched {
                break;
            }
            if entry.shared == matched {
                let wanted = &key[matched..];
                let agree = common_prefix(entry.rest, wanted);
                match (entry.rest.get(agree), wanted.get(agree)) {
                    (None, None) => {
                        let origin = self.entries.origin(self.entries.done - 1)?;
                        found = Some(Stored {
                            value: entry.value,
                            worth: origin.worth,
                            source: origin.source,
                        });
                        break;
                    }
                    (Some(byte), other) if other.is_none_or(|other| byte > other) => break,
                    _ => matched += agree,
                }
            }
            self.next = self.entries.next()?;
        }
        self.last = key;
        self.matched = matched;
        Ok(found)
    }
}
