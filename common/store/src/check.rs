//! Checking a store by reading all of it.

use super::{
    Batch, OWN, Store, StoreError, Watch,
    database::{Database, Lock},
    documents,
    high_water_mark::HighWaterMark,
    index::{self, Entry, KeyHash, Sought},
    number_of, numbered,
    open::{self, readable},
    repair::Damage,
    sources, swap,
    transfer::{RESULTS, ResultRefused, ResultRule},
    walk::{each_block, proceed},
};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use sproutnet_record::RecordRules;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    sync::Arc,
};

/// The maximum number of listed faults.
const MAX_FAULTS: usize = 1_000;

/// The problem of a store without a readable high-water mark.
const NO_MARK: &str = "its file `acknowledged` is missing or damaged, so records that were lost at its end would go \
                       unnoticed; the next write makes it anew";

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checkup {
    /// Blocks that were read.
    pub blocks: u64,
    /// Records in them, superseded ones included.
    pub records: u64,
    /// Documents that were read.
    pub documents: u64,
    /// The first faults.
    pub faults: Vec<Fault>,
    /// The number of all faults.
    #[serde(rename = "fault_count")]
    pub count: u64,
}

/// A fault of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The faulty part.
    pub of: DamagedPart,
    /// The problem.
    pub problem: String,
}

/// A part of a store that can be faulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DamagedPart {
    /// The block with that number.
    Block(u64),
    /// The document of that name.
    Document(String),
    /// The store as a whole.
    Store,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            DamagedPart::Block(number) => write!(f, "block {number}: {}", self.problem),
            DamagedPart::Document(name) => write!(f, "document {name}: {}", self.problem),
            DamagedPart::Store => f.write_str(&self.problem),
        }
    }
}

impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (block, document) = match &self.of {
            DamagedPart::Block(number) => (Some(number), None),
            DamagedPart::Document(name) => (None, Some(name)),
            DamagedPart::Store => (None, None),
        };
        let mut fault = serializer.serialize_struct("Fault", 3)?;
        fault.serialize_field("block", &block)?;
        fault.serialize_field("document", &document)?;
        fault.serialize_field("problem", &self.problem)?;
        fault.end()
    }
}

/// The rules for the content of a store. They come from a game; the store does not know them itself.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The names and versions of the canonical encodings of keys.
    pub encodings: &'a [(&'a str, u32)],
    /// The rules for records.
    pub records: &'a dyn RecordRules,
    /// The rule for results.
    pub results: ResultRule<'a>,
}

/// The findings so far.
#[derive(Default)]
struct Findings {
    checkup: Checkup,
    damage: Damage,
    /// The sources with a document.
    known: BTreeSet<u32>,
    /// The sources without a document, and the first block that names each.
    unknown: BTreeMap<u32, u64>,
}

