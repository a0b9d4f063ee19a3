//! Importing the records of exports and of other stores.

use super::{
    Header, RESULTS,
    reader::{ExportReader, Item, verify},
};
use crate::{
    Batch, KeptContradiction, Origin, Rules, Sourced, Sources, Store, StoreError, Unusable, Watch,
    documents::{Document, json},
    number_of,
    walk::proceed,
};
use serde::{Deserialize, Serialize};
use sproutnet_record::{RecordError, ResultRefused};
use std::{collections::HashMap, path::Path};

/// The maximum number of records in a merge.
const AT_A_TIME: usize = 1 << 16;

/// The prefix of the names of documents of unfinished imports.
pub const UNDER_WAY: &str = "import/";

/// Decides about a result, given the name of its document, the known and the new one. Returns the
/// document to write, or `None` if the known one stays.
pub type ResultRule<'a> =
    &'a dyn Fn(&str, Option<&[u8]>, &[u8]) -> Result<Option<Vec<u8>>, ResultRefused>;

/// An import into a store.
#[derive(Clone, Copy)]
pub struct Import<'a> {
    /// The store, which was opened with the encodings of the rules.
    pub store: &'a Store,
    /// The rules for records and results.
    pub rules: Rules<'a>,
    /// The time, in seconds since 1970.
    pub now: u64,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The id of the store the records come from.
    pub store: u64,
    /// The number of records read, including those of an interrupted import.
    pub records: u64,
    /// The number of new ones among these.
    pub new: u64,
    /// The number of records left out because their positions cannot occur.
    pub impossible: u64,
    /// The number of results read.
    pub results: u64,
    /// The number of new ones among these.
    pub new_results: u64,
    /// The place where an interrupted import resumed, in records of a file or blocks of a store.
    pub resumed_at: u64,
}

/// The progress of an import, kept in the target store.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// In records of a file, or blocks of a store.
    place: u64,
    records: u64,
    new: u64,
    #[serde(default)]
    impossible: u64,
}

/// The import of one file or store.
pub(super) struct Incoming<'a> {
    import: Import<'a>,
    sources: Sources,
    /// The file or folder.
    path: &'a Path,
    /// The id of the other store, and its sources.
    from: u64,
    theirs: Sources,
    /// The local numbers of those sources.
    numbers: HashMap<u32, u32>,
    /// Documents of new sources.
    fresh: Vec<Document>,
    batch: Batch,
    /// The name of the document of the progress.
    under_way: String,
    progress: Progress,
    resumed_at: u64,
}

