//! Depth-first proof-number search (Nagai 2002) over the states of a convention.

use std::ops::ControlFlow;

use super::steering::{self, SumRule};
use super::{Control, Numbers, Table};
use crate::play::{Convention, Outcome, State};

/// Below this many visits the clock is asked only now and then.
const VISITS_BETWEEN_LOOKS: u64 = 16;

/// One search: a convention with all it knows, a table, and when to stop.
pub struct Search<'a, C> {
    convention: &'a C,
    table: &'a Table,
    control: &'a Control,
}

/// The numbers of a state as far as they are known without a search, after resolving it.
pub fn numbers_of<C: Convention>(
    convention: &C,
    table: &Table,
    state: &mut State<C::Value>,
) -> Numbers {
    if let Some(outcome) = convention.resolve(state) {
        return Numbers::solved(outcome);
    }
    match convention.parts(state) {
        Some(mut parts) => {
            let rule = SumRule::of(convention.switches());
            sum_of_parts(rule, &mut parts, |part| numbers_of(convention, table, part))
        }
        None => table
            .get(convention.key(state))
            .unwrap_or_else(|| steering::leaf(convention, state)),
    }
}

/// All parts but the last must be known before the last can be tried.
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

/// The children that decide a resolved state without parts: those not yet proved. `Ok` with the
/// outcome if they decide it at once, `None` if `stop` became true meanwhile.
pub fn children<C: Convention>(
    convention: &C,
    state: &State<C::Value>,
    stop: &dyn Fn() -> bool,
) -> Option<Result<Outcome, Vec<State<C::Value>>>> {
    let mut children: Vec<(u128, State<C::Value>)> = Vec::new();
    let mut sink = |mut option: State<C::Value>| {
        match convention.resolve(&mut option) {
            Some(Outcome::Loss) => return ControlFlow::Break(()),
            Some(Outcome::Win) => {}
            None => children.push((convention.key(&option), option)),
        }
        ControlFlow::Continue(())
    };
    if convention.each_option(state, stop, &mut sink)?.is_break() {
        return Some(Ok(Outcome::Win));
    }
    if children.is_empty() {
        return Some(Ok(Outcome::Loss));
    }
    let order = steering::order(convention.switches());
    children.sort_by_key(|&(key, _)| key ^ order);
    children.dedup_by_key(|&mut (key, _)| key);
    Some(Err(children.into_iter().map(|(_, child)| child).collect()))
}

#[derive(Clone)]
struct Child<V> {
    state: State<V>,
    numbers: Numbers,
}

impl<'a, C: Convention> Search<'a, C> {
    /// A search with these means.
    pub fn new(convention: &'a C, table: &'a Table, control: &'a Control) -> Self {
        Self {
            convention,
            table,
            control,
        }
    }

    /// Searches until the state is solved or the search has to stop; returns its numbers.
    ///
    /// Recursion is as deep as the longest play, several frames a move: run it on a thread with a
    /// stack of tens of megabytes.
    pub fn run(&self, state: &State<C::Value>) -> Numbers {
        self.search(state.clone(), Numbers::UNLIMITED)
    }

    fn must_stop(&self) -> bool {
        self.control.must_stop() || self.convention.contradiction().is_some()
    }

    /// Searches until a number reaches its limit.
    fn search(&self, mut state: State<C::Value>, limit: Numbers) -> Numbers {
        // The part last searched: the table may have forgotten what came of it.
        let mut searched: Option<Child<C::Value>> = None;
        loop {
            if let Some(outcome) = self.convention.resolve(&mut state) {
                return Numbers::solved(outcome);
            }
            let Some(mut parts) = self.convention.parts(&state) else {
                return self.choose(state, limit);
            };
            let numbers_of = |part: &mut State<C::Value>| match &searched {
                Some(child) if child.state == *part => {
                    let mut child = child.clone();
                    self.refresh(&mut child);
                    child.numbers
                }
                _ => self.numbers_of(part),
            };
            let rule = SumRule::of(self.convention.switches());
            let sum = sum_of_parts(rule, &mut parts, numbers_of);
            if sum.reach(limit) || self.must_stop() {
                return sum;
            }
            let room = room(limit.proof, sum.proof).min(room(limit.disproof, sum.disproof));
            let mut first = parts.swap_remove(0);
            let now = numbers_of(&mut first);
            let limit = Numbers {
                proof: Numbers::INFINITE,
                disproof: Numbers::add(now.disproof, room),
            };
            let numbers = self.search(first.clone(), limit);
            searched = Some(Child {
                state: first,
                numbers,
            });
        }
    }

