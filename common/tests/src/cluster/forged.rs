//! Blocks that no honest worker writes.

use sproutnet_store::block;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes, followed by the checksum of a block.
pub fn sealed(body: &[u8]) -> Vec<u8> {
    [body, &xxh3_64(body).to_le_bytes()].concat()
}

/// A block that claims to hold `records` records of one source, and continues with these bytes.
pub fn counting(records: u64, rest: &[u8]) -> Vec<u8> {
    let mut body = vec![block::FORMAT];
    number(&mut body, records);
    body.extend([1, 0]);
    body.extend_from_slice(rest);
    sealed(&body)
}

/// A block of one record of any length.
pub fn of_one(key: &[u8], value: u64) -> Vec<u8> {
    let mut record = vec![0];
    number(&mut record, key.len() as u64);
    record.extend_from_slice(key);
    number(&mut record, value);
    counting(1, &record)
}

/// Seven bits a byte, the lowest first; the high bit says that more follow.
fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
