//! Writing a store's records to a file.

use super::{
    Header, RESULTS, TravelError,
    file::Reading,
    frames::{FrameWriter, Part, Seal},
    header::Counts,
    ranges::{Range, Ranges},
};
use crate::{Sourced, Sources, Step, Store, Watch, block, number_of};
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
    /// Records and results of these conventions.
    pub plays: &'a [Play],
    /// The names and versions of the canonical encodings the store was opened with.
    pub encodings: &'a [(&'a str, u32)],
    /// Which records there can be.
    pub rules: &'a dyn RecordRules,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// About how many bytes of memory may be taken. If less than all records take, the store is
    /// read so many times more.
    pub room: usize,
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// What the file says of itself.
    pub header: Header,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// What became of an export that was begun before.
    pub begun: Begun,
    /// How many records were left out, since they are of no game that is known.
    pub unknown: u64,
}

/// What becomes of a file that an interrupted export left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// There is none.
    Not,
    /// It has so many records, and was gone on with.
    GoneOn(u64),
    /// It is of another store, of the store as it was earlier, or of other records, and was begun
    /// anew.
    Replaced,
}

/// The file that is being written, and how far it is.
struct Writing {
    path: PathBuf,
    frames: FrameWriter<BufWriter<File>>,
    done: Counts,
}

/// An export that was interrupted, up to its last sound frame.
struct Left {
    header: Header,
    seal: Seal,
    done: Counts,
    /// The last key.
    after: Option<Box<[u8]>>,
    is_complete: bool,
}

impl Export<'_> {
    /// Writes the records, sources and results of a store to `path`. The file takes that name once it
    /// is complete and on disk; until then it has `.part` behind it. An export that was interrupted
    /// goes on from there if the store is as it was; whoever watches is told of what is found.
    ///
    /// # Errors
    /// [`TravelError::File`], [`TravelError::Busy`], [`TravelError::Store`], and
    /// [`TravelError::Stopped`], after which it can go on.
    pub fn write(
        &self,
        store: &Store,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Exported, TravelError> {
        let part = with_part(path);
        let failed = |source| TravelError::File {
            path: part.clone(),
            source,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&part).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TravelError::Busy { path: part }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let is_begun = file.metadata().map_err(failed)?.len() > 0;
        let sources = Sources::of(store)?;
        let results = self.results(store)?;
        let mut header = self.header(store, &sources, results.len() as u64);

        let left = Left::read(&part).filter(|left| header.continues(&left.header));
        let is_wanted = |kind: Kind| self.plays.contains(&kind.play);
        let ranges = Ranges::new(store, self.rules, &is_wanted, self.room);
        let after = left.as_ref().and_then(|left| left.after.clone());
        let mut range = ranges.next(after.as_deref(), watch)?;
        let left = left.filter(|left| left.header.counts.records == range.all);
        if left.is_none() && after.is_some() {
            range = ranges.next(None, watch)?;
        }
        header.counts.records = range.all;
        let unknown = range.unknown;
        let begun = match &left {
            Some(left) => Begun::GoneOn(left.done.records),
            None if is_begun => Begun::Replaced,
            None => Begun::Not,
        };
        let is_complete = left.as_ref().is_some_and(|left| left.is_complete);
        let mut writing = Writing::begin(&part, file, left, &mut header).map_err(failed)?;
        if !is_complete {
            writing.sources(&sources).map_err(failed)?;
            writing.records(&ranges, range, header.counts, watch)?;
            writing.results(&results).map_err(failed)?;
            writing.end().map_err(failed)?;
        }
        let bytes = writing.frames.offset();
        writing.settle(path).map_err(failed)?;
        Ok(Exported {
            header,
            bytes,
            begun,
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

    fn results(&self, store: &Store) -> Result<Vec<(String, Vec<u8>)>, TravelError> {
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

/// Where an export stands until it is complete.
fn with_part(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    part.into()
}

impl Writing {
    fn begin(path: &Path, file: File, left: Option<Left>, header: &mut Header) -> io::Result<Self> {
        let path = path.to_owned();
        if let Some(left) = left {
            file.set_len(left.seal.offset)?;
            let mut out = BufWriter::new(file);
            out.seek(SeekFrom::End(0))?;
            *header = left.header;
            return Ok(Self {
                path,
                frames: FrameWriter::go_on(out, left.seal),
                done: left.done,
            });
        }
        file.set_len(0)?;
        let mut frames = FrameWriter::begin(BufWriter::new(file))?;
        frames.write(Part::Header, &json(header)?)?;
        Ok(Self {
            path,
            frames,
            done: Counts::default(),
        })
    }

    fn sources(&mut self, sources: &Sources) -> io::Result<()> {
        for source in sources.iter().skip(self.done.sources as usize) {
            self.frames.write(Part::Source, &json(&source)?)?;
            self.done.sources += 1;
        }
        Ok(())
    }

    /// All records from the first range on.
    fn records(
        &mut self,
        ranges: &Ranges<'_>,
        mut range: Range,
        counts: Counts,
        watch: Watch<'_>,
    ) -> Result<(), TravelError> {
        loop {
            let sorted = range.sorted();
            let mut encoder = block::Encoder::default();
            for (position, &record) in sorted.iter().enumerate() {
                let pushed = encoder.push(Sourced {
                    // What was verified here, others have to verify for themselves.
                    source: number_of(record.source),
                    ..record
                });
                pushed.map_err(|problem| TravelError::Malformed {
                    path: self.path.clone(),
                    place: format!("byte {}", self.frames.offset()),
                    problem: problem.to_string(),
                })?;
                if encoder.is_full() || position + 1 == sorted.len() {
                    self.done.records += encoder.count() as u64;
                    self.block(&encoder.finish(), counts, watch)?;
                }
            }
            let Some(last) = sorted.last().filter(|_| range.has_more) else {
                return Ok(());
            };
            let next = ranges.next(Some(last.key), watch)?;
            range = next;
        }
    }

    fn block(&mut self, bytes: &[u8], counts: Counts, watch: Watch<'_>) -> Result<(), TravelError> {
        let written = self.frames.write(Part::Block, bytes);
        written.map_err(|source| TravelError::File {
            path: self.path.clone(),
            source,
        })?;
        let step = Step {
            what: "writing",
            done: self.done.records,
            of: counts.records,
        };
        match watch(step).is_break() {
            true => Err(TravelError::Stopped),
            false => Ok(()),
        }
    }

    fn results(&mut self, results: &[(String, Vec<u8>)]) -> io::Result<()> {
        for (name, bytes) in results.iter().skip(self.done.results as usize) {
            let body = [name.as_bytes(), b"\n", bytes].concat();
            self.frames.write(Part::Result, &body)?;
            self.done.results += 1;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.frames.write(Part::End, &json(&self.done)?)
    }

    /// Makes the file durable and gives it its name.
    fn settle(self, path: &Path) -> io::Result<()> {
        let mut out = self.frames.into_inner();
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&self.path, path)?;
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Left {
    /// What an interrupted export left, if it is of any use.
    fn read(part: &Path) -> Option<Self> {
        let mut reading = Reading::open(part).ok()?;
        let mut left = Self {
            header: reading.header().clone(),
            seal: reading.seal().clone(),
            done: Counts::default(),
            after: None,
            is_complete: false,
        };
        while let Ok(Some(_)) = reading.next() {
            left.seal = reading.seal().clone();
            left.done = reading.counts();
            left.after = reading.last_key().map(Box::from);
            left.is_complete = reading.is_complete();
        }
        Some(left)
    }
}

fn json(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(value)?)
}
