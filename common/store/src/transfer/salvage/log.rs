//! The log of the database, read piece by piece without sled, which opens it as a whole or not at all.
//!
//! The file consists of segments. A segment has a header, which says where in the log it is, and then messages. Each has a
//! checksum and the number of its segment. Messages of use here hold a page of a tree, or a new value of one key. Large
//! ones are in files of their own. What later messages replace stays in the file until its segment is used again.

use crate::{
    StoreError,
    database::{BLOBS, FILE},
};
use std::{
    fs::{self, File},
    io::Read,
    path::Path,
};

/// The size of a segment and of its header, in bytes.
const SEGMENT: u64 = 512 << 10;
const HEADER: usize = 20;

/// Kinds of messages: a page, and a change of one; the same in a file of its own.
const PAGE: u8 = 8;
const PAGE_IN_FILE: u8 = 9;
const CHANGE: u8 = 10;
const CHANGE_IN_FILE: u8 = 11;

/// The kind of a page with keys and values, and of a change that sets a value.
const LEAF: u8 = 0;
const SET: u8 = 0;

/// A key and its value, now or at some earlier time.
pub(super) struct Entry<'a> {
    /// Where in the log it is: later entries have higher positions.
    pub(super) position: u64,
    pub(super) key: &'a [u8],
    /// Whether the first bytes of the key may be missing: only the page has them.
    pub(super) is_end: bool,
    pub(super) value: &'a [u8],
}

/// A whole message.
struct Message<'a> {
    position: u64,
    kind: u8,
    body: &'a [u8],
}

/// Passes all entries that are whole to `each`, in the order of the file, and after each segment the bytes read so far and
/// the size of the file to `step`. A segment is read up to its first message that is not whole.
///
/// # Errors
/// [`StoreError::File`] if the file cannot be read; those of `each` and `step`.
pub(super) fn each_entry(
    dir: &Path,
    step: &mut dyn FnMut(u64, u64) -> Result<(), StoreError>,
    each: &mut dyn FnMut(Entry<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let path = dir.join(FILE);
    let mut file = File::open(&path).map_err(StoreError::file(&path))?;
    let size = file.metadata().map_err(StoreError::file(&path))?.len();
    let (mut done, mut segment) = (0, Vec::new());
    loop {
        segment.clear();
        let read = (&mut file).take(SEGMENT).read_to_end(&mut segment);
        if read.map_err(StoreError::file(&path))? == 0 {
            return Ok(());
        }
        for message in messages(&segment) {
            let Message { position, kind, .. } = message;
            let apart = matches!(kind, PAGE_IN_FILE | CHANGE_IN_FILE)
                .then(|| content_of_file(dir, &message).unwrap_or_default());
            let body = apart.as_deref().unwrap_or(message.body);
            let entries = match kind {
                PAGE | PAGE_IN_FILE => page(body),
                CHANGE | CHANGE_IN_FILE => change(body),
                _ => None,
            };
            for (key, value) in entries.unwrap_or_default() {
                each(Entry {
                    position,
                    key: &key,
                    is_end: matches!(kind, CHANGE | CHANGE_IN_FILE),
                    value,
                })?;
            }
        }
        done += segment.len() as u64;
        step(done, size)?;
    }
}

/// The whole messages at the beginning of a segment.
fn messages(segment: &[u8]) -> impl Iterator<Item = Message<'_>> {
    let begin = begin(segment);
    let mut rest = segment.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let begin = begin?;
        let position = begin + (segment.len() - rest.len()) as u64;
        let (kind, body) = message(&mut rest, begin / SEGMENT)?;
        Some(Message {
            position,
            kind,
            body,
        })
    })
}

