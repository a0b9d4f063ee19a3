//! What a coordinator has acknowledged to a worker.

use std::path::Path;

use sproutnet_game as game;
use sproutnet_store::Store;

use super::facts;

/// A worker's own store, and its acknowledgements by a coordinator.
pub(crate) struct Acknowledged {
    /// The number of the newest block.
    pub(crate) newest: u64,
    /// The number of the last acknowledged block.
    pub(crate) cursor: u64,
    /// The records of all blocks up to the cursor, as they were proved.
    pub(crate) records: Vec<(Box<[u8]>, u64)>,
}

impl Acknowledged {
    /// The records in the folder of a worker that the coordinator with this store has acknowledged.
    pub(super) fn read(dir: &Path, store: u64) -> Self {
        let own = Store::open(dir, &game::encodings()).expect("the store opens");
        let name = format!("acknowledged/{store:016x}");
        let noted = own.get_document(&name).expect("it can be read");
        let cursor = noted.map_or(0, |bytes| {
            u64::from_be_bytes(bytes.try_into().expect("a number"))
        });
        let blocks = own
            .blocks_after(0)
            .map(|block| block.expect("it can be read"));
        let records = blocks
            .take_while(|(number, _)| *number <= cursor)
            .flat_map(|(_, block)| facts::of_block(&block))
            .collect();
        Self {
            newest: own.cursor(),
            cursor,
            records,
        }
    }
}
