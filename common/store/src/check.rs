//! Checking a store by reading all of it.

use super::{
    Batch, OWN, Store, StoreError, Watch,
    high_water_mark::HighWaterMark,
    lock::Lock,
    lookup::{self, Sought},
    number_of, numbered,
    open::{self, open_database, open_trees, readable},
    repair::{self, Damage},
    sources, swap,
    transfer::{RESULTS, ResultRefused, ResultRule},
    watch::is_stopped,
};
use sproutnet_record::RecordRules;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    sync::Arc,
};

/// The maximum number of faults that are listed.
const MAX_FAULTS: usize = 1_000;

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub count: u64,
}

/// A fault of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The faulty part.
    pub of: Faulty,
    /// What is wrong.
    pub problem: String,
}

/// A part of a store that can be faulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faulty {
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
            Faulty::Block(number) => write!(f, "block {number}: {}", self.problem),
            Faulty::Document(name) => write!(f, "document {name}: {}", self.problem),
            Faulty::Store => f.write_str(&self.problem),
        }
    }
}

/// The rules that a store is checked against.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The names and versions of the canonical encodings of keys.
    pub encodings: &'a [(&'a str, u32)],
    /// Which records are possible.
    pub records: &'a dyn RecordRules,
    /// Which results are possible.
    pub results: ResultRule<'a>,
}

