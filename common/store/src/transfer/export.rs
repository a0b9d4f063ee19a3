//! Writes a store's records to a file.

use super::{
    Counts, Header, RESULTS, REVOCATION,
    frames::{FrameKind, FrameWriter, check_target, folder_of, open_to_write},
    mirror::{MirrorCursor, PLACE},
    reader::ExportReader,
    runs::Place,
    sort::Sorted,
};
use crate::{
    Rules, Sources, Store, StoreError, Watch, Worth,
    block::Encoder,
    documents::{Document, json},
    walk::proceed,
};
use sproutnet_notation::Play;
use std::{
    fs,
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// The selection and the rules of an export.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// The conventions of records and results.
    pub plays: &'a [Play],
    /// The least worth of an exported record.
    pub least: Worth,
    /// The rules the store is used with.
    pub rules: Rules<'a>,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// The approximate memory for sorting records, in bytes. If they do not all fit, they are sorted in a temporary
    /// file.
    pub room: usize,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The header of the file.
    pub header: Header,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The fate of an interrupted export.
    pub previous: Previous,
    /// The number of records of unknown games, which were left out.
    pub unknown: u64,
}

/// The fate of the file of an interrupted export.
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

/// What an export is made of.
struct Content<'a> {
    sources: &'a Sources,
    records: Sorted,
    results: &'a [Document],
}

impl Export<'_> {
    /// Writes the records, sources and results of a store to `path`. The export of a [backup](super::Backup) is one of
    /// the store that was backed up. Until the file is complete and on disk, its name ends in `.part`. An interrupted
    /// export resumes if the store is unchanged. A temporary file for sorting has no name, and is on the same disk.
    ///
    /// # Errors
    /// Those of [`check_target`], [`StoreError::Busy`], those of reading the store, [`StoreError::Sort`], and
    /// [`StoreError::Stopped`], after which the same call resumes.
    pub fn write(
        &self,
        store: &Store,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Exported, StoreError> {
        // The sources of a copy are those of the other store, where they may be quarantined.
        let copied = store.progress::<MirrorCursor>(PLACE)?;
        let copied = copied.filter(|place| place.store != 0);
        let (id, cursor) = copied.map_or_else(
            || (store.id(), store.cursor()),
            |place| (place.store, place.cursor),
        );
        self.write_as(store, id, cursor, path, watch)
    }

    /// Like [`Self::write`], with the given store id and cursor in the header.
    pub(super) fn write_as(
        &self,
        store: &Store,
        id: u64,
        cursor: u64,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Exported, StoreError> {
        check_target(path)?;
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = open_to_write(&part)?;
        let is_begun = file.metadata().map_err(StoreError::file(&part))?.len() > 0;
        let sources = Sources::of(store)?;
        let results = self.results(store)?;
        let mut header = self.header((id, cursor), &sources, results.len() as u64);

        let place = Place {
            folder: folder_of(path),
            keep_free: 0,
        };
        let remaining = self.remaining(store, &part, &header, place, watch);
        let (left, records) = remaining.inspect_err(|_| {
            if !is_begun {
                // Nothing was written to it. If it stays, the next export uses it.
                let _ = fs::remove_file(&part);
            }
        })?;
        let unknown = records.unknown;
        let previous = match &left {
            Some(left) => Previous::Resumed(left.counts.records),
            None if is_begun => Previous::Replaced,
            None => Previous::None,
        };
        let kept = left.as_ref().map(|left| left.running().clone());
        let mut frames = FrameWriter::new(part, file, kept)?;
        let mut done = Counts::default();
        let is_complete = left.as_ref().is_some_and(ExportReader::is_complete);
        if let Some(left) = left {
            (header, done) = (left.header, left.counts);
        } else {
            header.counts.records = records.all;
            frames.write(FrameKind::Header, &json(&header)?)?;
        }
        if !is_complete {
            let content = Content {
                sources: &sources,
                records,
                results: &results,
            };
            header.counts = content.write(&mut frames, done, watch)?;
            frames.write(FrameKind::End, &json(&header.counts)?)?;
        }
        let bytes = frames.running.offset;
        frames.settle(path)?;
        Ok(Exported {
            header,
            bytes,
            previous,
            unknown,
        })
    }

    /// The file of an interrupted export if this one continues it, and the records that are not in it.
    fn remaining(
        &self,
        store: &Store,
        part: &Path,
        header: &Header,
        place: Place<'_>,
        watch: Watch<'_>,
    ) -> Result<(Option<ExportReader>, Sorted), StoreError> {
        let left = interrupted(part, header);
        let after = left.as_ref().and_then(|left| left.last_key.clone());
        let records = self.sort(store, after.as_deref(), place, watch)?;
        let left = left.filter(|left| left.header.counts.records == records.all);
        if left.is_none() && after.is_some() {
            // Its place on the disk is needed again.
            drop(records);
            return Ok((None, self.sort(store, None, place, watch)?));
        }
        Ok((left, records))
    }

    /// Writes the records, sources and results of a store that others use meanwhile, from beginning to end. The export
    /// has all records that were acknowledged before the call, and may have later ones. A temporary file for sorting has
    /// no name, and is on the disk of the store, of which it leaves `keep_free` bytes free.
    ///
    /// # Errors
    /// Those of reading the store and of `out`; [`StoreError::Sort`]; [`StoreError::Stopped`], also if records are
    /// revoked meanwhile. What was written has no end then, and is known to be cut short.
    pub fn stream(
        &self,
        store: &Store,
        keep_free: u64,
        out: impl Write,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let (epoch, cursor) = (store.epoch(), store.cursor());
        let watch: Watch<'_> = &mut |step| {
            if store.epoch() == epoch {
                watch(step)
            } else {
                ControlFlow::Break(())
            }
        };
        // In this order, so that there are the records that prove the results, and all sources of the records.
        let results = self.results(store)?;
        let place = Place {
            folder: store.inner.db.dir(),
            keep_free,
        };
        let records = self.sort(store, None, place, watch)?;
        let sources = Sources::of(store)?;
        let mut header = self.header((store.id(), cursor), &sources, results.len() as u64);
        header.counts.records = records.all;
        let mut frames = FrameWriter::begin("export".into(), out)?;
        frames.write(FrameKind::Header, &json(&header)?)?;
        let content = Content {
            sources: &sources,
            records,
            results: &results,
        };
        let counts = content.write(&mut frames, Counts::default(), watch)?;
        let has_changed = store.epoch() != epoch
            // The documents of sources change before the records go.
            || store.get_document(REVOCATION)?.is_some();
        if has_changed {
            return Err(StoreError::Stopped);
        }
        frames.write(FrameKind::End, &json(&counts)?)?;
        frames.flush()
    }

    fn header(&self, (store, cursor): (u64, u64), sources: &Sources, results: u64) -> Header {
        let encodings = self.rules.encodings.iter();
        let encodings = encodings.map(|&(name, version)| (name.to_owned(), version));
        Header {
            store,
            cursor,
            made_at: self.now,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            plays: self.plays.to_vec(),
            least_visits: self.least.visits(),
            encodings: encodings.collect(),
            counts: Counts {
                sources: sources.iter().count() as u64,
                records: 0,
                results,
            },
        }
    }

    fn results(&self, store: &Store) -> Result<Vec<Document>, StoreError> {
        let is_wanted = |name: &str| {
            let play = name.split('/').nth(2).and_then(|play| play.parse().ok());
            play.is_some_and(|play| self.plays.contains(&play))
        };
        let documents = store.scan_documents(RESULTS);
        let is_kept = |document: &Result<(String, _), _>| match document {
            Ok((name, _)) => is_wanted(name),
            Err(_) => true,
        };
        documents.filter(is_kept).collect()
    }
}

