//! Finding keys in a block.

use super::{
    BlockError, common_prefix,
    reader::{Entries, Entry},
};
use crate::Stored;

/// Finds keys of a block, given in ascending order, in one pass. Builds no keys: how far a key
/// agrees with the record before tells, with the length shared by the next, which side of it most
/// records lie.
pub struct Finder<'a, 'k> {
    entries: Entries<'a>,
    /// The first record not known to be below the key sought last.
    next: Option<Entry<'a>>,
    /// The key sought last.
    last: &'k [u8],
    /// How many bytes at its beginning it has in common with the record before `next`.
    matched: usize,
}

impl<'a, 'k> Finder<'a, 'k> {
    /// Checks the frame of a block: length, format, checksum, count, and the sizes of its parts.
    ///
    /// # Errors
    /// Something is wrong with one of them.
    pub fn new(bytes: &'a [u8]) -> Result<Self, BlockError> {
        let mut entries = Entries::new(bytes)?;
        Ok(Self {
            next: entries.next()?,
            entries,
            last: &[],
            matched: 0,
        })
    }

    /// What the block says of `key`, which is not below the key sought before. Do not call it again
    /// after an error. Of bytes that [`decode`](super::decode) refuses nothing that is found need be true.
    ///
    /// # Errors
    /// From some record on the bytes are not what [`encode`](super::encode) writes.
    pub fn find(&mut self, key: &'k [u8]) -> Result<Option<Stored>, BlockError> {
        // The record before is below the last key and that below this one, so whichever two differ
        // first decide.
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
                        let source = self.entries.source(self.entries.done - 1)?;
                        let value = entry.value;
                        found = Some(Stored { value, source });
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
