//! What was seen of the cluster, and what must be true of it at any time.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sproutnet_proto::v1;
use sproutnet_solver::play::merge;
use sproutnet_store::{Store, StoreError};

use crate::positions::Root;

/// Something that must not be; the text says what.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Violation(String);

impl From<StoreError> for Violation {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

/// Nothing, or what must not be.
pub(crate) type Verdict = Result<(), Violation>;

/// Says that something must not be.
pub(crate) fn violation(text: impl Into<String>) -> Violation {
    Violation(text.into())
}

/// Records by their keys.
type Records = BTreeMap<Box<[u8]>, u64>;

/// All that was seen in one run.
pub(crate) struct Witness {
    roots: Vec<Root>,
    /// What was asked under each number, and whether it was seen solved.
    computations: BTreeMap<u64, (Root, bool)>,
    /// The roots whose results were seen.
    results: Vec<Root>,
    /// What the coordinator showed: what it acknowledged, and more.
    records: Records,
}

impl Witness {
    pub(crate) fn new(roots: Vec<Root>) -> Self {
        Self {
            roots,
            computations: BTreeMap::new(),
            results: Vec::new(),
            records: Records::new(),
        }
    }

    /// A computation has that number and no other.
    pub(crate) fn named(&mut self, id: u64, canonical: &str, play: i32) -> Verdict {
        let is_it = |root: &&Root| (root.text, i32::from(root.play)) == (canonical, play);
        let root = self.roots.iter().find(is_it);
        let root = root.ok_or_else(|| violation(format!("nobody asked for {canonical}")))?;
        let (known, _) = self.computations.entry(id).or_insert((*root, false));
        if known == root {
            return Ok(());
        }
        Err(violation(format!("number {id} was {known:?}, is {root:?}")))
    }

    /// Of the computations that were listed none is missing, and all are as they were or further.
    pub(crate) fn listed(&mut self, listed: &[v1::Computation]) -> Verdict {
        let is_listed = |id| listed.iter().any(|listed| listed.computation == id);
        if let Some((id, seen)) = self.computations.iter().find(|(id, _)| !is_listed(**id)) {
            return Err(violation(format!("computation {id} is gone: {seen:?}")));
        }
        for computation in listed {
            let id = computation.computation;
            self.named(id, &computation.canonical, computation.play)?;
            let progress = computation.progress.as_ref();
            self.progressed(id, progress.ok_or_else(|| violation("no progress"))?)?;
        }
        Ok(())
    }

    /// A computation is solved with the right outcome or has none, and stays solved.
    pub(crate) fn progressed(&mut self, id: u64, progress: &v1::Progress) -> Verdict {
        let known = self.computations.get_mut(&id);
        let (root, was_solved) = known.ok_or_else(|| violation(format!("there is no {id}")))?;
        let is_solved = progress.status() == v1::Status::Solved;
        let has_outcome = progress.outcome() != v1::Outcome::Unspecified;
        if *was_solved && !is_solved || is_solved != has_outcome {
            return Err(violation(format!("{id} is {progress:?}")));
        }
        *was_solved = is_solved;
        let root = *root;
        match is_solved {
            true => self.answered(root, progress.outcome, progress.nimber),
            false => Ok(()),
        }
    }

    /// Checks an outcome that the coordinator reported.
    pub(crate) fn answered(&mut self, root: Root, outcome: i32, nimber: Option<u32>) -> Verdict {
        if !root.allows(outcome, nimber) {
            return Err(violation(format!(
                "{root:?}: answered {outcome}, {nimber:?}"
            )));
        }
        if !self.results.contains(&root) {
            self.results.push(root);
        }
        Ok(())
    }

    /// All that was asked for.
    pub(crate) fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The roots whose results were seen.
    pub(crate) fn results(&self) -> &[Root] {
        &self.results
    }

    /// The numbers of all computations that were seen.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.computations.keys().copied().collect()
    }

    /// The numbers of those that were not seen solved.
    pub(crate) fn open(&self) -> Vec<u64> {
        let open = self.computations.iter().filter(|(_, (_, solved))| !solved);
        open.map(|(&id, _)| id).collect()
    }

    /// The jobs that were leased have ended in one way or are out.
    pub(crate) fn counted(fleet: &v1::FleetResponse) -> Verdict {
        let out: u64 = fleet.workers.iter().map(|w| u64::from(w.jobs)).sum();
        if fleet.leased == fleet.finished + fleet.expired + fleet.released + out {
            return Ok(());
        }
        Err(violation(format!("jobs do not add up: {fleet:?}")))
    }

    /// What a coordinator shows now must be there after it is killed: among it is all that it
    /// acknowledged.
    pub(crate) fn remember(&mut self, store: &Store) -> Verdict {
        for record in store.iter() {
            let record = record?.record;
            self.records.insert(record.key, record.value);
        }
        Ok(())
    }

    /// All that was ever shown is in the coordinator's store.
    pub(crate) fn found_in(&self, store: &Store) -> Verdict {
        let mut records = self.records.iter();
        records.try_for_each(|(key, &value)| is_in(store, key, value))
    }
}

/// A store knows a record, or more.
pub(crate) fn is_in(store: &Store, key: &[u8], value: u64) -> Verdict {
    let stored = store.get(key)?.map(|stored| stored.value);
    let covers = |known| merge(key, known, value).is_ok_and(|merged| merged == known);
    if stored.is_some_and(covers) {
        return Ok(());
    }
    let problem = format!("the record {key:02x?} is {value}, the coordinator has {stored:?}");
    Err(violation(problem))
}

/// What all runs of this process found together: facts do not depend on the run.
static FACTS: Mutex<Records> = Mutex::new(Records::new());

/// What a run found fits with what the others did.
pub(crate) fn compare(store: &Store) -> Verdict {
    let mut facts = FACTS.lock().unwrap_or_else(PoisonError::into_inner);
    for record in store.iter() {
        let record = record?.record;
        let known = facts.get(&record.key).copied().unwrap_or(record.value);
        let merged = merge(&record.key, known, record.value);
        let merged = merged.map_err(|error| violation(format!("between runs: {error}")))?;
        facts.insert(record.key, merged);
    }
    Ok(())
}
