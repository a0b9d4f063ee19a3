//! Messages with records to the coordinator.

use sproutnet_store::StoreError;

/// The approximate size of a message, in bytes. At 1 Mbit/s, it takes less time than the deadline of a call. New
/// records may have to wait for a message of the backlog.
pub(crate) const MESSAGE_BYTES: usize = 1 << 20;

/// One message to the coordinator.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) blocks: Vec<Vec<u8>>,
    pub(crate) contents: Contents,
}

/// What a message brings to the coordinator.
#[derive(Debug)]
pub(crate) enum Contents {
    /// The new blocks up to this number.
    Fresh(u64),
    /// The backlog up to this block.
    Backlog(u64),
}

/// The first blocks, at least one, until they fill a message.
pub(crate) fn fitting(
    blocks: impl Iterator<Item = Result<Vec<u8>, StoreError>>,
    limit: usize,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut taken = Vec::new();
    let mut bytes = 0;
    for block in blocks {
        let block = block?;
        bytes += block.len();
        taken.push(block);
        if bytes >= limit {
            break;
        }
    }
    Ok(taken)
}
