//! Writing a run.

use super::{
    Entry,
    filter::Filter,
    run::{Footer, LEAST_BITS, Run, RunError, bucket},
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// The number of entries written between two syncs. Without them, the last sync would delay writes of the database for
/// long.
const SYNC_EVERY: u64 = 1 << 20;

/// The maximum average number of entries in a bucket.
const BUCKET: u64 = 256;

/// The number of bits that select a bucket in a run of `entries` entries.
fn bits(entries: u64) -> u32 {
    (entries.div_ceil(BUCKET).next_power_of_two().ilog2()).clamp(LEAST_BITS, 32)
}

/// The file of a run under construction. It is removed if it is dropped before it is finished.
pub(super) struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    footer: Footer,
    /// For each bucket, the number of entries before it.
    starts: Vec<u32>,
    filter: Filter,
    /// The bytes of the last bucket.
    bucket: Vec<u8>,
    added: u64,
}

impl Writer {
    /// Begins the file for a run with this footer, except for its bits.
    pub(super) fn begin(path: &Path, footer: Footer) -> Result<Self, RunError> {
        let bits = bits(footer.entries);
        let failed = |source| RunError::File {
            path: path.into(),
            source,
        };
        let Ok(entries) = u32::try_from(footer.entries) else {
            return Err(failed(io::Error::other("it would have too many entries")));
        };
        Ok(Self {
            file: BufWriter::with_capacity(1 << 18, File::create(path).map_err(failed)?),
            path: path.into(),
            footer: Footer {
                bits: bits.into(),
                ..footer
            },
            starts: vec![0],
            filter: Filter::with_room(entries as usize),
            bucket: Vec::new(),
            added: 0,
        })
    }

    /// Adds an entry. Entries must ascend.
    pub(super) fn push(&mut self, Entry { hash, block }: Entry) -> Result<(), RunError> {
        let bits = self.footer.bits as u32;
        self.close_buckets(bucket(hash, bits))?;
        let Ok(block) = u32::try_from(block - self.footer.after) else {
            return Err(self.failed(io::Error::other("its blocks are too far apart")));
        };
        let rest = (hash.0 << bits >> 32) as u32;
        self.bucket.extend_from_slice(&rest.to_le_bytes());
        self.bucket.extend_from_slice(&block.to_le_bytes());
        self.filter.add(hash);
        self.added += 1;
        if self.added.is_multiple_of(SYNC_EVERY) {
            let synced = self.file.flush();
            let synced = synced.and_then(|()| self.file.get_ref().sync_data());
            synced.map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Writes all buckets before `before`.
    fn close_buckets(&mut self, before: u64) -> Result<(), RunError> {
        while (self.starts.len() as u64) <= before {
            let checksum = xxh3_64_with_seed(&self.bucket, self.starts.len() as u64 - 1);
            let written = self.file.write_all(&self.bucket);
            let written = written.and_then(|()| self.file.write_all(&checksum.to_le_bytes()));
            written.map_err(|error| self.failed(error))?;
            self.bucket.clear();
            self.starts.push(self.added as u32);
        }
        Ok(())
    }

    /// Ends the file, and opens it as `path` once it is on disk.
    pub(super) fn finish(mut self, path: &Path) -> Result<Run, RunError> {
        self.close_buckets(1 << self.footer.bits)?;
        self.starts.pop();
        if self.added != self.footer.entries {
            return Err(self.failed(io::Error::other("its entries are not as many as expected")));
        }
        self.end(path).map_err(|error| self.failed(error))?;
        // Two filters would take twice the memory.
        drop(self);
        Run::open(path)
    }

    fn end(&mut self, path: &Path) -> io::Result<()> {
        let mut hasher = Xxh3::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            self.file.write_all(bytes)
        };
        for start in &self.starts {
            put(&start.to_le_bytes())?;
        }
        self.filter.write(&mut put)?;
        put(&self.footer.bytes())?;
        let checksum = hasher.digest();
        self.file.write_all(&checksum.to_le_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.path, path)?;
        match path.parent() {
            Some(folder) => crate::database::sync_entries(folder),
            None => Ok(()),
        }
    }

    fn failed(&self, source: io::Error) -> RunError {
        let path = self.path.clone();
        RunError::File { path, source }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // A finished file has been renamed.
        let _ = fs::remove_file(&self.path);
    }
}