impl Content<'_> {
    /// Writes everything between the header and the end, but for what is `done`. Returns the counts of all.
    fn write(
        self,
        frames: &mut FrameWriter<impl Write>,
        done: Counts,
        watch: Watch<'_>,
    ) -> Result<Counts, StoreError> {
        let Self {
            sources,
            records,
            results,
        } = self;
        for source in sources.iter().skip(done.sources as usize) {
            frames.write(FrameKind::Source, &json(&source)?)?;
        }
        let records = write_records(records, frames, done.records, watch)?;
        for (name, bytes) in results.iter().skip(done.results as usize) {
            let body = [name.as_bytes(), b"\n", bytes].concat();
            frames.write(FrameKind::Result, &body)?;
        }
        Ok(Counts {
            sources: sources.iter().count() as u64,
            records,
            results: results.len() as u64,
        })
    }
}

/// Writes the records that are not in the file yet. `done` are. Returns the total number of records in it.
fn write_records(
    records: Sorted,
    frames: &mut FrameWriter<impl Write>,
    mut done: u64,
    watch: Watch<'_>,
) -> Result<u64, StoreError> {
    let of = records.all;
    let mut write = |encoder: &mut Encoder| {
        done += encoder.count() as u64;
        frames.write(FrameKind::Block, &encoder.finish())?;
        proceed(watch, "writing", done, of)
    };
    let mut encoder = Encoder::default();
    records.each(|record| {
        let pushed = encoder.push(record);
        pushed.map_err(|problem| StoreError::Corrupt(problem.to_string()))?;
        if encoder.is_full() {
            write(&mut encoder)?;
        }
        Ok(())
    })?;
    if encoder.count() > 0 {
        write(&mut encoder)?;
    }
    Ok(done)
}

/// Reads the file of an interrupted export up to its last sound frame, if its header agrees with this one. The number
/// of records in `header` is not known yet.
fn interrupted(part: &Path, header: &Header) -> Option<ExportReader> {
    let mut left = ExportReader::open(part).ok()?;
    let mut same = header.clone();
    same.made_at = left.header.made_at;
    same.counts.records = left.header.counts.records;
    if same != left.header {
        return None;
    }
    while let Ok(Some(_)) = left.next() {}
    Some(left)
}