    /// The same for a state whose player has options to choose from.
    fn choose(&self, mut state: State<C::Value>, limit: Numbers) -> Numbers {
        let before = self.control.visits();
        self.control.visit();
        let key = self.convention.key(&state);
        let stop = || self.must_stop();
        if before.is_multiple_of(VISITS_BETWEEN_LOOKS) && stop() {
            return self.numbers_of(&mut state);
        }
        let mut children: Vec<Child<C::Value>> = match children(self.convention, &state, &stop) {
            None => return self.numbers_of(&mut state),
            Some(Ok(outcome)) => return self.prove(&state, outcome, before),
            Some(Err(children)) => children.into_iter().map(|mut state| {
                let numbers = self.numbers_of(&mut state);
                Child { state, numbers }
            }),
        }
        .collect();
        let mut looked = self.control.visits();
        loop {
            if let Some(outcome) = self.convention.resolve(&mut state) {
                return Numbers::solved(outcome);
            }
            // What others find is asked for once there was as much work as there are to ask for.
            if self.control.visits() - looked >= children.len() as u64 {
                for child in &mut children {
                    self.refresh(child);
                }
                looked = self.control.visits();
            }
            let is_lost = |child: &Child<_>| child.numbers.outcome() == Some(Outcome::Loss);
            if children.iter().any(is_lost) {
                return self.prove(&state, Outcome::Win, before);
            }
            children.retain(|child| child.numbers.outcome().is_none());
            let Some((best, second)) = most_proving(&children) else {
                return self.prove(&state, Outcome::Loss, before);
            };
            let numbers = numbers_of_node(&children, best);
            if numbers.reach(limit) || stop() {
                self.table.put(key, numbers, self.control.visits() - before);
                return numbers;
            }
            let child = &mut children[best];
            let patience = steering::patience(self.convention.switches(), second);
            let child_limit = Numbers {
                proof: Numbers::add(child.numbers.proof, room(limit.disproof, numbers.disproof)),
                disproof: limit.proof.min(patience),
            };
            child.numbers = self.search(child.state.clone(), child_limit);
        }
    }

    fn numbers_of(&self, state: &mut State<C::Value>) -> Numbers {
        numbers_of(self.convention, self.table, state)
    }

    /// Takes note of what was found out about a child since. What is in no table any more is kept: it
    /// would be searched for ever if it fell back to the estimate each time.
    fn refresh(&self, child: &mut Child<C::Value>) {
        if child.numbers.outcome().is_some() {
            // Not every outcome is kept elsewhere.
            return;
        }
        let lands = child.state.lands.len();
        if let Some(outcome) = self.convention.resolve(&mut child.state) {
            child.numbers = Numbers::solved(outcome);
        } else if child.state.lands.len() < lands {
            child.numbers = self.numbers_of(&mut child.state);
        } else if let Some(numbers) = self.table.get(self.convention.key(&child.state)) {
            child.numbers = numbers;
        }
    }

    fn prove(&self, state: &State<C::Value>, outcome: Outcome, visits_before: u64) -> Numbers {
        let visits = self.control.visits() - visits_before;
        self.convention.prove(state, outcome, visits);
        Numbers::solved(outcome)
    }
}

/// How far a number may grow before it reaches its limit.
fn room(limit: u32, number: u32) -> u32 {
    if limit == Numbers::INFINITE {
        Numbers::INFINITE
    } else {
        limit - number
    }
}

/// The numbers of a node whose best child is the one given.
fn numbers_of_node<V>(children: &[Child<V>], best: usize) -> Numbers {
    let proofs = children.iter().map(|child| child.numbers.proof);
    Numbers {
        proof: children[best].numbers.disproof,
        disproof: proofs.fold(0, Numbers::add),
    }
}

/// The child of least disproof number, and the least disproof number among the others.
fn most_proving<V>(children: &[Child<V>]) -> Option<(usize, u32)> {
    let best = (0..children.len()).min_by_key(|&i| children[i].numbers.disproof)?;
    let others = children.iter().enumerate().filter(|&(i, _)| i != best);
    let second = others.map(|(_, child)| child.numbers.disproof).min();
    Some((best, second.unwrap_or(Numbers::INFINITE)))
}
