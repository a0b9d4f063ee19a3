//! Importing the records of exports and of other stores.

use super::{
    Header, RESULTS,
    reader::{ExportReader, Item, verify},
    target::{Closed, Target},
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
pub(super) struct Incoming<'a, T> {
    target: &'a T,
    rules: Rules<'a>,
    /// The time, in seconds since 1970.
    now: u64,
    /// The file or folder.
    path: &'a Path,
    /// The id of the other store, and its sources.
    from: u64,
    theirs: Sources,
    /// The local numbers of those sources.
    numbers: HashMap<u32, u32>,
    batch: Batch,
    /// The name of the document of the progress.
    under_way: String,
    progress: Progress,
    resumed_at: u64,
}

/// Imports an export into a store that may be in use. See [`Import::file`].
///
/// # Errors
/// Those of [`Import::file`], as errors of the target.
pub fn import_file<T: Target>(
    target: &T,
    rules: Rules<'_>,
    now: u64,
    path: &Path,
    watch: Watch<'_>,
) -> Result<Imported, T::Error> {
    let checksum = verify(path, watch)?;
    let mut reader = ExportReader::open(path)?;
    check_encodings(rules, path, &reader.header)?;
    let (from, of) = (reader.header.store, reader.header.counts.records);
    let (theirs, mut next) = reader.sources()?;
    let under_way = format!("{UNDER_WAY}{checksum:016x}");
    let mut incoming = Incoming::begin(target, rules, now, path, from, theirs, under_way)?;
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
    incoming.finish(&results)
}

fn check_encodings(rules: Rules<'_>, path: &Path, header: &Header) -> Result<(), StoreError> {
    for (encoding, &found) in &header.encodings {
        let mut ours = rules.encodings.iter();
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

impl Import<'_> {
    /// Imports an export. The whole file is checked first. An interrupted import resumes. Repeating an
    /// import changes nothing.
    ///
    /// # Errors
    /// [`StoreError::File`]; [`StoreError::Unusable`] if the file is not one that can be imported;
    /// [`StoreError::Contradiction`]: the known value stays, and both are kept as a contradiction;
    /// those of writing the store; [`StoreError::Stopped`].
    pub fn file(&self, path: &Path, watch: Watch<'_>) -> Result<Imported, StoreError> {
        import_file(&self.target()?, self.rules, self.now, path, watch)
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
        let (target, theirs) = (self.target()?, Sources::of(&other)?);
        let mut incoming =
            Incoming::begin(&target, self.rules, self.now, dir, from, theirs, under_way)?;
        let mut records = Batch::default();
        for block in other.blocks_after(incoming.resumed_at) {
            let (number, bytes) = block?;
            records.clear();
            records.push_stored(number, &bytes)?;
            incoming.add(&records, number, || format!("block {number}"))?;
            proceed(watch, "merging", number, other.cursor())?;
        }
        let results = other
            .scan_documents(RESULTS)
            .collect::<Result<Vec<_>, _>>()?;
        incoming.finish(&results)
    }

    /// The store, which nobody else writes to.
    pub(super) fn target(&self) -> Result<Closed<'_>, StoreError> {
        Closed::new(self.store, self.rules.records)
    }
}

fn unusable(path: &Path, reason: Unusable) -> StoreError {
    let path = path.into();
    StoreError::Unusable { path, reason }
}