impl Rules<'_> {
    /// Reads all blocks and documents of the store in `dir`, which must not be open, and compares them.
    ///
    /// # Errors
    /// As [`Store::open`], except that damage inside the store is a [`Fault`];
    /// [`StoreError::Stopped`].
    pub fn check(&self, dir: &Path, watch: Watch<'_>) -> Result<Checkup, StoreError> {
        let lock = Arc::new(Lock::take(dir)?);
        swap::finish(dir)?;
        Ok(self.examine(&lock, dir, watch)?.0)
    }

    /// Checks a locked folder. Also returns the damage to repair.
    pub(super) fn examine(
        &self,
        lock: &Arc<Lock>,
        dir: &Path,
        watch: Watch<'_>,
    ) -> Result<(Checkup, Damage), StoreError> {
        let mut findings = Findings::default();
        let has_mark = HighWaterMark::is_in(dir);
        readable(dir, || self.examine_parts(dir, &mut findings, watch))?;
        let Findings {
            mut checkup,
            damage,
            unknown,
            ..
        } = findings;
        for (source, block) in unknown {
            let problem = format!("source {source} of a record has no document");
            checkup.fault(DamagedPart::Block(block), problem);
        }
        if damage.is_none() {
            match Store::open_locked(lock, dir, self.encodings) {
                Ok(store) => {
                    if !has_mark && store.cursor() > 0 {
                        checkup.fault(DamagedPart::Store, NO_MARK.to_owned());
                    }
                    self.compare(&store, &mut checkup, watch)?;
                }
                Err(StoreError::Corrupt(problem)) => checkup.fault(DamagedPart::Store, problem),
                Err(error) => return Err(error),
            }
        }
        Ok((checkup, damage))
    }

    /// Checks each block and document by itself.
    fn examine_parts(
        &self,
        dir: &Path,
        findings: &mut Findings,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let db = Database::open(dir)?;
        open::settle_meta(&db, self.encodings)?;
        self.examine_documents(&db.documents, findings)?;
        let (mut last, _) = HighWaterMark::open(dir)?.read().unwrap_or_default();
        if let Ok(Some(entry)) = db.blocks.last() {
            last = last.max(numbered(Ok(entry))?.0);
        }
        each_block(&db.blocks, last, "checking", watch, |number, bytes| {
            match bytes {
                Ok(bytes) => self.examine_block(number, &bytes, findings),
                Err(problem) => {
                    let problem = format!("it cannot be read: {problem}");
                    findings.checkup.fault(DamagedPart::Block(number), problem);
                    findings.damage.has_unreadable = true;
                }
            }
            Ok(())
        })
    }

    fn examine_block(&self, number: u64, bytes: &[u8], findings: &mut Findings) {
        let checkup = &mut findings.checkup;
        checkup.blocks += 1;
        let mut records = Batch::default();
        let pushed = records.push_block(bytes, |source| source);
        checkup.records += records.len() as u64;
        let mut problem = pushed.err().map(|problem| problem.to_string());
        for record in records.iter() {
            if let Err(error) = self.records.check(record.key, record.value) {
                let about = self.records.describe_key(record.key);
                problem = Some(format!("{error} (the record {about})"));
                break;
            }
            let source = number_of(record.source);
            if !findings.known.contains(&source) {
                findings.unknown.entry(source).or_insert(number);
            }
        }
        if let Some(problem) = problem {
            checkup.fault(DamagedPart::Block(number), problem);
            findings.damage.blocks.push(number);
        }
    }

    fn examine_documents(
        &self,
        documents: &sled::Tree,
        findings: &mut Findings,
    ) -> Result<(), StoreError> {
        let checkup = &mut findings.checkup;
        findings.known.insert(OWN);
        for entry in documents {
            let (name, bytes) = entry?;
            checkup.documents += 1;
            let Ok(name) = std::str::from_utf8(&name) else {
                let name = String::from_utf8_lossy(&name).into_owned();
                checkup.fault(
                    DamagedPart::Document(name),
                    "its name is not UTF-8".to_owned(),
                );
                continue;
            };
            let problem = if name.starts_with(sources::PREFIX) {
                let read = sources::read(name, &bytes);
                read.map(|(number, _)| findings.known.extend([number]))
            } else if name.starts_with(RESULTS) {
                match (self.results)(name, None, &bytes) {
                    Ok(_) => Ok(()),
                    Err(ResultRefused::Malformed(problem)) => Err(problem),
                    Err(ResultRefused::Contradiction { new: (_, new), .. }) => Err(new),
                }
            } else {
                Ok(())
            };
            if let Err(problem) = problem {
                checkup.fault(DamagedPart::Document(name.to_owned()), problem);
                findings.damage.documents.push(name.to_owned());
            }
        }
        if documents.contains_key(documents::REPAIR)? {
            let problem = "a repair was begun and did not finish: repeat it";
            checkup.fault(DamagedPart::Store, problem.to_owned());
        }
        Ok(())
    }

    /// Compares the blocks with the index and with each other. The index is right if it has the entries of
    /// all blocks and no others: then their digests have the same sum. Only keys with several entries are
    /// looked up.
    fn compare(
        &self,
        store: &Store,
        checkup: &mut Checkup,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let (superseded, entries) = {
            let content = store.content();
            (content.superseded(), content.index.snapshot())
        };
        let sum = entries.clone().digest()?;
        let repeated = entries.repeated(superseded)?;
        let (mut newest, mut digests) = (0, 0u128);
        let mut records = Batch::default();
        for entry in store.blocks_after(0) {
            let (number, bytes) = entry?;
            proceed(watch, "comparing", number, store.cursor())?;
            records.clear();
            records.push_stored(number, &bytes)?;
            for record in records.iter() {
                let hash = KeyHash::of(record.key);
                let entry = Entry {
                    hash,
                    block: number,
                };
                digests = digests.wrapping_add(entry.digest());
            }
            let all = records.iter();
            let (open, alone): (Vec<_>, Vec<_>) = all.partition(|r| repeated.may_have(r.key));
            let mut keys: Vec<_> = open.iter().map(|r| Sought::new(r.key)).collect();
            index::find_all(&store.inner.db.blocks, &store.content(), &mut keys)?;
            newest += alone.len() + keys.iter().filter(|sought| sought.is_in(number)).count();
            let mut problems = open.iter().zip(keys).filter_map(|(record, sought)| {
                let about = || self.records.describe_key(record.key);
                let Some((block, stored)) = sought.found else {
                    return Some(format!("the index does not know {}", about()));
                };
                let after = self.records.merge(record.key, record.value, stored.value);
                let agrees = block >= number && after == Some(stored.value);
                let [there, here] = [record.value, stored.value];
                (!agrees).then(|| {
                    let about = about();
                    format!("{about} has value {there} there, and {here} in block {block}")
                })
            });
            if let Some(problem) = problems.next() {
                checkup.fault(DamagedPart::Block(number), problem);
            }
        }
        if digests != sum {
            let problem = "its index is not that of its blocks: remove the folder `index`, \
                           which is made anew when the store is opened";
            checkup.fault(DamagedPart::Store, problem.to_owned());
        }
        if newest != store.len() {
            let problem = format!("its index has {} keys, its blocks {newest}", store.len());
            checkup.fault(DamagedPart::Store, problem);
        }
        Ok(())
    }
}

impl Checkup {
    fn fault(&mut self, of: DamagedPart, problem: String) {
        self.count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { of, problem });
        }
    }
}
