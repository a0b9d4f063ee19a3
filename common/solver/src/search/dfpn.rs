//! Depth-first proof-number search (Nagai 2002) over the states of a convention.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::steering::{self, SumRule};
use super::{Group, Means, Numbers, Table};
use crate::play::{Convention, Outcome, PartialExpansion, State};

/// The number of visits between two checks of the clock and of the states above.
const VISITS_BETWEEN_CHECKS: u64 = 16;

/// One thread of a search. Others may work in the same table, and on the same states.
pub(super) struct DfpnWorker<'a, C> {
    pub(super) convention: &'a C,
    pub(super) means: &'a Means<'a>,
    /// States visited by this thread.
    pub(super) visits: Cell<u64>,
}

/// The states above the one under search, up to the root. Another thread may solve one of them.
#[derive(Clone, Copy)]
pub(super) struct Path<'a, V> {
    state: &'a State<V>,
    key: u128,
    above: Option<&'a Path<'a, V>>,
    /// Whether other workers get the place of a thread at the state below. They do if all states above took enough
    /// work.
    is_told: bool,
}

impl<V> Path<'_, V> {
    /// The same for the state below a path. No path means the root.
    fn is_told(path: Option<&Self>) -> bool {
        path.is_none_or(|path| path.is_told)
    }
}

/// Resolves a state, and returns its known numbers without a search.
pub fn numbers_of<C: Convention>(
    convention: &C,
    table: &Table,
    state: &mut State<C::Value>,
) -> Numbers {
    match convention.resolve(state) {
        Some(outcome) => Numbers::solved(outcome),
        None => numbers_at(convention, table, state, convention.key(state)),
    }
}

/// The numbers of a resolved state with this key.
fn numbers_at<C: Convention>(
    convention: &C,
    table: &Table,
    state: &State<C::Value>,
    key: u128,
) -> Numbers {
    match convention.parts(state) {
        Some(mut parts) => {
            let rule = SumRule::of(convention.switches());
            sum_of_parts(rule, &mut parts, |part| numbers_of(convention, table, part))
        }
        None => table
            .get(key)
            .unwrap_or_else(|| steering::leaf(convention, state)),
    }
}

/// The numbers of a state with parts. All parts but the last must be solved before the last can be tried.
pub(super) fn sum_of_parts<S>(
    rule: SumRule,
    parts: &mut [S],
    mut numbers: impl FnMut(&mut S) -> Numbers,
) -> Numbers {
    let Some((last, before)) = parts.split_last_mut() else {
        unreachable!("parts are never none");
    };
    let mut sum = rule.last(numbers(last));
    for part in before {
        let effort = rule.before_last(numbers(part));
        sum.proof = Numbers::add(sum.proof, effort);
        sum.disproof = Numbers::add(sum.disproof, effort);
    }
    sum
}

/// The children of a state that are not proved wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Children<S> {
    /// They decide the state.
    Decided(Outcome),
    /// These are still open.
    Open(Vec<S>),
}

impl<S> Children<S> {
    /// The open children, unless the state is decided.
    pub fn open(self) -> Option<Vec<S>> {
        match self {
            Self::Decided(_) => None,
            Self::Open(children) => Some(children),
        }
    }
}

/// The children of a resolved state without parts. `None` if `stop` became true.
pub fn children<C: Convention>(
    convention: &C,
    state: &State<C::Value>,
    stop: &dyn Fn() -> bool,
) -> Option<Children<State<C::Value>>> {
    Some(match keyed_children(convention, state, stop)? {
        Children::Decided(outcome) => Children::Decided(outcome),
        Children::Open(open) => Children::Open(open.into_iter().map(|(_, child)| child).collect()),
    })
}

/// Like [`children`], with the keys of the children.
pub(super) fn keyed_children<C: Convention>(
    convention: &C,
    state: &State<C::Value>,
    stop: &dyn Fn() -> bool,
) -> Option<Children<(u128, State<C::Value>)>> {
    let mut children: Vec<(u128, State<C::Value>)> = Vec::new();
    let mut is_stopped = false;
    let mut sink = |mut option: State<C::Value>| {
        match convention.fold(&mut option) {
            Some(Outcome::Loss) => return ControlFlow::Break(()),
            Some(Outcome::Win) => {}
            // It took long to see that the outcome does not follow.
            None if option.lands.is_empty() && stop() => {
                is_stopped = true;
                return ControlFlow::Break(());
            }
            None => children.push((convention.key(&option), option)),
        }
        ControlFlow::Continue(())
    };
    let end = convention.each_option(state, stop, &mut sink)?;
    if is_stopped {
        return None;
    }
    if end.is_break() {
        return Some(Children::Decided(Outcome::Win));
    }
    let order = steering::order(convention.switches());
    children.sort_by_key(|&(key, _)| key ^ order);
    children.dedup_by_key(|&mut (key, _)| key);
    let mut known = convention.recall(&mut children.iter().map(|(key, child)| (*key, child)));
    if known.contains(&Some(Outcome::Loss)) {
        return Some(Children::Decided(Outcome::Win));
    }
    let mut known = known.drain(..);
    children.retain(|_| known.next().flatten().is_none());
    Some(if children.is_empty() {
        Children::Decided(Outcome::Loss)
    } else {
        Children::Open(children)
    })
}

