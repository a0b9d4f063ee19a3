//! Sorted runs of records in a temporary file, and their merge.
//!
//! A run is a sequence of [blocks](crate::block), each after its length in four bytes, little-endian. The checksums of
//! the blocks guard the records on their way over the disk. One file has all runs, so their number is not limited by
//! that of open files. The file has no name: the system removes it with the process, however that ends.

use crate::{Batch, Sourced, StoreError, block};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

/// The buffer for writing runs, in bytes.
const BUFFER: usize = 1 << 18;

/// The least and the largest buffer for reading a run, in bytes. A smaller one would not have a whole block.
const LEAST_BUFFER: usize = 1 << 13;
const LARGEST_BUFFER: usize = 1 << 20;

/// Where a temporary file may be.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) folder: &'a Path,
    /// The space that the file leaves free on its disk, in bytes.
    pub(super) keep_free: u64,
}

/// The runs.
pub(super) struct Runs {
    folder: PathBuf,
    keep_free: u64,
    file: BufWriter<File>,
    /// The end of each run in the file.
    ends: Vec<u64>,
}

impl Runs {
    /// Begins a file.
    pub(super) fn begin(place: Place<'_>) -> Result<Self, StoreError> {
        let Place { folder, keep_free } = place;
        let file = tempfile::tempfile_in(folder).map_err(failed(folder))?;
        Ok(Self {
            folder: folder.into(),
            keep_free,
            file: BufWriter::with_capacity(BUFFER, file),
            ends: Vec::new(),
        })
    }

    /// Adds a run of these records, which are in the order of their keys.
    pub(super) fn add(&mut self, sorted: &[Sourced<'_>]) -> Result<(), StoreError> {
        self.check_disk().map_err(failed(&self.folder))?;
        let mut end = self.ends.last().copied().unwrap_or(0);
        for packed in block::pack(sorted.iter().copied(), true) {
            let (_, block) = packed.map_err(|problem| StoreError::Corrupt(problem.to_string()))?;
            let length = (block.len() as u32).to_le_bytes();
            let written = self.file.write_all(&length);
            let written = written.and_then(|()| self.file.write_all(&block));
            written.map_err(failed(&self.folder))?;
            end += (length.len() + block.len()) as u64;
        }
        self.file.flush().map_err(failed(&self.folder))?;
        self.ends.push(end);
        Ok(())
    }

    /// Checks that the disk has more free space than has to stay.
    fn check_disk(&self) -> io::Result<()> {
        let disk = rustix::fs::fstatvfs(self.file.get_ref())?;
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        if free < self.keep_free {
            let kept = self.keep_free;
            let problem = format!("{free} bytes are free, and {kept} must stay free");
            return Err(io::Error::new(io::ErrorKind::StorageFull, problem));
        }
        Ok(())
    }

    /// Passes the records of all runs to `each` in the order of their keys. The buffers take about half of `memory`, in
    /// bytes, and of each run there are one or two blocks in memory.
    pub(super) fn merge(
        self,
        memory: usize,
        mut each: impl FnMut(Sourced<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let failed = failed(&self.folder);
        let mut runs = self.readers(memory);
        // The next key of each run.
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.iter_mut().enumerate() {
            run.advance().map_err(&failed)?;
            if let Some(first) = run.record() {
                heads.push(Reverse((first.key.to_vec(), number)));
            }
        }
        while let Some(mut least) = heads.peek_mut() {
            let Reverse((key, number)) = &mut *least;
            let run = &mut runs[*number];
            if let Some(record) = run.record() {
                each(record)?;
            }
            run.advance().map_err(&failed)?;
            if let Some(next) = run.record() {
                key.clear();
                key.extend_from_slice(next.key);
            } else {
                PeekMut::pop(least);
            }
        }
        Ok(())
    }

    fn readers(&self, memory: usize) -> Vec<RunReader<'_>> {
        let share = memory / 2 / self.ends.len().max(1);
        let buffer = share.clamp(LEAST_BUFFER, LARGEST_BUFFER);
        let file = self.file.get_ref();
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let parts = starts.zip(&self.ends);
        let parts = parts.map(|(at, &end)| Part { file, at, end });
        let readers = parts.map(|part| RunReader {
            rest: BufReader::with_capacity(buffer, part),
            bytes: Vec::new(),
            block: Batch::default(),
            position: 0,
        });
        readers.collect()
    }
}

/// Reads a run.
struct RunReader<'a> {
    rest: BufReader<Part<'a>>,
    /// The bytes of the block.
    bytes: Vec<u8>,
    /// The records of the block; empty before the first one and at the end.
    block: Batch,
    /// The position of the record in its block.
    position: usize,
}

impl RunReader<'_> {
    /// The record that the last [advance](Self::advance) came to; `None` at the end.
    fn record(&self) -> Option<Sourced<'_>> {
        self.block.get(self.position)
    }

    /// Goes on to the next record.
    fn advance(&mut self) -> io::Result<()> {
        self.position += 1;
        if self.position < self.block.len() {
            return Ok(());
        }
        self.position = 0;
        self.block.clear();
        if self.rest.fill_buf()?.is_empty() {
            return Ok(());
        }
        let mut length = [0; 4];
        self.rest.read_exact(&mut length)?;
        self.bytes.clear();
        let length = u64::from(u32::from_le_bytes(length));
        let mut body = self.rest.by_ref().take(length);
        if body.read_to_end(&mut self.bytes)? as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let read = self.block.push_block(&self.bytes, |source| source);
        read.map_err(|problem| io::Error::new(io::ErrorKind::InvalidData, problem))?;
        Ok(())
    }
}

/// A part of a file.
struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        let read = self.file.read_at(&mut buffer[..wanted], self.at)?;
        if read == 0 && wanted > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += read as u64;
        Ok(read)
    }
}

/// Turns an error of the system into that of a temporary file in a folder.
fn failed(folder: &Path) -> impl Fn(io::Error) -> StoreError {
    move |source| StoreError::Sort {
        dir: folder.into(),
        source,
    }
}

#[cfg(test)]
mod tests;
