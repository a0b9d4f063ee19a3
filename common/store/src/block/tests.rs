//! Laws of the block format.

use super::{BlockError, Finder, Reader};
use crate::{Sourced, SourcedRecord, Stored, Worth, block};
use proptest::{collection, prelude::*};
use sproutnet_record::varint;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64;

type Map = BTreeMap<Vec<u8>, (u64, u32)>;

/// Keys up to 300 bytes, with and without shared prefixes, and few or many sources.
fn map(records: usize) -> impl Strategy<Value = Map> {
    let wild = collection::vec(any::<u8>(), 0..300);
    let alike = collection::vec(0..3u8, 0..12);
    let value = (any::<u64>(), 0..64u32).prop_map(|(value, shift)| value >> shift);
    let source = prop_oneof![Just(0), 0..3u32, 0..100u32, any::<u32>()];
    collection::btree_map(prop_oneof![wild, alike], (value, source), 0..records)
}

fn sourced<'a>((key, &(value, source)): (&'a Vec<u8>, &'a (u64, u32))) -> Sourced<'a> {
    Sourced {
        key,
        value,
        worth: worth(value),
        source,
    }
}

/// The worth of the record of a value.
fn worth(value: u64) -> Worth {
    Worth::from_log2((value % 64) as u8).unwrap()
}

fn encode(map: &Map) -> Vec<u8> {
    block::encode(map.iter().map(sourced)).unwrap()
}

fn encode_again(records: &[SourcedRecord]) -> Result<Vec<u8>, BlockError> {
    block::encode(records.iter().map(SourcedRecord::borrow))
}

fn find(bytes: &[u8], key: &[u8]) -> Result<Option<Stored>, BlockError> {
    Finder::new(bytes)?.find(key)
}

/// Finds a key in a block that [`encode`] wrote.
fn look_up(bytes: &[u8], key: &[u8]) -> Result<Option<(u64, u32)>, BlockError> {
    let found = find(bytes, key)?;
    Ok(found.map(|found| {
        assert_eq!(found.worth, worth(found.value));
        (found.value, found.source)
    }))
}

/// A block of one format byte, these bytes and their checksum.
fn seal(body: &[u8]) -> Vec<u8> {
    seal_as(block::FORMAT, body)
}