#[derive(Clone)]
struct Child<V> {
    state: State<V>,
    key: u128,
    numbers: Numbers,
}

impl<C: Convention> DfpnWorker<'_, C> {
    /// Searches until a number reaches its limit.
    pub(super) fn search(
        &self,
        mut state: State<C::Value>,
        limit: Numbers,
        path: Option<&Path<'_, C::Value>>,
    ) -> Numbers {
        // The part that was searched last, and its numbers: the table may have forgotten them.
        let mut searched: Option<(State<C::Value>, Numbers)> = None;
        loop {
            if let Some(outcome) = self.convention.resolve(&mut state) {
                return Numbers::solved(outcome);
            }
            let Some(mut parts) = self.convention.parts(&state) else {
                if self.convention.study(&state) {
                    continue;
                }
                return self.choose(state, limit, path);
            };
            let numbers_of = |part: &mut State<C::Value>| match &searched {
                Some((searched, numbers)) if searched == part => *numbers,
                _ => self.numbers_of(part),
            };
            let rule = SumRule::of(self.convention.switches());
            let sum = sum_of_parts(rule, &mut parts, numbers_of);
            if sum.reach(limit) || self.must_stop(path) {
                return sum;
            }
            let slack = slack(limit.proof, sum.proof).min(slack(limit.disproof, sum.disproof));
            let mut first = parts.swap_remove(0);
            let now = numbers_of(&mut first);
            let limit = Numbers {
                proof: Numbers::INFINITE,
                disproof: Numbers::add(now.disproof, slack),
            };
            let above = Path {
                state: &state,
                key: self.convention.key(&state),
                above: path,
                is_told: Path::is_told(path),
            };
            let numbers = self.search(first.clone(), limit, Some(&above));
            searched = Some((first, numbers));
        }
    }

    /// Like [`Self::search`], for a state without parts.
    fn choose(
        &self,
        mut state: State<C::Value>,
        limit: Numbers,
        path: Option<&Path<'_, C::Value>>,
    ) -> Numbers {
        let before = self.visit();
        let key = self.convention.key(&state);
        let stop = || self.must_stop(path);
        if before.is_multiple_of(VISITS_BETWEEN_CHECKS) && stop() {
            return self.numbers_of(&mut state);
        }
        // A new state is only expanded partially: most states are never searched further.
        if steering::partial(self.convention.switches()) && self.means.table.get(key).is_none() {
            match self.convention.expand_partially(&state) {
                PartialExpansion::Decided(outcome) => return self.prove(&state, outcome, before),
                PartialExpansion::Estimated(effort) => {
                    let numbers = effort.numbers();
                    if numbers.reach(limit) {
                        self.means.table.put(key, numbers, 1);
                        return numbers;
                    }
                }
                PartialExpansion::Inconclusive => {}
            }
        }
        let child = |(key, state)| Child {
            numbers: numbers_at(self.convention, self.means.table, &state, key),
            state,
            key,
        };
        let mut children: Vec<_> = match keyed_children(self.convention, &state, &stop) {
            None => return self.numbers_of(&mut state),
            Some(Children::Decided(outcome)) => return self.prove(&state, outcome, before),
            Some(Children::Open(children)) => {
                self.means.table.touch(children.iter().map(|&(key, _)| key));
                children.into_iter().map(child).collect()
            }
        };
        let is_told = Path::is_told(path);
        let work = if is_told {
            self.means.table.work(key)
        } else {
            0
        };
        let _here = self.means.group.map(|group| group.team.enter(key, is_told));
        let mut refreshed = self.visits.get();
        loop {
            if let Some(outcome) = self.convention.resolve(&mut state) {
                return Numbers::solved(outcome);
            }
            // A refresh of all children should cost no more than the work since the last one.
            if self.visits.get() - refreshed >= children.len() as u64 {
                self.refresh(&mut children);
                refreshed = self.visits.get();
            }
            let is_lost = |child: &Child<_>| child.numbers.outcome() == Some(Outcome::Loss);
            if children.iter().any(is_lost) {
                return self.prove(&state, Outcome::Win, before);
            }
            children.retain(|child| child.numbers.outcome().is_none());
            if children.is_empty() {
                return self.prove(&state, Outcome::Loss, before);
            }
            let numbers = Numbers::of_children(children.iter().map(|child| child.numbers));
            if numbers.reach(limit) || stop() {
                self.means
                    .table
                    .put(key, numbers, self.visits.get() - before);
                return numbers;
            }
            let (best, second) = self.most_proving(&children, numbers);
            let child = &mut children[best];
            let more = |number| steering::patience(self.convention.switches(), number);
            let child_limit = Numbers {
                proof: Numbers::add(child.numbers.proof, slack(limit.disproof, numbers.disproof)),
                // With other threads at work, the child may not be the most proving one, but must progress.
                disproof: limit
                    .proof
                    .min(more(second))
                    .max(more(child.numbers.disproof)),
            };
            let work = work + self.visits.get() - before;
            let above = Path {
                state: &state,
                key,
                above: path,
                is_told: is_told && (path.is_none() || work >= self.means.table.least_told()),
            };
            child.numbers = self.search(child.state.clone(), child_limit, Some(&above));
        }
    }

    /// Whether to stop, because of a limit, a contradiction, or a solved state above.
    fn must_stop(&self, mut path: Option<&Path<'_, C::Value>>) -> bool {
        if self.means.control.must_stop() || self.convention.contradiction().is_some() {
            return true;
        }
        let Some(Group { ended, .. }) = self.means.group else {
            return false;
        };
        if !self.visits.get().is_multiple_of(VISITS_BETWEEN_CHECKS) {
            return ended.load(Ordering::Relaxed);
        }
        while let Some(&Path {
            state, key, above, ..
        }) = path
        {
            if self.convention.is_solved(state, key) {
                return true;
            }
            path = above;
        }
        ended.load(Ordering::Relaxed)
    }

    /// Counts a visit. Returns the number of visits before.
    fn visit(&self) -> u64 {
        self.means.control.visit();
        self.visits.replace(self.visits.get() + 1)
    }

    fn numbers_of(&self, state: &mut State<C::Value>) -> Numbers {
        numbers_of(self.convention, self.means.table, state)
    }

    /// Updates the numbers of children. Numbers that the table has forgotten are kept: otherwise a child could fall
    /// back to its estimate each time, and the search would never end.
    fn refresh(&self, children: &mut [Child<C::Value>]) {
        self.means
            .table
            .touch(children.iter().map(|child| child.key));
        for child in &mut *children {
            // The outcome may be kept only here.
            if child.numbers.outcome().is_some() {
                continue;
            }
            let lands = child.state.lands.len();
            if let Some(outcome) = self.convention.fold(&mut child.state) {
                child.numbers = Numbers::solved(outcome);
            } else if child.state.lands.len() < lands {
                child.key = self.convention.key(&child.state);
                child.numbers =
                    numbers_at(self.convention, self.means.table, &child.state, child.key);
            } else if let Some(numbers) = self.means.table.get(child.key) {
                child.numbers = numbers;
            }
        }
        let is_open = |child: &&Child<_>| child.numbers.outcome().is_none();
        let open = children.iter().filter(is_open);
        let mut open = open.map(|child| (child.key, &child.state));
        let known = self.convention.recall(&mut open);
        let open = children.iter_mut().filter(|child| is_open(&&**child));
        for (child, outcome) in open.zip(known) {
            if let Some(outcome) = outcome {
                child.numbers = Numbers::solved(outcome);
            }
        }
    }

    /// The first child of least disproof number, and the least disproof number among the others. Virtual loss raises
    /// the numbers of children that other threads search. `parent` are the numbers of their parent.
    fn most_proving(&self, children: &[Child<C::Value>], parent: Numbers) -> (usize, u32) {
        steering::least_two(children.iter().map(|child| {
            let disproof = child.numbers.disproof;
            self.means.group.map_or(disproof, |group| {
                group.team.disproof(child.key, disproof, parent)
            })
        }))
    }

    fn prove(&self, state: &State<C::Value>, outcome: Outcome, visits_before: u64) -> Numbers {
        let visits = self.visits.get() - visits_before;
        self.convention.prove(state, outcome, visits);
        Numbers::solved(outcome)
    }
}

/// The amount by which a number may grow before it reaches its limit.
fn slack(limit: u32, number: u32) -> u32 {
    if limit == Numbers::INFINITE {
        Numbers::INFINITE
    } else {
        limit - number
    }
}
