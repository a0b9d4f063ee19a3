//! ExportWriter a store's records to a file.

use super::{
    Header, RESULTS, TransferError,
    frames::{FrameKind, FrameWriter, RunningChecksum},
    header::Counts,
    proceed,
    ranges::{Range, Ranges},
    reader::ExportReader,
};
use crate::{
    Sourced, Sources, Store, Watch, block, disk::sync_entries, documents::json, number_of,
};
use sproutnet_notation::Play;
use sproutnet_record::{Kind, RecordRules};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// What to export.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// The conventions of records and results.
    pub plays: &'a [Play],
    /// The names and versions of the canonical encodings the store was opened with.
    pub encodings: &'a [(&'a str, u32)],
    /// Which records are possible.
    pub rules: &'a dyn RecordRules,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// The approximate memory for records, in bytes. If they do not all fit, the store is read several
    /// times.
    pub room: usize,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The header of the file.
    pub header: Header,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// What happened to an interrupted export.
    pub previous: Previous,
    /// The number of records of unknown games, which were left out.
    pub unknown: u64,
}

/// What happened to the file of an interrupted export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Previous {
    /// There was none.
    None,
    /// The export resumed after this number of records.
    Resumed(u64),
    /// The file belonged to another store, an earlier state of the store, or other records. The export
    /// started over.
    Replaced,
}

/// The file being written, and the progress.
struct ExportWriter {
    path: PathBuf,
    frames: FrameWriter<BufWriter<File>>,
    done: Counts,
}

/// An interrupted export, up to its last sound frame.
struct Interrupted {
    header: Header,
    running: RunningChecksum,
    done: Counts,
    /// The last key.
    after: Option<Box<[u8]>>,
    is_complete: bool,
}

impl Export<'_> {
    /// Writes the records, sources and results of a store to `path`. Until the file is complete and on
    /// disk, its name ends in `.part`. An interrupted export resumes if the store is unchanged.
    ///
    /// # Errors
    /// [`TransferError::File`], [`TransferError::Busy`], [`TransferError::Store`], and
    /// [`TransferError::Stopped`], after which the same call resumes.
    pub fn write(
        &self,
        store: &Store,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Exported, TransferError> {
        let part = with_part(path);
        let failed = TransferError::file(&part);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&part).map_err(&failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TransferError::Busy { path: part.clone() });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let is_begun = file.metadata().map_err(&failed)?.len() > 0;
        let sources = Sources::of(store)?;
        let results = self.results(store)?;
        let mut header = self.header(store, &sources, results.len() as u64);

        let left = Interrupted::read(&part).filter(|left| header.continues(&left.header));
        let is_wanted = |kind: Kind| self.plays.contains(&kind.play);
        let ranges = Ranges {
            store,
            rules: self.rules,
            is_wanted: &is_wanted,
            room: self.room,
        };
        let after = left.as_ref().and_then(|left| left.after.clone());
        let mut range = ranges.next(after.as_deref(), watch)?;
        let left = left.filter(|left| left.header.counts.records == range.all);
        if left.is_none() && after.is_some() {
            range = ranges.next(None, watch)?;
        }
        header.counts.records = range.all;
        let unknown = range.unknown;
        let previous = match &left {
            Some(left) => Previous::Resumed(left.done.records),
            None if is_begun => Previous::Replaced,
            None => Previous::None,
        };
        let is_complete = left.as_ref().is_some_and(|left| left.is_complete);
        let mut writing = ExportWriter::begin(&part, file, left, &mut header)?;
        if !is_complete {
            writing.sources(&sources)?;
            writing.records(&ranges, range, header.counts, watch)?;
            writing.results(&results)?;
            writing.frame(FrameKind::End, &json(&writing.done)?)?;
        }
        let bytes = writing.frames.running.offset;
        writing.settle(path).map_err(&failed)?;
        Ok(Exported {
            header,
            bytes,
            previous,
            unknown,
        })
    }

    fn header(&self, store: &Store, sources: &Sources, results: u64) -> Header {
        let encodings = self.encodings.iter();
        let encodings = encodings.map(|&(name, version)| (name.to_owned(), version));
        Header {
            store: store.id(),
            cursor: store.cursor(),
            made_at: self.now,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            plays: self.plays.to_vec(),
            encodings: encodings.collect(),
            counts: Counts {
                sources: sources.iter().count() as u64,
                records: 0,
                results,
            },
        }
    }

    fn results(&self, store: &Store) -> Result<Vec<(String, Vec<u8>)>, TransferError> {
        let is_wanted = |name: &str| {
            let play = name.split('/').nth(2).and_then(|play| play.parse().ok());
            play.is_some_and(|play| self.plays.contains(&play))
        };
        let documents = store.scan_documents(RESULTS);
        let results = documents.filter(|document| match document {
            Ok((name, _)) => is_wanted(name),
            Err(_) => true,
        });
        Ok(results.collect::<Result<_, _>>()?)
    }
}

