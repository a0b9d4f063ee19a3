//! The observations of the cluster, and the properties that must hold at all times.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sproutnet_proto::v1;
use sproutnet_solver::play::merge;
use sproutnet_store::{Store, StoreError};

use crate::positions::Root;

/// A violated property, described by the text.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Violation(String);

impl From<StoreError> for Violation {
    fn from(error: StoreError) -> Self {
        Self(error.to_string())
    }
}

/// The result of a check.
pub(crate) type Verdict = Result<(), Violation>;

/// A violation with this description.
pub(crate) fn violation(text: impl Into<String>) -> Violation {
    Violation(text.into())
}

/// Records by their keys.
type Records = BTreeMap<Box<[u8]>, u64>;

/// All observations of one run.
pub(crate) struct Witness {
    roots: Vec<Root>,
    /// The root of each computation by its number, and whether it was seen solved.
    computations: BTreeMap<u64, (Root, bool)>,
    /// The roots whose results were seen.
    results: Vec<Root>,
    /// The records in the coordinator's store, among them all acknowledged ones.
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

    /// Checks that a number always belongs to the same root.
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

    /// Checks that no known computation is missing from a list, and that none went back.
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

    /// Checks that a computation has the right outcome or none, and stays solved.
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
        if is_solved {
            self.answered(root, progress.outcome, progress.nimber)
        } else {
            Ok(())
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

    /// All roots to solve.
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

    /// The numbers of the computations that were not seen solved.
    pub(crate) fn open(&self) -> Vec<u64> {
        let open = self.computations.iter().filter(|(_, (_, solved))| !solved);
        open.map(|(&id, _)| id).collect()
    }

    /// Checks that all leased jobs have ended or are out.
    pub(crate) fn counted(fleet: &v1::FleetResponse) -> Verdict {
        let out: u64 = fleet.workers.iter().map(|w| u64::from(w.jobs)).sum();
        if fleet.leased == fleet.finished + fleet.expired + fleet.released + out {
            return Ok(());
        }
        Err(violation(format!("jobs do not add up: {fleet:?}")))
    }

    /// Remembers the records in a coordinator's store: they must survive a kill.
    pub(crate) fn remember(&mut self, store: &Store) -> Verdict {
        for record in store.iter() {
            let record = record?.record;
            self.records.insert(record.key, record.value);
        }
        Ok(())
    }

    /// Checks that all remembered records are in the coordinator's store.
    pub(crate) fn found_in(&self, store: &Store) -> Verdict {
        let mut records = self.records.iter();
        records.try_for_each(|(key, &value)| is_in(store, key, value))
    }
}

/// Checks that a store includes a record.
pub(crate) fn is_in(store: &Store, key: &[u8], value: u64) -> Verdict {
    let stored = store.get(key)?.map(|stored| stored.value);
    let covers = |known| merge(key, known, value).is_ok_and(|merged| merged == known);
    if stored.is_some_and(covers) {
        return Ok(());
    }
    let problem = format!("the record {key:02x?} is {value}, the coordinator has {stored:?}");
    Err(violation(problem))
}

/// The facts of all runs of this process. They do not depend on the run.
static FACTS: Mutex<Records> = Mutex::new(Records::new());

/// Checks that the records of a run do not contradict those of other runs.
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
