//! Importing the records of exports and of other stores.

use super::{
    Header, RESULTS, TransferError,
    error::Clash,
    proceed,
    reader::{ExportReader, Item},
    verify,
};
use crate::{
    Batch, Conflict, DocumentChange, KeptContradiction, Origin, Sourced, Sources, Store,
    StoreError, Watch, documents::json, number_of, sources::LocalSource,
};
use serde::{Deserialize, Serialize};
use sproutnet_record::{RecordRules, ResultRefused};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// The number of records in a merge.
const AT_A_TIME: usize = 1 << 16;

/// The prefix of the names of documents of unfinished imports.
pub const UNDER_WAY: &str = "import/";

/// Decides about a result, given the name of its document, the known and the new one. Returns the
/// document to write, or `None` if the known one stays.
pub type ResultRule<'a> =
    &'a dyn Fn(&str, Option<&[u8]>, &[u8]) -> Result<Option<Vec<u8>>, ResultRefused>;

/// An import into a store.
pub struct Import<'a> {
    store: &'a Store,
    rules: &'a dyn RecordRules,
    encodings: &'a [(&'a str, u32)],
    results: ResultRule<'a>,
    now: u64,
    sources: Sources,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The id of the store the records come from.
    pub store: u64,
    /// The number of records read, including those of an interrupted import.
    pub records: u64,
    /// How many of them were new.
    pub new: u64,
    /// The number of results read.
    pub results: u64,
    /// How many of them were new.
    pub new_results: u64,
    /// Where an interrupted import resumed, in records of a file or blocks of a store.
    pub resumed_at: u64,
}

/// The progress of an import, kept in the target store.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// In records of a file, or blocks of a store.
    place: u64,
    records: u64,
    new: u64,
}

/// The import of one file or store.
struct Incoming<'i, 'a> {
    import: &'i mut Import<'a>,
    /// The file or folder.
    path: PathBuf,
    /// The id of the other store, and its sources.
    from: u64,
    theirs: Sources,
    /// The local numbers of those sources.
    numbers: HashMap<u32, u32>,
    /// Documents of new sources.
    fresh: Vec<(String, Vec<u8>)>,
    batch: Batch,
    /// The name of the document of the progress.
    under_way: String,
    progress: Progress,
    resumed_at: u64,
}

