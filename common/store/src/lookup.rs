//! Looking up many keys at once. Each block is read once.

use super::{Content, StoreError, Stored, block, corrupt, index::KeyHash};

/// A key to look up, and the result.
pub(super) struct Sought<'a> {
    pub(super) key: &'a [u8],
    pub(super) hash: KeyHash,
    /// The newest block that holds the key, and the value in it.
    pub(super) found: Option<(u64, Stored)>,
}

impl<'a> Sought<'a> {
    pub(super) fn new(key: &'a [u8]) -> Self {
        Self {
            key,
            hash: KeyHash::of(key),
            found: None,
        }
    }
}

/// Looks up keys, given in ascending order.
pub(super) fn find_all(
    blocks: &sled::Tree,
    content: &Content,
    keys: &mut [Sought<'_>],
) -> Result<(), StoreError> {
    let mut proposed: Vec<(u64, usize)> = Vec::new();
    for (place, sought) in keys.iter().enumerate() {
        let candidates = content.index.candidates(sought.hash);
        proposed.extend(candidates.map(|number| (number, place)));
    }
    // Older blocks come first, so that the result of the newest remains.
    proposed.sort_unstable();
    proposed.dedup();
    for of_block in proposed.chunk_by(|a, b| a.0 == b.0) {
        let number = of_block[0].0;
        let bytes = super::block_bytes(blocks, number)?;
        find_in_block(number, &bytes, of_block, keys).map_err(corrupt(number))?;
    }
    Ok(())
}

/// Looks up the keys for which the index proposed this block.
fn find_in_block(
    number: u64,
    bytes: &[u8],
    proposed: &[(u64, usize)],
    keys: &mut [Sought<'_>],
) -> Result<(), block::BlockError> {
    let mut finder = block::Finder::new(bytes)?;
    for &(_, place) in proposed {
        let sought = &mut keys[place];
        if let Some(stored) = finder.find(sought.key)? {
            sought.found = Some((number, stored));
        }
    }
    Ok(())
}
