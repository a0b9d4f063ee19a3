//! The choice of jobs by a coordinator: the states that a thread of a team would search next.
//!
//! A thread descends from the root to the most-proving child, again and again, and remembers on its way which numbers
//! make another child better. The coordinator does the same over the numbers from workers, with the same choice, limits
//! and virtual loss, down to the lowest state that still takes a job's worth of work. That state is the job. The states
//! below it are the worker's: it steps through small children by itself.
//!
//! Several workers may have the same state as a job; they search it like the threads of a team.
//!
//! **Invariant:** nothing here proves anything. A state is solved only if [`ProvedOutcomes::resolve`] says so, or by
//! its children, or by a report of its own search.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::dfpn::{self, Children};
use super::steering::{self, SumRule};
use super::virtual_loss::Threads;
use super::{Entries, Entry, Numbers, Table};
#[cfg(doc)]
use crate::play::ProvedOutcomes;
use crate::play::{Convention, Outcome, State};

/// A job of one [`Descent`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(u64);

/// A state to search until a number reaches its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The job.
    pub id: JobId,
    /// The canonical bytes of its state.
    pub state: Vec<u8>,
    /// The numbers at which another state becomes better.
    pub limit: Numbers,
}

/// The result of searching a job's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The outcome of the state.
    Solved(Outcome),
    /// The state is still open.
    Open {
        /// Its numbers.
        numbers: Numbers,
        /// The number of visits of the search.
        visits: u64,
        /// The numbers of its visited children.
        children: Vec<Entry>,
    },
}

impl Found {
    /// The result in the table of a search that was stopped after `visits` visits. Lists no children if `stop` became
    /// true.
    pub fn of<C: Convention>(
        convention: &C,
        table: &Table,
        mut state: State<C::Value>,
        visits: u64,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let numbers = dfpn::numbers_of(convention, table, &mut state);
        if let Some(outcome) = numbers.outcome() {
            return Self::Solved(outcome);
        }
        let mut children = Vec::new();
        let mut list = |state: &State<C::Value>| {
            let key = convention.key(state);
            let (numbers, work) = (table.get(key), table.work(key));
            children.extend(numbers.map(|numbers| Entry {
                key: key as u64,
                numbers,
                work,
            }));
        };
        if convention.parts(&state).is_none()
            && let Some(Children::Open(open)) = dfpn::children(convention, &state, stop)
        {
            for child in open {
                match convention.parts(&child) {
                    Some(parts) => parts.iter().for_each(&mut list),
                    None => list(&child),
                }
            }
        }
        Self::Open {
            numbers,
            visits,
            children,
        }
    }
}

/// An open child of the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch<V> {
    /// Its state.
    pub state: State<V>,
    /// Its numbers, for the player to move there.
    pub numbers: Numbers,
    /// The number of jobs at the child or below it.
    pub jobs: usize,
}

/// The states below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches<V> {
    /// The open children, the hardest first: by descending lesser number.
    pub open: Vec<Branch<V>>,
    /// Whether the children are parts, which must all be solved, and not moves.
    pub are_parts: bool,
}

/// The upper part of one root's tree, and its open jobs.
pub struct Descent<C: Convention> {
    convention: Arc<C>,
    root: State<C::Value>,
    numbers: Numbers,
    /// The states from the root to each job.
    out: BTreeMap<JobId, Vec<Step<C::Value>>>,
    /// The keys of states that a job solved, but not here: no fact told of the outcome.
    untold: HashSet<u128, FxBuildHasher>,
    next: u64,
}

/// A state on the way to a job. A state with parts has no numbers of its own.
#[derive(Clone, Debug)]
struct Step<V> {
    state: State<V>,
    key: u128,
}

/// The states directly below a state.
enum Below<V> {
    Solved(Outcome),
    /// A sum: its parts. All but the last must be solved first.
    Parts(Vec<State<V>>),
    /// Its open children.
    Choice(Vec<Child<V>>),
}