impl<'a, T: Target> Incoming<'a, T> {
    pub(super) fn begin(
        target: &'a T,
        rules: Rules<'a>,
        now: u64,
        path: &'a Path,
        from: u64,
        theirs: Sources,
        under_way: String,
    ) -> Result<Self, T::Error> {
        let progress: Progress = target.store().progress(&under_way)?.unwrap_or_default();
        Ok(Self {
            target,
            rules,
            now,
            path,
            from,
            theirs,
            numbers: HashMap::new(),
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
    ) -> Result<(), T::Error> {
        let rules = self.rules.records;
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
                    let problem = Unusable::Malformed(place(), problem);
                    return Err(unusable(self.path, problem).into());
                }
            }
            let source = self.number(number_of(record.source))?;
            self.batch.push(Sourced { source, ..record });
        }
        self.progress.place = position;
        self.progress.records += records.len() as u64;
        if self.batch.len() >= AT_A_TIME {
            self.commit()?;
        }
        Ok(())
    }

    /// The local number of a source.
    fn number(&mut self, source: u32) -> Result<u32, T::Error> {
        if let Some(&number) = self.numbers.get(&source) {
            return Ok(number);
        }
        let store = self.from;
        let number = self.target.source(Origin { store, source }, &self.theirs)?;
        if let Some(quarantine) = self.target.quarantine(number) {
            let source = self.theirs.describe(source);
            let reason = Unusable::Quarantined(source, quarantine.why);
            return Err(unusable(self.path, reason).into());
        }
        self.numbers.insert(source, number);
        Ok(number)
    }

    /// Makes the added records durable.
    fn commit(&mut self) -> Result<(), T::Error> {
        let batch = std::mem::take(&mut self.batch);
        let written = self.target.write(batch, Vec::new())?;
        self.progress.new += written.new;
        if let Some(first) = written.conflicts.first() {
            let kept = written.conflicts.iter();
            let kept = kept.map(|conflict| self.target.contradicted(conflict, self.now));
            let kept: Vec<_> = kept.collect();
            let rules = self.rules.records;
            let values = [first.known, first.new].map(|v| rules.describe_value(&first.key, v));
            return self.keep(&kept, &rules.describe_key(&first.key), values);
        }
        // Known records are read again quickly, so their progress is not written.
        if written.new > 0 {
            let progress = (self.under_way.clone(), json(&self.progress)?);
            self.target.write(Batch::default(), vec![progress])?;
        }
        Ok(())
    }

    /// Keeps contradictions as documents, and returns the error. `about`, `known` and `new` describe the first.
    fn keep(
        &self,
        kept: &[KeptContradiction],
        about: &str,
        [known, new]: [String; 2],
    ) -> Result<(), T::Error> {
        let Some(first) = kept.first() else {
            return Ok(());
        };
        let documents = kept.iter().map(|kept| Ok((kept.name(), json(kept)?)));
        let documents = documents.collect::<Result<Vec<_>, StoreError>>()?;
        self.target.write(Batch::default(), documents)?;
        let more = match kept.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let error = StoreError::Contradiction(format!(
            "contradiction about {about}: {known}, from {}, is known; {new}, from {}, was to be \
             imported{more}",
            first.known_from, first.new_from
        ));
        Err(error.into())
    }

    /// Imports the results and removes the document of the progress.
    pub(super) fn finish(mut self, results: &[Document]) -> Result<Imported, T::Error> {
        self.commit()?;
        let read = results.len() as u64;
        let (mut kept, mut refused) = (Vec::new(), None);
        // Between a look at a known result and the write, nobody may store a better one.
        self.target.alone(&mut |store| {
            for (name, new) in results {
                let known = store.get_document(name)?;
                match (self.rules.results)(name, known.as_deref(), new) {
                    Ok(Some(bytes)) => kept.push((name.clone(), bytes)),
                    Ok(None) => {}
                    Err(why) => {
                        refused = Some((name.clone(), why));
                        return Ok(());
                    }
                }
            }
            store.put_documents(&kept)
        })?;
        match refused {
            None => {}
            Some((name, ResultRefused::Malformed(problem))) => {
                let problem = Unusable::Malformed(name, problem);
                return Err(unusable(self.path, problem).into());
            }
            Some((name, ResultRefused::Contradiction { known, new })) => {
                let contradiction = KeptContradiction {
                    key: name.clone(),
                    known: known.0,
                    known_from: "this store".to_owned(),
                    new: new.0,
                    new_from: self.path.display().to_string(),
                    met_at: self.now,
                };
                self.keep(&[contradiction], &name, [known.1, new.1])?;
            }
        }
        self.target.store().remove_document(&self.under_way)?;
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
