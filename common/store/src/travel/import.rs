//! Taking in the records of exports and of other stores.

use super::{
    RESULTS, TravelError,
    error::Clash,
    file::{Reading, Said},
    verify,
};
use crate::{
    Batch, Conflict, DocumentChange, KeptContradiction, Origin, Sourced, Sources, Step, Store,
    StoreError, Watch, number_of, sources::Imported as Here,
};
use serde::{Deserialize, Serialize};
use sproutnet_record::{RecordRules, ResultRefused};
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

/// Records that are merged at a time.
const AT_A_TIME: usize = 1 << 16;

/// What the names of the documents of imports under way start with.
pub const UNDER_WAY: &str = "import/";

/// What becomes of a result, given the name of its document, the one that is known and the new one:
/// the document to keep if that is not the known one.
pub type ResultRule<'a> =
    &'a dyn Fn(&str, Option<&[u8]>, &[u8]) -> Result<Option<Vec<u8>>, ResultRefused>;

/// Takes records into a store.
pub struct Import<'a> {
    store: &'a Store,
    rules: &'a dyn RecordRules,
    encodings: &'a [(&'a str, u32)],
    results: ResultRule<'a>,
    now: u64,
    sources: Sources,
}

/// What came of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The id of the store the records are from.
    pub store: u64,
    /// The records that were looked at, those of an interrupted import included.
    pub records: u64,
    /// How many of them said something new.
    pub new: u64,
    /// The results that were looked at.
    pub results: u64,
    /// How many of them said something new.
    pub new_results: u64,
    /// How far an interrupted import had come, in records of a file or blocks of a store.
    pub resumed_at: u64,
}

/// How far an import is, as kept in the store that is added to.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Reached {
    /// In records of a file, or blocks of a store.
    place: u64,
    records: u64,
    new: u64,
}

/// Records of one file or store on their way.
struct Arriving<'i, 'a> {
    import: &'i mut Import<'a>,
    /// Where they are from.
    path: PathBuf,
    /// The store they are from, and its sources.
    from: u64,
    theirs: Sources,
    /// The sources here of those sources.
    numbers: HashMap<u32, u32>,
    /// Documents of sources that are new here.
    fresh: Vec<(String, Vec<u8>)>,
    batch: Batch,
    /// The document that tells how far it is.
    under_way: String,
    reached: Reached,
    resumed_at: u64,
}