struct Child<V> {
    state: State<V>,
    key: u128,
    numbers: Numbers,
    work: u64,
}

impl<C: Convention> Descent<C> {
    /// A descent without jobs.
    pub fn new(convention: Arc<C>, root: State<C::Value>, entries: &Entries) -> Self {
        let mut descent = Self {
            convention,
            root,
            numbers: Numbers::UNLIMITED,
            out: BTreeMap::new(),
            untold: HashSet::default(),
            next: 0,
        };
        descent.numbers = descent.numbers_of(&mut descent.root.clone(), entries);
        descent
    }

    /// The root's numbers.
    pub fn root(&self) -> Numbers {
        self.numbers
    }

    /// Gives out the job that a thread of a team would choose. Children that took less work than `least` do not become
    /// jobs. `None` if the root is solved.
    pub fn next(&mut self, entries: &mut Entries, least: u64) -> Option<Job> {
        let here = self.jobs_by_state();
        let (way, limit, bytes) = 'descent: loop {
            let mut way: Vec<Step<C::Value>> = Vec::new();
            let mut state = self.root.clone();
            let mut limit = Numbers::UNLIMITED;
            loop {
                if let Some(outcome) = self.convention.resolve(&mut state) {
                    if way.is_empty() {
                        self.numbers = Numbers::solved(outcome);
                        return None;
                    }
                    continue 'descent;
                }
                let key = self.convention.key(&state);
                let bytes = if self.is_divided(&state, key) {
                    None
                } else {
                    state.encode(&*self.convention)
                };
                if let Some(bytes) = &bytes
                    && entries.work(key) < least
                {
                    way.push(Step { state, key });
                    break 'descent (way, limit, bytes.clone());
                }
                let next = match self.below(&state, entries) {
                    Below::Solved(outcome) => {
                        self.convention.settle(&state, outcome);
                        continue 'descent;
                    }
                    Below::Parts(mut parts) => {
                        let sum = self.sum_of(&mut parts, entries);
                        let slack =
                            slack(limit.proof, sum.proof).min(slack(limit.disproof, sum.disproof));
                        let mut first = parts.swap_remove(0);
                        let now = self.numbers_of(&mut first, entries);
                        let limit = Numbers {
                            proof: Numbers::INFINITE,
                            disproof: Numbers::add(now.disproof, slack),
                        };
                        Some((first, limit))
                    }
                    Below::Choice(children) => {
                        let numbers =
                            Numbers::of_children(children.iter().map(|child| child.numbers));
                        set(key, numbers, entries);
                        let (best, second) = most_proving(&children, numbers, &here);
                        let child = &children[best];
                        let is_small = bytes.is_some() && child.work < least;
                        (!is_small).then(|| {
                            let more =
                                |number| steering::patience(self.convention.switches(), number);
                            let slack = slack(limit.disproof, numbers.disproof);
                            let limit = Numbers {
                                proof: Numbers::add(child.numbers.proof, slack),
                                disproof: limit
                                    .proof
                                    .min(more(second))
                                    .max(more(child.numbers.disproof)),
                            };
                            (child.state.clone(), limit)
                        })
                    }
                };
                way.push(Step {
                    state: state.clone(),
                    key,
                });
                match (next, bytes) {
                    (Some((child, below)), _) => (state, limit) = (child, below),
                    (None, Some(bytes)) => break 'descent (way, limit, bytes),
                    // A job is always an encodable state.
                    (None, None) => unreachable!("a state that cannot be written is passed"),
                }
            }
        };
        let id = JobId(self.next);
        self.next += 1;
        self.out.insert(id, way);
        Some(Job {
            id,
            state: bytes,
            limit,
        })
    }

    /// Records the result of a job. Ignored if the job is no longer out.
    pub fn report(&mut self, job: JobId, found: Found, entries: &mut Entries) {
        let Some(mut way) = self.out.remove(&job) else {
            return;
        };
        let Some(Step { state, key }) = way.pop() else {
            return;
        };
        match found {
            Found::Solved(outcome) => {
                self.convention.settle(&state, outcome);
                if self.convention.resolve(&mut state.clone()).is_none() {
                    self.untold.insert(key);
                }
            }
            Found::Open {
                numbers,
                visits,
                children,
            } => {
                for child in children {
                    entries.hear(child);
                }
                let entry = Entry {
                    key: key as u64,
                    numbers,
                    work: visits.max(1),
                };
                if entry.is_sound() {
                    entries.set(entry);
                }
            }
        }
        self.renew(&way, entries);
    }

    /// Takes a job back without a result.
    pub fn withdraw(&mut self, job: JobId) {
        self.out.remove(&job);
    }

    /// The canonical bytes of the state of a job.
    pub fn state(&self, job: JobId) -> Option<Vec<u8>> {
        self.out.get(&job)?.last()?.state.encode(&*self.convention)
    }

    /// Whether the root may still depend on a job: no state on the way to it is known to be solved.
    pub fn is_wanted(&self, job: JobId) -> bool {
        let is_solved = |step: &Step<C::Value>| {
            let mut state = step.state.clone();
            self.convention.resolve(&mut state).is_some()
        };
        let way = self.out.get(&job);
        way.is_some_and(|way| !way.iter().any(is_solved))
    }

    /// The states directly below the root.
    pub fn branches(&self, entries: &Entries) -> Branches<C::Value> {
        let mut root = self.root.clone();
        let below = match self.convention.resolve(&mut root) {
            Some(outcome) => Below::Solved(outcome),
            None => self.below(&root, entries),
        };
        let root = self.convention.key(&root);
        let jobs = |key: u128| {
            let is_below = |way: &&Vec<Step<C::Value>>| {
                let next = way.iter().find(|step| step.key != root);
                next.is_some_and(|step| step.key == key)
            };
            self.out.values().filter(is_below).count()
        };
        let (mut open, are_parts) = match below {
            Below::Solved(_) => (Vec::new(), false),
            Below::Choice(children) => {
                let children = children.into_iter().map(|child| Branch {
                    numbers: child.numbers,
                    jobs: jobs(child.key),
                    state: child.state,
                });
                (children.collect(), false)
            }
            Below::Parts(mut parts) => {
                // The last part remains when the others are solved. A part that is alone is to be solved.
                if parts.len() > 1 {
                    parts.pop();
                }
                let parts = parts.into_iter().map(|mut part| Branch {
                    numbers: self.numbers_of(&mut part, entries),
                    jobs: jobs(self.convention.key(&part)),
                    state: part,
                });
                (parts.collect::<Vec<_>>(), true)
            }
        };
        open.sort_by_key(|branch| {
            let Numbers { proof, disproof } = branch.numbers;
            std::cmp::Reverse((proof.min(disproof), proof.max(disproof)))
        });
        Branches { open, are_parts }
    }

    /// Whether the parts of a resolved state become jobs, and not the state. A part alone is the next step to the
    /// outcome, so a worker may take the steps by itself, unless it did and the facts on the way did not arrive: then
    /// the outcome of each part has to.
    fn is_divided(&self, state: &State<C::Value>, key: u128) -> bool {
        let parts = self.convention.parts(state);
        parts.is_some_and(|parts| parts.len() > 1 || self.untold.contains(&key))
    }

    /// Updates the numbers on the way to a job, the lowest first.
    fn renew(&mut self, way: &[Step<C::Value>], entries: &mut Entries) {
        for Step { state, key } in way.iter().rev() {
            let mut state = state.clone();
            if self.convention.resolve(&mut state).is_some() {
                continue;
            }
            match self.below(&state, entries) {
                Below::Choice(children) => {
                    let numbers = Numbers::of_children(children.iter().map(|child| child.numbers));
                    set(*key, numbers, entries);
                }
                Below::Solved(outcome) => self.convention.settle(&state, outcome),
                Below::Parts(_) => {}
            }
        }
        self.numbers = self.numbers_of(&mut self.root.clone(), entries);
    }

    /// The states directly below a resolved state.
    fn below(&self, state: &State<C::Value>, entries: &Entries) -> Below<C::Value> {
        if let Some(parts) = self.convention.parts(state) {
            return Below::Parts(parts);
        }
        let Some(children) = dfpn::keyed_children(&*self.convention, state, &|| false) else {
            unreachable!("nothing stops it");
        };
        match children {
            Children::Decided(outcome) => Below::Solved(outcome),
            Children::Open(children) => {
                let child = |(key, mut state): (u128, State<C::Value>)| Child {
                    numbers: self.numbers_of(&mut state, entries),
                    work: self.work_of(&state, entries),
                    key,
                    state,
                };
                let mut children: Vec<_> = children.into_iter().map(child).collect();
                let is_lost = |child: &Child<_>| child.numbers.outcome() == Some(Outcome::Loss);
                if children.iter().any(is_lost) {
                    return Below::Solved(Outcome::Win);
                }
                children.retain(|child| child.numbers.outcome().is_none());
                if children.is_empty() {
                    Below::Solved(Outcome::Loss)
                } else {
                    Below::Choice(children)
                }
            }
        }
    }

    /// Resolves a state, and returns its known numbers.
    fn numbers_of(&self, state: &mut State<C::Value>, entries: &Entries) -> Numbers {
        if let Some(outcome) = self.convention.resolve(state) {
            return Numbers::solved(outcome);
        }
        match self.convention.parts(state) {
            Some(mut parts) => self.sum_of(&mut parts, entries),
            None => {
                let known = entries.get(self.convention.key(state));
                known.unwrap_or_else(|| steering::leaf(&*self.convention, state))
            }
        }
    }

    fn sum_of(&self, parts: &mut [State<C::Value>], entries: &Entries) -> Numbers {
        let rule = SumRule::of(self.convention.switches());
        dfpn::sum_of_parts(rule, parts, |part| self.numbers_of(part, entries))
    }

    /// The number of visits of a state, summed over its parts.
    fn work_of(&self, state: &State<C::Value>, entries: &Entries) -> u64 {
        match self.convention.parts(state) {
            Some(parts) => parts.iter().map(|part| self.work_of(part, entries)).sum(),
            None => entries.work(self.convention.key(state)),
        }
    }

    /// The number of jobs at each state or below it.
    fn jobs_by_state(&self) -> HashMap<u128, u32, FxBuildHasher> {
        let mut here = HashMap::default();
        for step in self.out.values().flatten() {
            *here.entry(step.key).or_default() += 1;
        }
        here
    }
}

/// Keeps the numbers of a state that follow from its children. They take no work, so they may be forgotten.
fn set(key: u128, numbers: Numbers, entries: &mut Entries) {
    let entry = Entry {
        key: key as u64,
        numbers,
        work: 1,
    };
    if entry.is_sound() {
        entries.set(entry);
    }
}

/// The child of least disproof number, and the least disproof number among the others. Virtual loss raises those of
/// children with jobs.
fn most_proving<V>(
    children: &[Child<V>],
    parent: Numbers,
    here: &HashMap<u128, u32, FxBuildHasher>,
) -> (usize, u32) {
    steering::least_two(children.iter().map(|child| {
        let others = here.get(&child.key).copied().unwrap_or(0);
        Threads { own: 0, others }.raise(child.numbers.disproof, parent)
    }))
}

/// The amount by which a number may grow before it reaches its limit.
fn slack(limit: u32, number: u32) -> u32 {
    match limit {
        Numbers::INFINITE => Numbers::INFINITE,
        _ => limit.saturating_sub(number).max(1),
    }
}

#[cfg(test)]
mod tests;
