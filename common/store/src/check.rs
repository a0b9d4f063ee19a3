//! Reading all of a store to find out whether it is sound.

use super::{
    Batch, Step, Store, StoreError, Watch,
    lock::Lock,
    lookup::{self, Sought},
    mark::Mark,
    number_of,
    open::{self, open_database, readable},
    repair::{self, Damage},
    sources, swap,
    travel::{RESULTS, ResultRefused, ResultRule},
};
use sproutnet_record::RecordRules;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    sync::Arc,
};

/// More faults than that are only counted.
const MOST_TOLD: usize = 1_000;

/// What a store was found to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkup {
    /// Blocks that were read.
    pub blocks: u64,
    /// Records in them, superseded ones included.
    pub records: u64,
    /// Documents that were read.
    pub documents: u64,
    /// What is wrong; of very many faults the first.
    pub faults: Vec<Fault>,
    /// How many faults there are.
    pub count: u64,
}

/// Something wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is about.
    pub of: Faulty,
    /// What is wrong with it.
    pub problem: String,
}

/// What a fault is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Faulty {
    /// The block with that number.
    Block(u64),
    /// The document of that name.
    Document(String),
    /// All of it.
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

/// By what a store is judged.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The names and versions of the canonical encodings of keys.
    pub encodings: &'a [(&'a str, u32)],
    /// Tells which records there can be.
    pub records: &'a dyn RecordRules,
    /// Tells which results there can be.
    pub results: ResultRule<'a>,
}

impl Rules<'_> {
    /// Reads all blocks and documents of the store in `dir`, which nobody else may have open, and
    /// looks whether they agree. `None` if it was stopped.
    ///
    /// # Errors
    /// As [`Store::open`], except that what is damaged inside is a [`Fault`].
    pub fn check(&self, dir: &Path, watch: Watch<'_>) -> Result<Option<Checkup>, StoreError> {
        let lock = Arc::new(Lock::take(dir)?);
        swap::finish(dir)?;
        Ok(self.examine(&lock, dir, watch)?.map(|(checkup, _)| checkup))
    }

    /// The same in a folder that is locked; also what would have to be mended.
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

    /// Each block and document by itself.
    fn examine_parts(
        &self,
        dir: &Path,
        examined: &mut Examined,
        watch: Watch<'_>,
    ) -> Result<bool, StoreError> {
        let db = open_database(dir)?;
        let [meta, blocks, documents] =
            ["meta", "blocks", "documents"].map(|tree| db.open_tree(tree));
        open::settle_meta(&meta?, self.encodings)?;
        let (blocks, documents) = (blocks?, documents?);
        self.examine_documents(&documents, examined)?;
        let (noted, _) = Mark::open(dir)?.read().unwrap_or_default();
        let last = blocks.last().ok().flatten();
        let last = last
            .map_or(Ok(0), |(key, _)| super::block_number(&key))?
            .max(noted);
        let mut next = 0u64;
        let mut entries = blocks.range(next.to_be_bytes()..);
        while let Some(entry) = entries.next() {
            let step = Step {
                what: "checking",
                done: next,
                of: last,
            };
            if watch(step).is_break() {
                return Ok(false);
            }
            match entry {
                Ok((key, bytes)) => {
                    let number = super::block_number(&key)?;
                    self.examine_block(number, &bytes, examined);
                    next = number + 1;
                }
                Err(error) => {
                    examined.unreadable(next, &error);
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
        let Examined {
            checkup,
            damage,
            sources,
            known,
        } = examined;
        checkup.blocks += 1;
        let mut records = Batch::default();
        let mut problem = match records.push_block(bytes, |source| source) {
            Ok(count) => {
                checkup.records += count as u64;
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
            if !known.contains(&source) {
                sources.entry(source).or_insert(number);
            }
        }
        if let Some(problem) = problem {
            checkup.fault(Faulty::Block(number), problem);
            damage.blocks.push(number);
        }
    }

    fn examine_documents(
        &self,
        documents: &sled::Tree,
        examined: &mut Examined,
    ) -> Result<(), StoreError> {
        examined.known.insert(super::OWN);
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
                    Err(ResultRefused::Contradiction { new: (_, told), .. }) => Err(told),
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
            let problem = "a repair was begun and did not end: repeat it";
            examined.checkup.fault(Faulty::Store, problem.to_owned());
        }
        Ok(())
    }

    /// Whether the index agrees with the blocks, and the blocks with each other and with the mark;
    /// false if it was stopped.
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
            let step = Step {
                what: "comparing",
                done: number,
                of: store.cursor(),
            };
            if watch(step).is_break() {
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

    /// Whether what is known of the keys of a block says what the block does, or more. How many of
    /// its records are the newest of their keys.
    fn agree(
        &self,
        store: &Store,
        number: u64,
        bytes: &[u8],
    ) -> Result<Result<u64, String>, StoreError> {
        let mut records = Batch::default();
        let pushed = records.push_block(bytes, |source| source);
        pushed.map_err(|reason| StoreError::CorruptBlock { number, reason })?;
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

/// What was found so far.
#[derive(Default)]
struct Examined {
    checkup: Checkup,
    damage: Damage,
    /// The sources that have a document.
    known: BTreeSet<u32>,
    /// The sources that have none, and the first block that names them.
    sources: BTreeMap<u32, u64>,
}

impl Examined {
    fn unreadable(&mut self, number: u64, error: &sled::Error) {
        self.checkup
            .fault(Faulty::Block(number), format!("it cannot be read: {error}"));
        self.damage.has_unreadable = true;
    }
}

impl Checkup {
    pub(super) fn fault(&mut self, of: Faulty, problem: String) {
        self.count += 1;
        if self.faults.len() < MOST_TOLD {
            self.faults.push(Fault { of, problem });
        }
    }
}