impl Import<'_> {
    /// Imports an export. The whole file is checked first. An interrupted import resumes. Repeating an
    /// import changes nothing.
    ///
    /// # Errors
    /// [`StoreError::File`]; [`StoreError::Unusable`] if the file is not one that can be imported;
    /// [`StoreError::Contradiction`]: the known value stays, and both are kept as a contradiction;
    /// those of writing the store; [`StoreError::Stopped`].
    pub fn file(&self, path: &Path, watch: Watch<'_>) -> Result<Imported, StoreError> {
        let checksum = verify(path, watch)?;
        let mut reader = ExportReader::open(path)?;
        self.check_encodings(path, &reader.header)?;
        let (from, of) = (reader.header.store, reader.header.counts.records);
        let (theirs, mut next) = reader.sources()?;
        let under_way = format!("{UNDER_WAY}{checksum:016x}");
        let mut incoming = Incoming::begin(*self, path, from, theirs, under_way)?;
        let mut results = Vec::new();
        let resumed_at = incoming.resumed_at;
        while let Some(item) = next {
            let (place, offset) = (reader.counts.records, reader.last_offset);
            match item {
                Item::Records(records) if place > resumed_at => {
                    incoming.add(&records, place, || format!("byte {offset}"))?;
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
    /// Those of [`Self::file`] and of [`Store::open`].
    pub fn store(&self, dir: &Path, watch: Watch<'_>) -> Result<Imported, StoreError> {
        if !Store::is_in(dir) {
            return Err(unusable(dir, Unusable::NoStore));
        }
        let other = Store::open(dir, self.rules.encodings)?;
        let from = other.id();
        let under_way = format!("{UNDER_WAY}store/{from:016x}");
        let mut incoming = Incoming::begin(*self, dir, from, Sources::of(&other)?, under_way)?;
        let mut records = Batch::default();
        for block in other.blocks_after(incoming.resumed_at) {
            let (number, bytes) = block?;
            records.clear();
            records.push_stored(number, &bytes)?;
            incoming.add(&records, number, || format!("block {number}"))?;
            proceed(watch, "merging", number, other.cursor())?;
        }
        let results = other.scan_documents(RESULTS).collect::<Result<_, _>>()?;
        incoming.finish(results)
    }

    fn check_encodings(&self, path: &Path, header: &Header) -> Result<(), StoreError> {
        for (encoding, &found) in &header.encodings {
            let mut ours = self.rules.encodings.iter();
            let ours = ours.find(|(name, _)| name == encoding);
            let expected = ours.map(|&(_, version)| version);
            if expected != Some(found) {
                let encoding = encoding.clone();
                let reason = Unusable::Encoding {
                    encoding,
                    found,
                    expected,
                };
                return Err(unusable(path, reason));
            }
        }
        Ok(())
    }

    /// Keeps contradictions as documents, and returns the error. `about`, `known` and `new` describe the first.
    fn contradicted(
        &self,
        kept: &[KeptContradiction],
        about: &str,
        [known, new]: [String; 2],
    ) -> Result<(), StoreError> {
        let Some(first) = kept.first() else {
            return Ok(());
        };
        let documents = kept.iter().map(|kept| Ok((kept.name(), json(kept)?)));
        let documents = documents.collect::<Result<Vec<_>, StoreError>>()?;
        self.store.put_documents(&documents)?;
        let more = match kept.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        Err(StoreError::Contradiction(format!(
            "contradiction about {about}: {known}, from {}, is known; {new}, from {}, was to be \
             imported{more}",
            first.known_from, first.new_from
        )))
    }
}

fn unusable(path: &Path, reason: Unusable) -> StoreError {
    let path = path.into();
    StoreError::Unusable { path, reason }
}

impl<'a> Incoming<'a> {
    pub(super) fn begin(
        import: Import<'a>,
        path: &'a Path,
        from: u64,
        theirs: Sources,
        under_way: String,
    ) -> Result<Self, StoreError> {
        let progress: Progress = import.store.progress(&under_way)?.unwrap_or_default();
        Ok(Self {
            import,
            sources: Sources::of(import.store)?,
            path,
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

    /// Adds records that end at a position. `place` describes their location.
    pub(super) fn add(
        &mut self,
        records: &Batch,
        position: u64,
        place: impl Fn() -> String,
    ) -> Result<(), StoreError> {
        let rules = self.import.rules.records;
        for record in records.iter() {
            match rules.admit(record.key, record.value) {
                Ok(()) => {}
                // An earlier version could be asked about such positions. Nothing else depends on them.
                Err(RecordError::Impossible(_)) => {
                    self.progress.impossible += 1;
                    continue;
                }
                Err(problem) => {
                    let about = rules.describe_key(record.key);
                    let problem = format!("{problem} (the record {about})");
                    return Err(unusable(self.path, Unusable::Malformed(place(), problem)));
                }
            }
            let source = self.number(number_of(record.source))?;
            self.batch.push(Sourced { source, ..record });
        }
        self.progress.place = position;
        self.progress.records += records.len() as u64;
        if self.batch.len() >= AT_A_TIME {
            self.commit()
        } else {
            Ok(())
        }
    }

    /// The local number of a source.
    fn number(&mut self, source: u32) -> Result<u32, StoreError> {
        if let Some(&number) = self.numbers.get(&source) {
            return Ok(number);
        }
        let store = self.from;
        let origin = Origin { store, source };
        let (here, since) = (self.import.store.id(), self.import.store.cursor());
        let imported = self.sources.import(here, since, origin, &self.theirs);
        let (number, document) = imported?;
        self.fresh.extend(document);
        self.numbers.insert(source, number);
        Ok(number)
    }

    /// Makes the added records durable.
    fn commit(&mut self) -> Result<(), StoreError> {
        let Import { store, rules, now } = self.import;
        let rules = rules.records;
        // The document of a source precedes its records.
        store.put_documents(&self.fresh)?;
        let rule = |key: &[u8], known, new| rules.merge(key, known, new);
        let merged = store.merge(&self.batch.records(), rule)?;
        self.fresh.clear();
        self.batch.clear();
        self.progress.new += merged.new;
        if let Some(first) = merged.conflicts.first() {
            let kept = merged.conflicts.iter();
            let kept = kept.map(|c| KeptContradiction::of(c, &self.sources, now));
            let values = [first.known, first.new].map(|v| rules.describe_value(&first.key, v));
            let about = &rules.describe_key(&first.key);
            self.import
                .contradicted(&kept.collect::<Vec<_>>(), about, values)?;
        }
        // Known records are read again quickly, so their progress is not written.
        if merged.new > 0 {
            store.put_document(&self.under_way, &json(&self.progress)?)?;
        }
        Ok(())
    }

    /// Imports the results and removes the document of the progress.
    pub(super) fn finish(mut self, results: Vec<Document>) -> Result<Imported, StoreError> {
        self.commit()?;
        let Import { store, rules, now } = self.import;
        let read = results.len() as u64;
        let mut kept = Vec::new();
        for (name, new) in results {
            let known = store.get_document(&name)?;
            match (rules.results)(&name, known.as_deref(), &new) {
                Ok(Some(bytes)) => kept.push((name, bytes)),
                Ok(None) => {}
                Err(ResultRefused::Malformed(problem)) => {
                    return Err(unusable(self.path, Unusable::Malformed(name, problem)));
                }
                Err(ResultRefused::Contradiction { known, new }) => {
                    let contradiction = KeptContradiction {
                        key: name.clone(),
                        known: known.0,
                        known_from: "this store".to_owned(),
                        new: new.0,
                        new_from: self.path.display().to_string(),
                        met_at: now,
                    };
                    let values = [known.1, new.1];
                    self.import.contradicted(&[contradiction], &name, values)?;
                }
            }
        }
        store.put_documents(&kept)?;
        store.remove_document(&self.under_way)?;
        Ok(Imported {
            store: self.from,
            records: self.progress.records,
            new: self.progress.new,
            impossible: self.progress.impossible,
            results: read,
            new_results: kept.len() as u64,
            resumed_at: self.resumed_at,
        })
    }
}