/// The position of the beginning of a segment in the log. `None` if its header is damaged.
fn begin(segment: &[u8]) -> Option<u64> {
    let (checksum, rest) = segment.split_first_chunk()?;
    let header = rest.first_chunk::<{ HEADER - size_of::<u32>() }>()?;
    let position = i64::from_le_bytes(*header.first_chunk()?) ^ i64::MAX;
    let position = u64::try_from(position).ok()?;
    let is_sound = u32::from_le_bytes(*checksum) == !crc32fast::hash(header);
    (is_sound && position.is_multiple_of(SEGMENT)).then_some(position)
}

/// Takes the kind and the content of a message of this segment.
fn message<'a>(bytes: &mut &'a [u8], segment: u64) -> Option<(u8, &'a [u8])> {
    let (checksum, rest) = bytes.split_first_chunk()?;
    let mut after = rest;
    let kind = byte(&mut after)?;
    let length = number(&mut after)?;
    let of_segment = number(&mut after)?;
    let _page = number(&mut after)?;
    let header = &rest[..rest.len() - after.len()];
    let body = take(&mut after, length)?;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(header);
    let is_sound = u32::from_le_bytes(*checksum) == !hasher.finalize();
    *bytes = after;
    (is_sound && of_segment == segment).then_some((kind, body))
}

/// The content of a message in a file of its own.
fn content_of_file(dir: &Path, message: &Message<'_>) -> Option<Vec<u8>> {
    let name = i64::from_le_bytes(message.body.try_into().ok()?);
    let mut bytes = fs::read(dir.join(BLOBS).join(name.to_string())).ok()?;
    let (checksum, rest) = bytes.split_first_chunk()?;
    let is_sound = u32::from_le_bytes(*checksum) == crc32fast::hash(rest);
    let is_of_kind = rest.first() == Some(&message.kind);
    let begin = size_of::<u32>() + size_of::<u8>();
    (is_sound && is_of_kind).then(|| bytes.split_off(begin))
}

/// Keys and their values.
type Entries<'a> = Vec<(Vec<u8>, &'a [u8])>;

/// The entries of a page; none of one that only leads to others. `None` if it is malformed.
fn page(mut bytes: &[u8]) -> Option<Entries<'_>> {
    let bytes = &mut bytes;
    let _next = number(bytes)?;
    let _merging_child = number(bytes)?;
    let _is_merging = byte(bytes)?;
    let prefix = byte(bytes)?;
    let least = string(bytes)?;
    let _end = string(bytes)?;
    let prefix = least.get(..usize::from(prefix))?;
    let kind = byte(bytes)?;
    let count = number(bytes)?;
    if kind != LEAF {
        return Some(Vec::new());
    }
    let keys: Option<Vec<_>> = (0..count).map(|_| string(bytes)).collect();
    let entries = keys?.into_iter().map(|key| {
        let key = [prefix, key].concat();
        Some((key, string(bytes)?))
    });
    entries.collect()
}

/// The entry of a change that sets a value; none of others. `None` if it is malformed.
fn change(mut bytes: &[u8]) -> Option<Entries<'_>> {
    let bytes = &mut bytes;
    if byte(bytes)? != SET {
        return Some(Vec::new());
    }
    let key = string(bytes)?.to_owned();
    Some(vec![(key, string(bytes)?)])
}

fn take<'a>(bytes: &mut &'a [u8], length: u64) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(taken)
}

fn byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&byte, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(byte)
}

fn string<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(bytes)?;
    take(bytes, length)
}

/// A number in one to nine bytes, of which the first says how many follow.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let first = byte(bytes)?;
    Some(match first {
        0..=240 => first.into(),
        241..=248 => 240 + 256 * (u64::from(first) - 241) + u64::from(byte(bytes)?),
        249 => 2288 + 256 * u64::from(byte(bytes)?) + u64::from(byte(bytes)?),
        250.. => {
            let mut number = [0; size_of::<u64>()];
            let low = take(bytes, u64::from(first) - 247)?;
            number[..low.len()].copy_from_slice(low);
            u64::from_le_bytes(number)
        }
    })
}

#[cfg(test)]
mod tests;
