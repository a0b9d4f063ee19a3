//! A run: an immutable file with one entry for each record of a range of blocks.
//!
//! A run depends only on the blocks that it covers, which never change again. So it can be rebuilt from them, and two
//! neighbours can be merged without reading a block.
//!
//! | part      | bytes                                                                             |
//! |-----------|-----------------------------------------------------------------------------------|
//! | buckets   | one for each value of the first `bits` bits of a hash: its entries in ascending   |
//! |           | order, then the xxh3-64 of these, seeded with the number of the bucket            |
//! | entry     | the 32 bits of the hash that follow, and the number of the block less `after`     |
//! | starts    | for each bucket the number of entries before it, 32 bits                          |
//! | filter    | a [`Filter`] of all hashes                                                        |
//! | footer    | [`Footer`], numbers of 64 bits                                                    |
//! | checksum  | xxh3-64 of starts, filter and footer                                              |
//!
//! All numbers are little-endian. Starts and filter are kept in memory; buckets are read on demand.

use super::{Entry, Extent, HASH_BITS, KeyHash, filter::Filter};
use std::{
    fs::{self, File},
    io,
    ops::Range,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// The first number of a footer: `runs` and a version. Programs that wrote version 1 could, rarely, write a part twice
/// and leave out the next.
pub(super) const MAGIC: u64 = u64::from_be_bytes(*b"runs\0\0\0\x02");

/// The least number of bits that select a bucket, so that the 32 bits of an entry are the rest of the hash.
pub(super) const LEAST_BITS: u32 = HASH_BITS - 32;

pub(super) const ENTRY: usize = 2 * size_of::<u32>();
pub(super) const CHECKSUM: usize = size_of::<u64>();

/// The problem with the file of a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// The system cannot read or write it.
    #[error("the index file {} cannot be used", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// It is damaged, or no file of this index.
    #[error("the index file {} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
}

/// The range of blocks of a run, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footer {
    /// It covers blocks above this number,
    pub(super) after: u64,
    /// up to the last block of this extent, which is that of the store at that time.
    pub(super) extent: Extent,
    /// See [`Files`](super::files::Files).
    pub(super) numbering: u64,
    /// The number of its entries.
    pub(super) entries: u64,
    pub(super) bits: u64,
}

impl Footer {
    pub(super) const SIZE: usize = 10 * size_of::<u64>();

    pub(super) fn bytes(&self) -> [u8; Self::SIZE] {
        let Extent {
            cursor,
            seal,
            keys,
            blocks,
            copies,
        } = self.extent;
        let numbers = [
            self.after,
            cursor,
            seal,
            keys,
            blocks,
            copies,
            self.numbering,
            self.entries,
            self.bits,
            MAGIC,
        ];
        let mut bytes = [0; Self::SIZE];
        bytes
            .as_chunks_mut()
            .0
            .copy_from_slice(&numbers.map(u64::to_le_bytes));
        bytes
    }

    fn read(bytes: &[u8; Self::SIZE]) -> Option<Self> {
        let mut numbers = [0; Self::SIZE / 8];
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let [
            after,
            cursor,
            seal,
            keys,
            blocks,
            copies,
            numbering,
            entries,
            bits,
            magic,
        ] = numbers;
        let extent = Extent {
            cursor,
            seal,
            keys,
            blocks,
            copies,
        };
        let is_possible = magic == MAGIC
            && (u64::from(LEAST_BITS)..=32).contains(&bits)
            && u32::try_from(entries).is_ok();
        is_possible.then_some(Self {
            after,
            extent,
            numbering,
            entries,
            bits,
        })
    }
}

/// The number of the bucket of a hash.
pub(super) fn bucket(hash: KeyHash, bits: u32) -> u64 {
    hash.0 >> (64 - bits)
}

/// A run that is open.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) path: PathBuf,
    pub(super) footer: Footer,
    file: File,
    /// For each bucket, the number of entries before it.
    starts: Vec<u32>,
    filter: Filter,
    is_damaged: AtomicBool,
}