/// The name of the file until it is complete.
fn with_part(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

impl ExportWriter {
    fn begin(
        path: &Path,
        file: File,
        left: Option<Interrupted>,
        header: &mut Header,
    ) -> Result<Self, TransferError> {
        let failed = TransferError::file(path);
        let path = path.to_owned();
        if let Some(left) = left {
            file.set_len(left.running.offset).map_err(&failed)?;
            let mut out = BufWriter::new(file);
            out.seek(SeekFrom::End(0)).map_err(&failed)?;
            *header = left.header;
            return Ok(Self {
                path,
                frames: FrameWriter::resume(out, left.running),
                done: left.done,
            });
        }
        file.set_len(0).map_err(&failed)?;
        let mut writing = Self {
            frames: FrameWriter::begin(BufWriter::new(file)).map_err(&failed)?,
            done: Counts::default(),
            path,
        };
        writing.frame(FrameKind::Header, &json(header)?)?;
        Ok(writing)
    }

    fn frame(&mut self, kind: FrameKind, body: &[u8]) -> Result<(), TransferError> {
        let written = self.frames.write(kind, body);
        written.map_err(TransferError::file(&self.path))
    }

    fn sources(&mut self, sources: &Sources) -> Result<(), TransferError> {
        for source in sources.iter().skip(self.done.sources as usize) {
            self.frame(FrameKind::Source, &json(&source)?)?;
            self.done.sources += 1;
        }
        Ok(())
    }

    /// Writes all records, beginning with a range.
    fn records(
        &mut self,
        ranges: &Ranges<'_>,
        mut range: Range,
        counts: Counts,
        watch: Watch<'_>,
    ) -> Result<(), TransferError> {
        loop {
            let sorted = range.sorted();
            let mut encoder = block::Encoder::default();
            for (position, &record) in sorted.iter().enumerate() {
                let pushed = encoder.push(Sourced {
                    // Other stores have to verify records themselves.
                    source: number_of(record.source),
                    ..record
                });
                pushed.map_err(|problem| TransferError::Malformed {
                    path: self.path.clone(),
                    place: format!("byte {}", self.frames.running.offset),
                    problem: problem.to_string(),
                })?;
                if encoder.is_full() || position + 1 == sorted.len() {
                    self.done.records += encoder.count() as u64;
                    self.frame(FrameKind::Block, &encoder.finish())?;
                    proceed(watch, "writing", self.done.records, counts.records)?;
                }
            }
            let Some(last) = sorted.last().filter(|_| range.has_more) else {
                return Ok(());
            };
            range = ranges.next(Some(last.key), watch)?;
        }
    }

    fn results(&mut self, results: &[(String, Vec<u8>)]) -> Result<(), TransferError> {
        for (name, bytes) in results.iter().skip(self.done.results as usize) {
            let body = [name.as_bytes(), b"\n", bytes].concat();
            self.frame(FrameKind::Result, &body)?;
            self.done.results += 1;
        }
        Ok(())
    }

    /// Makes the file durable under its final name.
    fn settle(self, path: &Path) -> io::Result<()> {
        let mut out = self.frames.out;
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&self.path, path)?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        sync_entries(folder.unwrap_or(Path::new(".")))
    }
}

impl Interrupted {
    /// Reads the file of an interrupted export, if it is usable.
    fn read(part: &Path) -> Option<Self> {
        let mut reader = ExportReader::open(part).ok()?;
        let mut left = Self {
            header: reader.header.clone(),
            running: reader.running().clone(),
            done: Counts::default(),
            after: None,
            is_complete: false,
        };
        while let Ok(Some(_)) = reader.next() {
            left.running = reader.running().clone();
            left.done = reader.counts;
            left.after.clone_from(&reader.last_key);
            left.is_complete = reader.is_complete();
        }
        Some(left)
    }
}