impl Rules<'_> {
    /// Reads all blocks and documents of the store in `dir`, which must not be open, and compares them.
    /// `None` if it was stopped.
    ///
    /// # Errors
    /// As [`Store::open`], except that damage inside the store is a [`Fault`].
    pub fn check(&self, dir: &Path, watch: Watch<'_>) -> Result<Option<Checkup>, StoreError> {
        let lock = Arc::new(Lock::take(dir)?);
        swap::finish(dir)?;
        Ok(self.examine(&lock, dir, watch)?.map(|(checkup, _)| checkup))
    }

    /// Checks a locked folder. Also returns what needs repair.
    pub(super) fn examine(
        &self,
        lock: &Arc<Lock>,
        dir: &Path,
        watch: Watch<'_>,
    ) -> Result<Option<(Checkup, Damage)>, StoreError> {
        let mut examined = Examined::default();
        let is_through = readable(dir, || self.examine_parts(dir, &mut examined, watch))?;
        if !is_through {
            return Ok(None);
        }
        let Examined {
            mut checkup,
            damage,
            sources,
            ..
        } = examined;
        for (source, block) in sources {
            checkup.fault(
                Faulty::Block(block),
                format!("source {source} of a record has no document"),
            );
        }
        if damage.is_none() && !self.examine_whole(lock, dir, &mut checkup, watch)? {
            return Ok(None);
        }
        Ok(Some((checkup, damage)))
    }

    /// Checks each block and document by itself; false if it was stopped.
    fn examine_parts(
        &self,
        dir: &Path,
        examined: &mut Examined,
        watch: Watch<'_>,
    ) -> Result<bool, StoreError> {
        let db = open_database(dir)?;
        let [meta, blocks, documents] = open_trees(&db)?;
        open::settle_meta(&meta, self.encodings)?;
        self.examine_documents(&documents, examined)?;
        let (noted, _) = HighWaterMark::open(dir)?.read().unwrap_or_default();
        let last = match blocks.last() {
            Ok(Some(entry)) => numbered(Ok(entry))?.0.max(noted),
            _ => noted,
        };
        let mut next = 0u64;
        let mut entries = blocks.range(next.to_be_bytes()..);
        while let Some(entry) = entries.next() {
            if is_stopped(watch, "checking", next, last) {
                return Ok(false);
            }
            match entry {
                Ok(entry) => {
                    let (number, bytes) = numbered(Ok(entry))?;
                    self.examine_block(number, &bytes, examined);
                    next = number + 1;
                }
                Err(error) => {
                    let problem = format!("it cannot be read: {error}");
                    examined.checkup.fault(Faulty::Block(next), problem);
                    examined.damage.has_unreadable = true;
                    next += 1;
                    if next > last {
                        break;
                    }
                    entries = blocks.range(next.to_be_bytes()..);
                }
            }
        }
        Ok(true)
    }

    fn examine_block(&self, number: u64, bytes: &[u8], examined: &mut Examined) {
        examined.checkup.blocks += 1;
        let mut records = Batch::default();
        let mut problem = match records.push_block(bytes, |source| source) {
            Ok(count) => {
                examined.checkup.records += count as u64;
                None
            }
            Err(problem) => Some(problem.to_string()),
        };
        for record in records.iter() {
            if let Err(error) = self.records.check(record.key, record.value) {
                let about = self.records.describe_key(record.key);
                problem = Some(format!("{error} (the record {about})"));
                break;
            }
            let source = number_of(record.source);
            if !examined.known.contains(&source) {
                examined.sources.entry(source).or_insert(number);
            }
        }
        if let Some(problem) = problem {
            examined.checkup.fault(Faulty::Block(number), problem);
            examined.damage.blocks.push(number);
        }
    }

    fn examine_documents(
        &self,
        documents: &sled::Tree,
        examined: &mut Examined,
    ) -> Result<(), StoreError> {
        examined.known.insert(OWN);
        for entry in documents {
            let (name, bytes) = entry?;
            let checkup = &mut examined.checkup;
            checkup.documents += 1;
            let Ok(name) = std::str::from_utf8(&name) else {
                let name = String::from_utf8_lossy(&name).into_owned();
                checkup.fault(Faulty::Document(name), "its name is not UTF-8".to_owned());
                continue;
            };
            let problem = if name.starts_with(sources::PREFIX) {
                let read = sources::read(name, &bytes);
                read.map(|(number, _)| {
                    examined.known.insert(number);
                })
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
                checkup.fault(Faulty::Document(name.to_owned()), problem);
                examined.damage.documents.push(name.to_owned());
            }
        }
        if documents.contains_key(repair::UNDER_WAY)? {
            let problem = "a repair was begun and did not finish: repeat it";
            examined.checkup.fault(Faulty::Store, problem.to_owned());
        }
        Ok(())
    }

    /// Compares the blocks with the index, with each other and with the high-water mark; false if it
    /// was stopped.
    fn examine_whole(
        &self,
        lock: &Arc<Lock>,
        dir: &Path,
        checkup: &mut Checkup,
        watch: Watch<'_>,
    ) -> Result<bool, StoreError> {
        let store = match Store::open_locked(lock, dir, self.encodings) {
            Ok(store) => store,
            Err(StoreError::Corrupt(problem)) => {
                checkup.fault(Faulty::Store, problem);
                return Ok(true);
            }
            Err(error) => return Err(error),
        };
        let mut newest = 0;
        for entry in store.blocks_after(0) {
            let (number, bytes) = entry?;
            if is_stopped(watch, "comparing", number, store.cursor()) {
                return Ok(false);
            }
            match self.agree(&store, number, &bytes)? {
                Ok(count) => newest += count,
                Err(problem) => checkup.fault(Faulty::Block(number), problem),
            }
        }
        if newest != store.len() as u64 {
            let problem = format!("its index has {} keys, its blocks {newest}", store.len());
            checkup.fault(Faulty::Store, problem);
        }
        Ok(true)
    }

    /// Compares a block with the newest values of its keys. Returns how many of its records are the
    /// newest, or a problem.
    fn agree(
        &self,
        store: &Store,
        number: u64,
        bytes: &[u8],
    ) -> Result<Result<u64, String>, StoreError> {
        let mut records = Batch::default();
        records.push_stored(number, bytes)?;
        let mut keys: Vec<_> = records.iter().map(|r| Sought::new(r.key)).collect();
        lookup::find_all(&store.inner.blocks, &store.content(), &mut keys)?;
        let mut newest = 0;
        for (record, Sought { key, found, .. }) in records.iter().zip(keys) {
            let Some((block, stored)) = found else {
                let about = self.records.describe_key(key);
                return Ok(Err(format!("the index does not know {about}")));
            };
            newest += u64::from(block == number);
            let after = self.records.merge(key, record.value, stored.value);
            if block < number || after != Some(stored.value) {
                let about = self.records.describe_key(key);
                return Ok(Err(format!(
                    "{about} has value {} there, and {} in block {block}",
                    record.value, stored.value
                )));
            }
        }
        Ok(Ok(newest))
    }
}

/// The findings so far.
#[derive(Default)]
struct Examined {
    checkup: Checkup,
    damage: Damage,
    /// The sources that have a document.
    known: BTreeSet<u32>,
    /// The sources without a document, and the first block that names each.
    sources: BTreeMap<u32, u64>,
}

impl Checkup {
    fn fault(&mut self, of: Faulty, problem: String) {
        self.count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { of, problem });
        }
    }
}