impl Run {
    /// Opens a run. Checks all but its buckets.
    pub(super) fn open(path: &Path) -> Result<Self, RunError> {
        let failed = |source| RunError::File {
            path: path.into(),
            source,
        };
        let damaged = || RunError::Damaged { path: path.into() };
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let tail = (Footer::SIZE + CHECKSUM) as u64;
        let mut footer = [0; Footer::SIZE];
        let at = length.checked_sub(tail).ok_or_else(damaged)?;
        file.read_exact_at(&mut footer, at).map_err(failed)?;
        let footer = Footer::read(&footer).ok_or_else(damaged)?;
        let buckets = 1usize << footer.bits;
        let starts = buckets * size_of::<u32>();
        let filter = Filter::size(footer.entries as usize);
        let body = footer.entries * ENTRY as u64 + (buckets * CHECKSUM) as u64;
        if length != body + (starts + filter) as u64 + tail {
            return Err(damaged());
        }
        let (mut hasher, mut at) = (Xxh3::new(), body);
        let mut fill = |bytes: &mut [u8]| {
            file.read_exact_at(bytes, at).map_err(failed)?;
            hasher.update(bytes);
            at += bytes.len() as u64;
            Ok(())
        };
        let mut bytes = vec![0; starts];
        fill(&mut bytes)?;
        let filter = Filter::read(footer.entries as usize, &mut fill)?;
        fill(&mut [0; Footer::SIZE])?;
        let mut checksum = [0; CHECKSUM];
        file.read_exact_at(&mut checksum, at).map_err(failed)?;
        if hasher.digest() != u64::from_le_bytes(checksum) {
            return Err(damaged());
        }
        let (words, _) = bytes.as_chunks();
        Ok(Self {
            path: path.into(),
            footer,
            starts: words.iter().copied().map(u32::from_le_bytes).collect(),
            filter,
            file,
            is_damaged: AtomicBool::new(false),
        })
    }

    /// Its memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.starts) + self.filter.memory()
    }

    /// The size of its file, in bytes.
    pub(super) fn disk(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    /// The number of its entries.
    pub(super) fn len(&self) -> u64 {
        self.footer.entries
    }

    /// Whether there may be an entry with this hash, by the filter alone.
    pub(super) fn may_have(&self, hash: KeyHash) -> bool {
        self.filter.may_have(hash)
    }

    /// Passes the blocks of entries with this hash to `each`, in ascending order.
    pub(super) fn blocks(&self, hash: KeyHash, mut each: impl FnMut(u64)) -> Result<(), RunError> {
        let number = bucket(hash, self.bits());
        self.read(number..number + 1, |entry| {
            if entry.hash == hash {
                each(entry.block);
            }
        })
    }

    /// Passes the entries of one of `1 << LEAST_BITS` equal parts of all hashes to `each`, in ascending order.
    pub(super) fn part(&self, part: u64, each: impl FnMut(Entry)) -> Result<(), RunError> {
        let shift = self.bits() - LEAST_BITS;
        self.read(part << shift..(part + 1) << shift, each)
    }

    /// The entry in the middle of the bucket of this hash, or of the next non-empty bucket.
    pub(super) fn sample(&self, hash: KeyHash) -> Result<Option<Entry>, RunError> {
        let mut found = Vec::new();
        for number in bucket(hash, self.bits())..1 << self.bits() {
            self.read(number..number + 1, |entry| found.push(entry))?;
            if !found.is_empty() {
                break;
            }
        }
        Ok(found.get(found.len() / 2).copied())
    }

    fn bits(&self) -> u32 {
        self.footer.bits as u32
    }

    fn start(&self, bucket: u64) -> u64 {
        let start = self.starts.get(bucket as usize).copied();
        start.map_or(self.footer.entries, u64::from)
    }

    /// Passes the entries of some buckets to `each`. A damaged file is removed, so that it is rebuilt.
    fn read(&self, buckets: Range<u64>, mut each: impl FnMut(Entry)) -> Result<(), RunError> {
        let place = |bucket: u64| self.start(bucket) * ENTRY as u64 + bucket * CHECKSUM as u64;
        let (from, to) = (place(buckets.start), place(buckets.end));
        let mut bytes = vec![0; to.saturating_sub(from) as usize];
        if let Err(source) = self.file.read_exact_at(&mut bytes, from) {
            return Err(match source.kind() {
                io::ErrorKind::UnexpectedEof => self.damaged(),
                _ => RunError::File {
                    path: self.path.clone(),
                    source,
                },
            });
        }
        let mut rest = &bytes[..];
        for bucket in buckets {
            let size = (self.start(bucket + 1) - self.start(bucket)) as usize * ENTRY;
            let (entries, after) = rest.split_at(size);
            let (checksum, after) = after.split_first_chunk().ok_or_else(|| self.damaged())?;
            if xxh3_64_with_seed(entries, bucket) != u64::from_le_bytes(*checksum) {
                return Err(self.damaged());
            }
            rest = after;
            for [hash, block] in entries.as_chunks().0.as_chunks().0 {
                let rest = u64::from(u32::from_le_bytes(*hash));
                each(Entry {
                    hash: KeyHash(bucket << (64 - self.bits()) | rest << (32 - self.bits())),
                    block: self.footer.after + u64::from(u32::from_le_bytes(*block)),
                });
            }
        }
        Ok(())
    }

    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::Relaxed)
    }

    fn damaged(&self) -> RunError {
        let path = self.path.clone();
        self.is_damaged.store(true, Ordering::Relaxed);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "a damaged file of the index stays");
        }
        RunError::Damaged { path }
    }
}
