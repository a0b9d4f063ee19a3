//! Blocks of solved records.

use sproutnet_solver::play::{self, Knowledge, RecordError};
use sproutnet_store::block::{self, Finder, Reader};
use sproutnet_store::{Sourced, SourcedRecord, Stored};
use xxhash_rust::xxh3::xxh3_64;

/// A block has one encoding: its records encode to the same bytes, whether it is read whole, record by record, or
/// searched for keys. Knowledge learns or refuses its records.
///
/// The bytes are taken as a block, and again as the body between the format byte and the checksum, since random bytes
/// have no valid checksum.
pub fn block(bytes: &[u8]) {
    of_bytes(bytes);
    for format in [block::FORMER_FORMAT, block::FORMAT] {
        of_bytes(&sealed_as(format, bytes));
    }
}

/// A block with this body between its format byte and its checksum.
pub(super) fn sealed(body: &[u8]) -> Vec<u8> {
    sealed_as(block::FORMAT, body)
}

fn sealed_as(format: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = [&[format], body].concat();
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn of_bytes(bytes: &[u8]) {
    let decoded = block::decode(bytes);
    let (read, error) = read(bytes);
    match decoded {
        Ok(records) => {
            assert_eq!((&read, error), (&records, None));
            let again = block::encode(records.iter().map(SourcedRecord::borrow)).expect("records");
            match bytes.first() {
                Some(&block::FORMAT) => assert_eq!(again, bytes),
                _ => assert_eq!(block::decode(&again).as_ref(), Ok(&records)),
            }
            find_all(bytes, &records);
            learn(&records);
        }
        Err(decoded) => {
            assert_eq!(error, Some(decoded));
            seek(bytes, &read);
        }
    }
}

/// The records up to the first error.
fn read(bytes: &[u8]) -> (Vec<SourcedRecord>, Option<block::BlockError>) {
    let mut records = Vec::new();
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (records, Some(error)),
    };
    loop {
        match reader.next_record() {
            Ok(Some(record)) => records.push(record.to_owned()),
            Ok(None) => {
                assert_eq!(reader.count(), records.len());
                return (records, None);
            }
            Err(error) => {
                assert_eq!(reader.next_record(), Err(error.clone()));
                return (records, Some(error));
            }
        }
    }
}

/// The keys of the block and others close to them, in order.
fn keys(records: &[SourcedRecord]) -> Vec<Vec<u8>> {
    let mut keys = vec![Vec::new(), vec![0xff; 3]];
    for SourcedRecord { record, .. } in records {
        let key = record.key.to_vec();
        keys.push(key[..key.len() / 2].to_vec());
        keys.push([&key[..], &[0]].concat());
        if let Some((last, before)) = key.split_last() {
            keys.push([before, &[last.wrapping_sub(1)]].concat());
            keys.push(before.to_vec());
        }
        keys.push(key);
    }
    keys.sort_unstable();
    keys
}

fn find_all(bytes: &[u8], records: &[SourcedRecord]) {
    let keys = keys(records);
    let mut finder = Finder::new(bytes).expect("a block");
    for key in &keys {
        let known = records.binary_search_by(|record| record.record.key[..].cmp(key));
        let known = known.ok().map(|at| Stored {
            value: records[at].record.value,
            worth: records[at].record.worth,
            source: records[at].source,
        });
        assert_eq!(finder.find(key), Ok(known), "{key:02x?}");
        let alone = Finder::new(bytes).and_then(|mut finder| finder.find(key));
        assert_eq!(alone, Ok(known), "{key:02x?}");
    }
}

/// A search for keys in invalid bytes must end without a panic.
fn seek(bytes: &[u8], records: &[SourcedRecord]) {
    let keys = keys(records);
    let Ok(mut finder) = Finder::new(bytes) else {
        return;
    };
    for key in &keys {
        if finder.find(key).is_err() {
            return;
        }
    }
}

fn learn(records: &[SourcedRecord]) {
    let knowledge = Knowledge::default();
    let mut last = None;
    for Sourced { key, value, .. } in records.iter().map(SourcedRecord::borrow) {
        let checked = knowledge.check(key, value);
        match (checked, knowledge.learn(key, value)) {
            (Ok(()), Ok(()) | Err(RecordError::Contradiction(_)))
            | (Err(RecordError::Malformed(_)), Err(RecordError::Malformed(_))) => {}
            (checked, learnt) => {
                panic!("{key:02x?} is {value}: {checked:?} when checked, {learnt:?} when learnt")
            }
        }
        assert_eq!(play::merge(key, value, value).ok(), Some(value));
        if let Some(other) = last.replace(value) {
            let one = play::merge(key, value, other).ok();
            assert_eq!(one, play::merge(key, other, value).ok(), "{key:02x?}");
        }
    }
}