impl<'a> Import<'a> {
    /// Into a store. `rules` tells which records there can be, `results` what becomes of results;
    /// `encodings` are those the store was opened with, `now` is in seconds since 1970.
    ///
    /// # Errors
    /// The sources of the store cannot be read.
    pub fn new(
        store: &'a Store,
        rules: &'a dyn RecordRules,
        encodings: &'a [(&'a str, u32)],
        results: ResultRule<'a>,
        now: u64,
    ) -> Result<Self, TravelError> {
        Ok(Self {
            store,
            rules,
            encodings,
            results,
            now,
            sources: Sources::of(store)?,
        })
    }

    /// Takes in an export. All of the file is read and found sound before anything of it is used. An
    /// import that was interrupted goes on where it was; to repeat one changes nothing.
    ///
    /// # Errors
    /// Those of the file: [`TravelError::File`], [`TravelError::Foreign`], [`TravelError::Format`],
    /// [`TravelError::Encoding`], [`TravelError::Truncated`], [`TravelError::Damaged`],
    /// [`TravelError::Malformed`].
    /// [`TravelError::Contradiction`]: what was known stays, and both values are kept.
    /// [`TravelError::Store`], and [`TravelError::Stopped`].
    pub fn file(&mut self, path: &Path, watch: Watch<'_>) -> Result<Imported, TravelError> {
        let checksum = verify(path, watch)?;
        let mut reading = Reading::open(path)?;
        self.check_encodings(path, reading.header().encodings.iter())?;
        let (from, of) = (reading.header().store, reading.header().counts.records);
        let (theirs, mut next) = reading.sources()?;
        let under_way = format!("{UNDER_WAY}{checksum:016x}");
        let mut arriving = Arriving::begin(self, path, from, theirs, under_way)?;
        let mut results = Vec::new();
        let resumed_at = arriving.resumed_at;
        while let Some(said) = next {
            let (place, offset) = (reading.counts().records, reading.last_offset());
            match said {
                Said::Records(records) if place > resumed_at => {
                    arriving.take(&records, place, || format!("byte {offset}"))?;
                    tell(watch, "importing", place, of)?;
                }
                Said::Result(name, bytes) => results.push((name, bytes)),
                Said::Records(_) | Said::Source(..) | Said::End => {}
            }
            next = reading.next()?;
        }
        arriving.finish(results)
    }

    /// Takes in another store, which is not changed. As [`Self::file`] otherwise.
    ///
    /// # Errors
    /// [`TravelError::NoStore`], and those of [`Self::file`].
    pub fn store(&mut self, dir: &Path, watch: Watch<'_>) -> Result<Imported, TravelError> {
        if !Store::is_in(dir) {
            return Err(TravelError::NoStore { dir: dir.into() });
        }
        let other = Store::open(dir, self.encodings)?;
        let from = other.id();
        let under_way = format!("{UNDER_WAY}store/{from:016x}");
        let mut arriving = Arriving::begin(self, dir, from, Sources::of(&other)?, under_way)?;
        let mut records = Batch::default();
        for block in other.blocks_after(arriving.resumed_at) {
            let (number, bytes) = block?;
            records.clear();
            let pushed = records.push_block(&bytes, |source| source);
            pushed.map_err(|reason| StoreError::CorruptBlock { number, reason })?;
            arriving.take(&records, number, || format!("block {number}"))?;
            tell(watch, "merging", number, other.cursor())?;
        }
        let results = other.scan_documents(RESULTS).collect::<Result<_, _>>()?;
        arriving.finish(results)
    }

    fn check_encodings<'n>(
        &self,
        path: &Path,
        theirs: impl Iterator<Item = (&'n String, &'n u32)>,
    ) -> Result<(), TravelError> {
        for (encoding, &found) in theirs {
            let ours = self.encodings.iter().find(|(name, _)| name == encoding);
            let expected = ours.map(|&(_, version)| version);
            if expected != Some(found) {
                return Err(TravelError::Encoding {
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

fn tell(watch: Watch<'_>, what: &'static str, done: u64, of: u64) -> Result<(), TravelError> {
    match watch(Step { what, done, of }).is_break() {
        true => Err(TravelError::Stopped),
        false => Ok(()),
    }
}

impl<'i, 'a> Arriving<'i, 'a> {
    fn begin(
        import: &'i mut Import<'a>,
        path: &Path,
        from: u64,
        theirs: Sources,
        under_way: String,
    ) -> Result<Self, TravelError> {
        let reached = import.store.get_document(&under_way)?;
        // What cannot be read was not reached.
        let reached = reached.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let reached: Reached = reached.unwrap_or_default();
        Ok(Self {
            import,
            path: path.into(),
            from,
            theirs,
            numbers: HashMap::new(),
            fresh: Vec::new(),
            batch: Batch::default(),
            under_way,
            reached,
            resumed_at: reached.place,
        })
    }

    /// Takes records that end at a place; `told` is where they stand, for people to read.
    fn take(
        &mut self,
        records: &Batch,
        place: u64,
        told: impl Fn() -> String,
    ) -> Result<(), TravelError> {
        for record in records.iter() {
            let rules = self.import.rules;
            let checked = rules.check(record.key, record.value);
            checked.map_err(|problem| TravelError::Malformed {
                path: self.path.clone(),
                place: told(),
                problem: format!("{problem} (the record {})", rules.describe_key(record.key)),
            })?;
            let source = self.number(number_of(record.source))?;
            self.batch.push(Sourced { source, ..record });
        }
        self.reached.place = place;
        self.reached.records += records.len() as u64;
        match self.batch.len() >= AT_A_TIME {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// The number here of a source of theirs.
    fn number(&mut self, source: u32) -> Result<u32, StoreError> {
        if let Some(&number) = self.numbers.get(&source) {
            return Ok(number);
        }
        let origin = Origin {
            store: self.from,
            source,
        };
        let Import { store, sources, .. } = &mut *self.import;
        let number = match sources.imported(store.id(), store.cursor(), origin, Some(&self.theirs))
        {
            Here::Known(number) => number,
            Here::Other(source) => {
                let bytes = json(&source)?;
                let (number, name) = sources.number(source);
                self.fresh.extend(name.map(|name| (name, bytes)));
                number
            }
        };
        self.numbers.insert(source, number);
        Ok(number)
    }

    /// Makes durable what was taken.
    fn commit(&mut self) -> Result<(), TravelError> {
        let Import { store, rules, .. } = *self.import;
        // A number in a record has to have its meaning first.
        change(store, &self.fresh)?;
        let rule = |key: &[u8], known, new| rules.merge(key, known, new);
        let merged = store.merge(&self.batch.records(), rule)?;
        self.fresh.clear();
        self.batch.clear();
        self.reached.new += merged.new;
        if let Some(clash) = self.import.clash(&merged.conflicts) {
            self.keep(&merged.conflicts)?;
            return Err(TravelError::Contradiction(Box::new(clash)));
        }
        // What holds nothing new is soon gone through again.
        if merged.new > 0 {
            store.put_document(&self.under_way, &json(&self.reached)?)?;
        }
        Ok(())
    }

    fn keep(&self, conflicts: &[Conflict]) -> Result<(), TravelError> {
        let import = &*self.import;
        let mut kept = Vec::with_capacity(conflicts.len());
        for conflict in conflicts {
            let conflict = KeptContradiction::of(conflict, &import.sources, import.now);
            kept.push((conflict.name(), json(&conflict)?));
        }
        Ok(change(import.store, &kept)?)
    }

    /// Takes in the results; then there is nothing more to go on with.
    fn finish(mut self, results: Vec<(String, Vec<u8>)>) -> Result<Imported, TravelError> {
        self.commit()?;
        let looked_at = results.len() as u64;
        let mut kept = Vec::new();
        for (name, new) in results {
            let known = self.import.store.get_document(&name)?;
            match (self.import.results)(&name, known.as_deref(), &new) {
                Ok(Some(bytes)) => kept.push((name, bytes)),
                Ok(None) => {}
                Err(ResultRefused::Malformed(problem)) => {
                    return Err(TravelError::Malformed {
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
            records: self.reached.records,
            new: self.reached.new,
            results: looked_at,
            new_results: kept.len() as u64,
            resumed_at: self.resumed_at,
        })
    }

    /// Keeps a result that contradicts another; returns what to tell.
    fn keep_result(
        &self,
        name: &str,
        known: (u64, String),
        new: (u64, String),
    ) -> Result<TravelError, TravelError> {
        let kept = KeptContradiction {
            key: name.to_owned(),
            known: known.0,
            known_from: "this store".to_owned(),
            new: new.0,
            new_from: self.path.display().to_string(),
            met_at: self.import.now,
        };
        change(self.import.store, &[(kept.name(), json(&kept)?)])?;
        Ok(TravelError::Contradiction(Box::new(Clash {
            about: name.to_owned(),
            known: known.1,
            known_from: kept.known_from,
            new: new.1,
            new_from: kept.new_from,
            more: 0,
        })))
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Database(Box::new(error)))
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