fn seal_as(format: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![format];
    bytes.extend(body);
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn decode_body(body: &[u8]) -> Result<Vec<SourcedRecord>, BlockError> {
    block::decode(&seal(body))
}

proptest! {
    #[test]
    fn round_trip(map in map(60), stranger: Vec<u8>) {
        let bytes = encode(&map);
        let decoded = block::decode(&bytes).unwrap();
        let expected: Vec<_> = map.iter().map(|entry| sourced(entry).to_owned()).collect();
        prop_assert_eq!(decoded, expected);
        prop_assert_eq!(Reader::new(&bytes).unwrap().count(), map.len());
        for (key, value) in &map {
            prop_assert_eq!(look_up(&bytes, key), Ok(Some(*value)));
            for near in [[&key[..], &[0]].concat(), key[..key.len().saturating_sub(1)].to_vec()] {
                prop_assert_eq!(look_up(&bytes, &near), Ok(map.get(&near).copied()));
            }
        }
        prop_assert_eq!(look_up(&bytes, &stranger), Ok(map.get(&stranger).copied()));
    }

    #[test]
    fn many_keys_are_found_in_one_pass(map in map(60), strangers: Vec<Vec<u8>>) {
        let bytes = encode(&map);
        let longer = map.keys().map(|key| [&key[..], &[0]].concat());
        let mut keys: Vec<_> = map.keys().cloned().chain(longer).chain(strangers).collect();
        keys.extend(map.keys().map(|key| key[..key.len() / 2].to_vec()));
        keys.sort_unstable();
        let mut finder = Finder::new(&bytes).unwrap();
        for key in &keys {
            let found = finder.find(key).unwrap().map(|found| (found.value, found.source));
            prop_assert_eq!(found, map.get(key).copied(), "{:?}", key);
        }
    }

    #[test]
    fn every_corrupt_byte_is_noticed(map in map(12), flip in 1..=255u8) {
        let bytes = encode(&map);
        for position in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[position] ^= flip;
            prop_assert!(block::decode(&bytes).is_err(), "byte {}", position);
            prop_assert!(look_up(&bytes, b"").is_err(), "byte {}", position);
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
        let _ = find(&bytes, &key);
    }

    /// With a right checksum the decoder itself is put to the test. What it accepts, it would write, and keys are found in
    /// it.
    #[test]
    fn random_bodies_never_panic(
        count in 0..20u8,
        body in collection::vec(prop_oneof![0..4u8, any::<u8>()], 0..200),
        key in collection::vec(0..4u8, 0..8),
    ) {
        let bytes = seal(&[&[count], &body[..]].concat());
        let found = find(&bytes, &key);
        if let Ok(records) = block::decode(&bytes) {
            let expected = records.iter().find(|of| of.borrow().key == key);
            let expected = expected.map(|of| {
                let Sourced { value, worth, source, .. } = of.borrow();
                Stored { value, worth, source }
            });
            prop_assert_eq!(found, Ok(expected));
            prop_assert_eq!(encode_again(&records), Ok(bytes));
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
            prop_assert_eq!(encode_again(&records), Ok(seal(&body)));
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    assert_eq!(block::decode(&[2; 8]), Err(BlockError::TooShort(8)));
    assert_eq!(block::decode(&[1; 20]), Err(BlockError::UnknownFormat(1)));
    assert_eq!(block::decode(&[2; 20]), Err(BlockError::Checksum));
    assert_eq!(decode_body(&[]), Err(BlockError::TooShort(9)));
    assert_eq!(decode_body(&[0, 0]), Ok(vec![]));
    assert_eq!(decode_body(&[0, 0, 7]), Err(BlockError::TrailingBytes(1)));
    assert_eq!(decode_body(&[2, 1, 0, 0, 0]), Err(BlockError::Count(2)));
    let of_one = |record: &[u8]| decode_body(&[&[1, 1, 0], record].concat());
    assert_eq!(of_one(&[0, 5, b'a']), Err(BlockError::Length(0)));
    assert_eq!(of_one(&[1, 0, 0]), Err(BlockError::Length(0)));
    assert_eq!(of_one(&[0, 1, b'a']), Err(BlockError::Number(0)));
    let of_two = |records: &[u8]| decode_body(&[&[2, 1, 0], records].concat());
    let repeated = [0, 1, b'a', 0, 1, 0, 0];
    assert_eq!(of_two(&repeated), Err(BlockError::OutOfOrder(1)));
    let unshared = [0, 1, b'a', 0, 0, 2, b'a', b'b', 0];
    assert_eq!(of_two(&unshared), Err(BlockError::OutOfOrder(1)));
}

#[test]
fn sources_have_one_form() {
    let records = [0, 1, b'a', 0, 0, 1, b'b', 0, 0, 1, b'c', 0];
    let read = |format, origins: &[u8]| {
        let body = [&[3], origins, &records[..]].concat();
        let decoded = block::decode(&seal_as(format, &body))?;
        let origin = |record: &SourcedRecord| (record.source, record.record.worth.log2());
        Ok(decoded.iter().map(origin).collect::<Vec<_>>())
    };
    let with_worth = [2, 0xff, 0x03, 1, 0b101];
    assert_eq!(
        read(block::FORMAT, &with_worth),
        Ok(vec![(8, 0), (7, 63), (8, 0)])
    );
    // 2^32 × 64.
    let beyond = [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x08];
    assert_eq!(read(block::FORMAT, &beyond), Err(BlockError::Origins));
    let with = |sources: &[u8]| {
        let origins: Vec<(u32, u8)> = read(block::FORMER_FORMAT, sources)?;
        assert!(origins.iter().all(|&(_, worth)| worth == 0));
        Ok(origins
            .iter()
            .map(|&(source, _)| source)
            .collect::<Vec<_>>())
    };
    assert_eq!(with(&[1, 7]), Ok(vec![7, 7, 7]));
    assert_eq!(with(&[2, 7, 1, 0b101]), Ok(vec![8, 7, 8]));
    assert_eq!(with(&[3, 0, 1, 1, 0b01_10_00]), Ok(vec![0, 2, 1]));
    let malformed: [&[u8]; 9] = [
        &[0],
        &[4, 0, 1, 1, 1, 0b01_10_00],
        &[2, 7, 0, 0b101],
        &[2, 7, 1, 0b000],
        &[2, 7, 1, 0b1101],
        &[3, 0, 1, 1, 0b11_10_00],
        &[3, 0, 1, 1, 0b01_01_00],
        &[1, 0xff, 0xff, 0xff, 0xff, 0x10],
        &[2, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0b101],
    ];
    for sources in malformed {
        assert_eq!(with(sources), Err(BlockError::Origins), "{sources:?}");
    }
}

#[test]
fn the_first_error_of_a_reader_stays() {
    let bytes = seal(&[2, 1, 0, 0, 1, b'b', 0, 0, 1, b'a', 0]);
    let mut reader = Reader::new(&bytes).unwrap();
    assert_eq!(reader.next_record().unwrap().unwrap().key, b"b");
    for _ in 0..2 {
        assert_eq!(reader.next_record(), Err(BlockError::OutOfOrder(1)));
    }
}

#[test]
fn a_count_or_a_length_beyond_the_bytes_allocates_nothing() {
    let huge = |before: &[u8]| {
        let mut body = before.to_vec();
        varint::write(&mut body, u64::MAX);
        decode_body(&body)
    };
    assert_eq!(huge(&[]), Err(BlockError::Count(u64::MAX)));
    assert_eq!(huge(&[1]), Err(BlockError::Origins));
    assert_eq!(huge(&[1, 1, 0, 0]), Err(BlockError::Length(0)));
}

#[test]
fn limits_hold_both_ways() {
    let own = |key| Sourced {
        key,
        value: 0,
        worth: Worth::LEAST,
        source: 0,
    };
    let long = vec![0; block::MAX_KEY + 1];
    let one = |key| block::encode([own(key)]);
    assert_eq!(one(&long[..]), Err(BlockError::KeyTooLong(0)));
    assert!(block::decode(&one(&long[1..]).unwrap()).is_ok());
    let keys: Vec<_> = (0..=block::RECORDS as u16).map(u16::to_be_bytes).collect();
    let many = |count| block::encode(keys[..count].iter().map(|key| own(key)));
    let more = block::RECORDS + 1;
    assert_eq!(many(more), Err(BlockError::Count(more as u64)));
    assert!(block::decode(&many(block::RECORDS).unwrap()).is_ok());
    let unsorted = [own(b"b"), own(b"a")];
    assert_eq!(block::encode(unsorted), Err(BlockError::OutOfOrder(1)));
}

#[test]
fn as_many_sources_as_records() {
    let keys: Vec<_> = (0..block::RECORDS as u16).map(u16::to_be_bytes).collect();
    let records = keys.iter().zip((0..u32::MAX).rev().step_by(1 << 20));
    let records = records.map(|(key, source)| Sourced {
        key,
        value: 1,
        worth: Worth::LEAST,
        source,
    });
    let bytes = block::encode(records.clone()).unwrap();
    let decoded = block::decode(&bytes).unwrap();
    assert!(decoded.iter().map(SourcedRecord::borrow).eq(records));
}

/// Changing these bytes is a breaking change of the format.
#[test]
fn the_bytes_of_a_block_are_settled() {
    let records = [
        (&b"0*3"[..], 1, 300),
        (b"0*3.1a1a", 300, 2),
        (b"0*4", 0, 300),
    ];
    let records = records.map(|(key, value, source)| Sourced {
        key,
        value,
        worth: Worth::of_visits(value),
        source,
    });
    let bytes = block::encode(records).unwrap();
    let (body, checksum) = bytes.split_at(bytes.len() - 8);
    // Of source 2 with 2^8 visits; of source 300 with one.
    let origins = b"\x02\x88\x01\xf8\x94\x01\x05";
    let records = b"\x00\x030*3\x01\x03\x05.1a1a\xac\x02\x02\x014\x00";
    assert_eq!(body, [&b"\x03\x03"[..], origins, records].concat());
    assert_eq!(checksum, xxh3_64(body).to_le_bytes());
}
