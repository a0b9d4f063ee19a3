//! Laws of the block format.

use super::{BlockError, Record, block};
use crate::varint;
use proptest::{collection, prelude::*};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

type Map = BTreeMap<Vec<u8>, u64>;

/// Keys up to 300 bytes, many of which share prefixes.
fn map(records: usize) -> impl Strategy<Value = Map> {
    let wild = collection::vec(any::<u8>(), 0..300);
    let alike = collection::vec(0..3u8, 0..12);
    let value = (any::<u64>(), 0..64u32).prop_map(|(value, shift)| value >> shift);
    collection::btree_map(prop_oneof![wild, alike], value, 0..records)
}

fn encode(map: &Map) -> Vec<u8> {
    block::encode(map.iter().map(|(key, value)| (&key[..], *value))).unwrap()
}

/// A block of one format byte, these bytes and the checksum that fits them.
fn seal(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![block::FORMAT];
    bytes.extend(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn decode_body(body: &[u8]) -> Result<Vec<Record>, BlockError> {
    block::decode(&seal(body))
}

proptest! {
    #[test]
    fn round_trip(map in map(60), stranger: Vec<u8>) {
        let bytes = encode(&map);
        let decoded = block::decode(&bytes).unwrap();
        let decoded: Vec<_> = decoded.into_iter().map(|r| (r.key.into_vec(), r.value)).collect();
        let expected: Vec<_> = map.clone().into_iter().collect();
        prop_assert_eq!(decoded, expected);
        prop_assert_eq!(block::count(&bytes), Ok(map.len()));
        for (key, value) in &map {
            prop_assert_eq!(block::look_up(&bytes, key), Ok(Some(*value)));
            for near in [[&key[..], &[0]].concat(), key[..key.len().saturating_sub(1)].to_vec()] {
                prop_assert_eq!(block::look_up(&bytes, &near), Ok(map.get(&near).copied()));
            }
        }
        prop_assert_eq!(block::look_up(&bytes, &stranger), Ok(map.get(&stranger).copied()));
    }

    #[test]
    fn every_corrupt_byte_is_noticed(map in map(12), flip in 1..=255u8) {
        let bytes = encode(&map);
        for position in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[position] ^= flip;
            prop_assert!(block::decode(&bytes).is_err(), "byte {}", position);
            prop_assert!(block::look_up(&bytes, b"").is_err(), "byte {}", position);
        }
    }

    #[test]
    fn every_truncation_is_noticed(map in map(12)) {
        let bytes = encode(&map);
        for length in 0..bytes.len() {
            prop_assert!(block::decode(&bytes[..length]).is_err(), "length {}", length);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes: Vec<u8>, key: Vec<u8>) {
        let _ = block::decode(&bytes);
        let _ = block::look_up(&bytes, &key);
    }

    /// With a right checksum the decoder itself is put to the test; what it accepts, it would
    /// write.
    #[test]
    fn random_bodies_never_panic(
        count in 0..20u8,
        body in collection::vec(prop_oneof![0..4u8, any::<u8>()], 0..200),
        key in collection::vec(0..4u8, 0..8),
    ) {
        let bytes = seal(&[&[count], &body[..]].concat());
        let _ = block::look_up(&bytes, &key);
        if let Ok(records) = block::decode(&bytes) {
            let again = block::encode(records.iter().map(|r| (&r.key[..], r.value)));
            prop_assert_eq!(again, Ok(bytes));
        }
    }

    #[test]
    fn a_damaged_body_with_a_right_checksum_is_refused_or_another_block(
        map in map(12),
        position: prop::sample::Index,
        flip in 1..=255u8,
    ) {
        let bytes = encode(&map);
        let mut body = bytes[1..bytes.len() - 8].to_vec();
        body[position.index(bytes.len() - 9)] ^= flip;
        if let Ok(records) = decode_body(&body) {
            let again = block::encode(records.iter().map(|r| (&r.key[..], r.value)));
            prop_assert_eq!(again, Ok(seal(&body)));
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(block::decode(&[1; 8]), Err(BlockError::TooShort(8)));
    assert_eq!(block::decode(&[2; 20]), Err(BlockError::UnknownFormat(2)));
    assert_eq!(block::decode(&[1; 20]), Err(BlockError::Checksum));
    assert_eq!(decode_body(&[]), Err(BlockError::TooShort(9)));
    assert_eq!(decode_body(&[0]), Ok(vec![]));
    assert_eq!(decode_body(&[0, 7]), Err(BlockError::TrailingBytes(1)));
    assert_eq!(decode_body(&[2, 0, 0, 0, 0]), Err(BlockError::Count(2)));
    assert_eq!(decode_body(&[1, 0, 5, b'a']), Err(BlockError::Length(0)));
    assert_eq!(decode_body(&[1, 1, 0, 0]), Err(BlockError::Length(0)));
    assert_eq!(decode_body(&[1, 0, 1, b'a']), Err(BlockError::Number(0)));
    let repeated = [2, 0, 1, b'a', 0, 1, 0, 0];
    assert_eq!(decode_body(&repeated), Err(BlockError::OutOfOrder(1)));
    let unshared = [2, 0, 1, b'a', 0, 0, 2, b'a', b'b', 0];
    assert_eq!(decode_body(&unshared), Err(BlockError::OutOfOrder(1)));
}

#[test]
fn a_count_or_a_length_beyond_the_bytes_allocates_nothing() {
    let mut body = Vec::new();
    varint::write(&mut body, u64::MAX);
    assert_eq!(decode_body(&body), Err(BlockError::Count(u64::MAX)));
    let mut body = vec![1, 0];
    varint::write(&mut body, u64::MAX);
    assert_eq!(decode_body(&body), Err(BlockError::Length(0)));
}

#[test]
fn limits_hold_both_ways() {
    let long = vec![0; block::MAX_KEY + 1];
    let one = |key| block::encode([(key, 0)].into_iter());
    assert_eq!(one(&long[..]), Err(BlockError::KeyTooLong(0)));
    assert!(block::decode(&one(&long[1..]).unwrap()).is_ok());
    let keys: Vec<_> = (0..=block::RECORDS as u16).map(u16::to_be_bytes).collect();
    let many = |count| block::encode(keys[..count].iter().map(|key| (&key[..], 0)));
    let more = block::RECORDS + 1;
    assert_eq!(many(more), Err(BlockError::Count(more as u64)));
    assert!(block::decode(&many(block::RECORDS).unwrap()).is_ok());
    let unsorted = [(&b"b"[..], 0), (b"a", 0)];
    assert_eq!(
        block::encode(unsorted.into_iter()),
        Err(BlockError::OutOfOrder(1))
    );
}

/// Changing these bytes is a breaking change of the format.
#[test]
fn the_bytes_of_a_block_are_settled() {
    let records = [(&b"0*3"[..], 1), (b"0*3.1a1a", 300)];
    let bytes = block::encode(records.into_iter()).unwrap();
    let (body, checksum) = bytes.split_at(bytes.len() - 8);
    assert_eq!(body, b"\x01\x02\x00\x030*3\x01\x03\x05.1a1a\xac\x02");
    assert_eq!(checksum, xxh3_64(body).to_le_bytes());
}