impl<'a> Import<'a> {
    /// An import into a store that was opened with these encodings. `rules` checks records, `results`
    /// decides about results, `now` is in seconds since 1970.
    ///
    /// # Errors
    /// The sources of the store cannot be read.
    pub fn new(
        store: &'a Store,
        rules: &'a dyn RecordRules,
        encodings: &'a [(&'a str, u32)],
        results: ResultRule<'a>,
        now: u64,
    ) -> Result<Self, TransferError> {
        Ok(Self {
            store,
            rules,
            encodings,
            results,
            now,
            sources: Sources::of(store)?,
        })
    }

    /// Imports an export. The whole file is checked first. An interrupted import resumes. Repeating an
    /// import changes nothing.
    ///
    /// # Errors
    /// Those of the file: [`TransferError::File`], [`TransferError::Foreign`], [`TransferError::Format`],
    /// [`TransferError::Encoding`], [`TransferError::Truncated`], [`TransferError::Damaged`],
    /// [`TransferError::Malformed`].
    /// [`TransferError::Contradiction`]: the known value stays, and both are kept as a contradiction.
    /// [`TransferError::Store`], and [`TransferError::Stopped`].
    pub fn file(&mut self, path: &Path, watch: Watch<'_>) -> Result<Imported, TransferError> {
        let checksum = verify(path, watch)?;
        let mut reader = ExportReader::open(path)?;
        self.check_encodings(path, &reader.header)?;
        let (from, of) = (reader.header.store, reader.header.counts.records);
        let (theirs, mut next) = reader.sources()?;
        let under_way = format!("{UNDER_WAY}{checksum:016x}");
        let mut incoming = Incoming::begin(self, path, from, theirs, under_way)?;
        let mut results = Vec::new();
        let resumed_at = incoming.resumed_at;
        while let Some(item) = next {
            let (place, offset) = (reader.counts.records, reader.last_offset);
            match item {
                Item::Records(records) if place > resumed_at => {
                    incoming.take(&records, place, || format!("byte {offset}"))?;
                    proceed(watch, "importing", place, of)?;
                }
                Item::Result(name, bytes) => results.push((name, bytes)),
                Item::Records(_) | Item::Source(..) | Item::End => {}
            }
            next = reader.next()?;
        }
        incoming.finish(results)
    }

    /// Imports another store, which is not changed. Otherwise like [`Self::file`].
    ///
    /// # Errors
    /// [`TransferError::NoStore`], and those of [`Self::file`].
    pub fn store(&mut self, dir: &Path, watch: Watch<'_>) -> Result<Imported, TransferError> {
        if !Store::is_in(dir) {
            return Err(TransferError::NoStore { dir: dir.into() });
        }
        let other = Store::open(dir, self.encodings)?;
        let from = other.id();
        let under_way = format!("{UNDER_WAY}store/{from:016x}");
        let mut incoming = Incoming::begin(self, dir, from, Sources::of(&other)?, under_way)?;
        let mut records = Batch::default();
        for block in other.blocks_after(incoming.resumed_at) {
            let (number, bytes) = block?;
            records.clear();
            records.push_stored(number, &bytes)?;
            incoming.take(&records, number, || format!("block {number}"))?;
            proceed(watch, "merging", number, other.cursor())?;
        }
        let results = other.scan_documents(RESULTS).collect::<Result<_, _>>()?;
        incoming.finish(results)
    }

    fn check_encodings(&self, path: &Path, header: &Header) -> Result<(), TransferError> {
        for (encoding, &found) in &header.encodings {
            let ours = self.encodings.iter().find(|(name, _)| name == encoding);
            let expected = ours.map(|&(_, version)| version);
            if expected != Some(found) {
                return Err(TransferError::Encoding {
                    path: path.into(),
                    encoding: encoding.clone(),
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }

    fn clash(&self, conflicts: &[Conflict]) -> Option<Clash> {
        let first = conflicts.first()?;
        let value = |value| self.rules.describe_value(&first.key, value);
        Some(Clash {
            about: self.rules.describe_key(&first.key),
            known: value(first.known),
            known_from: self.sources.describe(first.known_source),
            new: value(first.new),
            new_from: self.sources.describe(first.new_source),
            more: conflicts.len() - 1,
        })
    }
}

impl<'i, 'a> Incoming<'i, 'a> {
    fn begin(
        import: &'i mut Import<'a>,
        path: &Path,
        from: u64,
        theirs: Sources,
        under_way: String,
    ) -> Result<Self, TransferError> {
        let progress = import.store.get_document(&under_way)?;
        // An unreadable document counts as none.
        let progress = progress.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let progress: Progress = progress.unwrap_or_default();
        Ok(Self {
            import,
            path: path.into(),
            from,
            theirs,
            numbers: HashMap::new(),
            fresh: Vec::new(),
            batch: Batch::default(),
            under_way,
            progress,
            resumed_at: progress.place,
        })
    }

    /// Adds records that end at a position. `place` describes where they stand.
    fn take(
        &mut self,
        records: &Batch,
        position: u64,
        place: impl Fn() -> String,
    ) -> Result<(), TransferError> {
        for record in records.iter() {
            let rules = self.import.rules;
            let checked = rules.check(record.key, record.value);
            checked.map_err(|problem| TransferError::Malformed {
                path: self.path.clone(),
                place: place(),
                problem: format!("{problem} (the record {})", rules.describe_key(record.key)),
            })?;
            let source = self.number(number_of(record.source))?;
            self.batch.push(Sourced { source, ..record });
        }
        self.progress.place = position;
        self.progress.records += records.len() as u64;
        match self.batch.len() >= AT_A_TIME {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// The local number of a source.
    fn number(&mut self, source: u32) -> Result<u32, StoreError> {
        if let Some(&number) = self.numbers.get(&source) {
            return Ok(number);
        }
        let origin = Origin {
            store: self.from,
            source,
        };
        let Import { store, sources, .. } = &mut *self.import;
        let number = match sources.imported(store.id(), store.cursor(), origin, &self.theirs) {
            LocalSource::Known(number) => number,
            LocalSource::Described(source) => {
                let bytes = json(&source)?;
                let (number, name) = sources.number(source);
                self.fresh.extend(name.map(|name| (name, bytes)));
                number
            }
        };
        self.numbers.insert(source, number);
        Ok(number)
    }

    /// Makes the added records durable.
    fn commit(&mut self) -> Result<(), TransferError> {
        let Import { store, rules, .. } = *self.import;
        // The document of a source precedes its records.
        change(store, &self.fresh)?;
        let rule = |key: &[u8], known, new| rules.merge(key, known, new);
        let merged = store.merge(&self.batch.records(), rule)?;
        self.fresh.clear();
        self.batch.clear();
        self.progress.new += merged.new;
        if let Some(clash) = self.import.clash(&merged.conflicts) {
            self.keep(&merged.conflicts)?;
            return Err(TransferError::Contradiction(Box::new(clash)));
        }
        // Records that are not new are read again quickly.
        if merged.new > 0 {
            store.put_document(&self.under_way, &json(&self.progress)?)?;
        }
        Ok(())
    }

    fn keep(&self, conflicts: &[Conflict]) -> Result<(), TransferError> {
        let import = &*self.import;
        let mut kept = Vec::with_capacity(conflicts.len());
        for conflict in conflicts {
            let conflict = KeptContradiction::of(conflict, &import.sources, import.now);
            kept.push((conflict.name(), json(&conflict)?));
        }
        Ok(change(import.store, &kept)?)
    }

    /// Imports the results and removes the document of the progress.
    fn finish(mut self, results: Vec<(String, Vec<u8>)>) -> Result<Imported, TransferError> {
        self.commit()?;
        let read = results.len() as u64;
        let mut kept = Vec::new();
        for (name, new) in results {
            let known = self.import.store.get_document(&name)?;
            match (self.import.results)(&name, known.as_deref(), &new) {
                Ok(Some(bytes)) => kept.push((name, bytes)),
                Ok(None) => {}
                Err(ResultRefused::Malformed(problem)) => {
                    return Err(TransferError::Malformed {
                        path: self.path,
                        place: name,
                        problem,
                    });
                }
                Err(ResultRefused::Contradiction { known, new }) => {
                    return Err(self.keep_result(&name, known, new)?);
                }
            }
        }
        change(self.import.store, &kept)?;
        if self.import.store.get_document(&self.under_way)?.is_some() {
            self.import.store.remove_document(&self.under_way)?;
        }
        Ok(Imported {
            store: self.from,
            records: self.progress.records,
            new: self.progress.new,
            results: read,
            new_results: kept.len() as u64,
            resumed_at: self.resumed_at,
        })
    }

    /// Keeps a contradiction of results; returns the error.
    fn keep_result(
        &self,
        name: &str,
        known: (u64, String),
        new: (u64, String),
    ) -> Result<TransferError, TransferError> {
        let kept = KeptContradiction {
            key: name.to_owned(),
            known: known.0,
            known_from: "this store".to_owned(),
            new: new.0,
            new_from: self.path.display().to_string(),
            met_at: self.import.now,
        };
        change(self.import.store, &[(kept.name(), json(&kept)?)])?;
        Ok(TransferError::Contradiction(Box::new(Clash {
            about: name.to_owned(),
            known: known.1,
            known_from: kept.known_from,
            new: new.1,
            new_from: kept.new_from,
            more: 0,
        })))
    }
}

/// Changes documents if there are any.
fn change(store: &Store, documents: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
    let documents = documents.iter();
    let documents: Vec<DocumentChange<'_>> = documents.map(|(n, b)| (&**n, Some(&**b))).collect();
    match documents.is_empty() {
        true => Ok(()),
        false => store.change_documents(&documents),
    }
}
