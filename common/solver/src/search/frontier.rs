//! What a search that was stopped leaves for others to go on with.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hashbrown::HashSet;

use super::dfpn::{self, Children};
use super::{Numbers, Table, numbers_of};
use crate::play::{Convention, Outcome, State};

/// The most states below the searched one that are listed with their children.
const MOST_BELOW: usize = 64;

/// A state below is listed only if it took this part of the visits of the search, or more: its children become
/// jobs of their own, which should not be too small for all threads of a worker.
const LEAST_SHARE: u64 = 8;

/// About how many bytes the states may take together.
const MOST_BYTES: usize = 8 << 20;

/// What a message takes for a state beside its bytes, about.
const STATE_OVERHEAD: usize = 32;

/// The bytes and numbers of all children of a state that are not proved to be wins. None if they are not all
/// listed: a child missing could make a loss of a win.
pub type OpenChildren = Vec<(Vec<u8>, Numbers)>;

/// The open states around which a search that did not solve its state spent its time. Without it, the next search
/// of these states would begin with estimates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    /// The children of the searched state.
    pub children: OpenChildren,
    /// The bytes of states below it and their children. A state comes after one that has it as a child, or as
    /// a part of a child.
    pub below: Vec<(Vec<u8>, OpenChildren)>,
}

impl Frontier {
    /// The frontier of a search that made `visits` visits and left its numbers in `table`. Empty if the state is
    /// decided, has parts, or if `stop` became true first.
    pub fn of<C: Convention>(
        convention: &C,
        table: &Table,
        state: State<C::Value>,
        visits: u64,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        Self::within(convention, table, state, visits, MOST_BYTES, stop)
    }

    /// The same in so many bytes at most.
    fn within<C: Convention>(
        convention: &C,
        table: &Table,
        mut state: State<C::Value>,
        visits: u64,
        most_bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let mut frontier = Self::default();
        if convention.resolve(&mut state).is_some() || convention.parts(&state).is_some() {
            return frontier;
        }
        let mut explorer = Explorer {
            convention,
            table,
            least_work: (visits / LEAST_SHARE).max(1),
            bytes: 0,
            most_bytes,
            waiting: BinaryHeap::new(),
            states: Vec::new(),
            met: HashSet::new(),
        };
        let Some(children) = explorer.list(&state, stop) else {
            return frontier;
        };
        frontier.children = children;
        while frontier.below.len() < MOST_BELOW
            && let Some((_, Reverse(number))) = explorer.waiting.pop()
        {
            let state = explorer.states[number].clone();
            let children = explorer.list(&state, stop);
            if let (Some(children), Some(bytes)) = (children, state.encode(convention)) {
                frontier.below.push((bytes, children));
            }
        }
        frontier
    }

    /// Its states, that of the search itself excepted.
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        let below = self.below.iter();
        let below = below.flat_map(|(state, children)| {
            let children = children.iter().map(|(state, _)| &state[..]);
            std::iter::once(&state[..]).chain(children)
        });
        let children = self.children.iter().map(|(state, _)| &state[..]);
        children.chain(below)
    }
}

/// Lists states, those that took the most work first.
struct Explorer<'a, C: Convention> {
    convention: &'a C,
    table: &'a Table,
    least_work: u64,
    /// What the states listed so far take, and may take at most.
    bytes: usize,
    most_bytes: usize,
    /// States to list, by their work and their numbers in `states`.
    waiting: BinaryHeap<(u64, Reverse<usize>)>,
    states: Vec<State<C::Value>>,
    /// The keys of all states that were ever put there.
    met: HashSet<u128>,
}

impl<C: Convention> Explorer<'_, C> {
    /// The open children of a resolved state without parts. Those that took much work are listed later. `None` if
    /// the state is decided, a child cannot be written, or they take too much space.
    fn list(&mut self, state: &State<C::Value>, stop: &dyn Fn() -> bool) -> Option<OpenChildren> {
        let children = dfpn::children(self.convention, state, stop)?;
        let Children::Open(children) = children else {
            return None;
        };
        let mut open = Vec::with_capacity(children.len());
        let mut heavy = Vec::new();
        let mut size = 0;
        for mut child in children {
            let numbers = numbers_of(self.convention, self.table, &mut child);
            match numbers.outcome() {
                Some(Outcome::Win) => continue,
                // It was proved just now.
                Some(Outcome::Loss) => return None,
                None => {}
            }
            let bytes = child.encode(self.convention)?;
            size += bytes.len() + STATE_OVERHEAD;
            open.push((bytes, numbers));
            heavy.push(child);
        }
        if self.bytes + size > self.most_bytes {
            return None;
        }
        self.bytes += size;
        for child in heavy {
            match self.convention.parts(&child) {
                Some(parts) => parts.into_iter().for_each(|part| self.note(part)),
                None => self.note(child),
            }
        }
        Some(open)
    }

    /// Puts a state on the list if it took enough work.
    fn note(&mut self, mut state: State<C::Value>) {
        if self.convention.resolve(&mut state).is_some() {
            return;
        }
        let key = self.convention.key(&state);
        let work = self.table.work(key);
        if work >= self.least_work && self.met.insert(key) {
            self.waiting.push((work, Reverse(self.states.len())));
            self.states.push(state);
        }
    }
}

#[cfg(test)]
mod tests;
