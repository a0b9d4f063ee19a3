//! The nodes in their slots, and how they are found by their keys.

use hashbrown::HashTable;
use smallvec::SmallVec;

use super::node::{Below, Node, NodeId, Slot, Standing};
use crate::play::State;
use crate::search::Numbers;

/// Slots of nodes; those that are vacant are given out again.
pub(super) struct Slab<V> {
    standings: Vec<Standing>,
    nodes: Vec<Node<V>>,
    vacant: Vec<Slot>,
    by_key: HashTable<Slot>,
    /// What the nodes hold outside their slots.
    heap_bytes: usize,
}

fn halves(key: u128) -> [u64; 2] {
    [key as u64, (key >> 64) as u64]
}

impl<V> Slab<V> {
    pub(super) fn new() -> Self {
        Self {
            standings: Vec::new(),
            nodes: Vec::new(),
            vacant: Vec::new(),
            by_key: HashTable::new(),
            heap_bytes: 0,
        }
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.vacant.len()
    }

    /// How many slots there are, vacant ones included.
    pub(super) fn slots(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn live(&self) -> impl Iterator<Item = Slot> + '_ {
        let slots = (0..self.slots()).map(|index| Slot(index as u32));
        slots.filter(|&slot| self.standing(slot).below != Below::Vacant)
    }

    /// See [`Dag::bytes`](super::Dag::bytes).
    pub(super) fn bytes(&self) -> usize {
        // The table of keys is between 7/16 and 7/8 full, with one control byte for each place.
        let place = size_of::<Slot>() + 1;
        let slot = size_of::<Standing>() + size_of::<Node<V>>() + place * 3 / 2;
        self.len() * slot + self.heap_bytes
    }

    pub(super) fn standing(&self, slot: Slot) -> &Standing {
        &self.standings[slot.index()]
    }

    pub(super) fn standing_mut(&mut self, slot: Slot) -> &mut Standing {
        &mut self.standings[slot.index()]
    }

    pub(super) fn node(&self, slot: Slot) -> &Node<V> {
        &self.nodes[slot.index()]
    }

    /// Changes what a node holds, and keeps account of its memory.
    pub(super) fn change<T>(&mut self, slot: Slot, act: impl FnOnce(&mut Node<V>) -> T) -> T {
        let node = &mut self.nodes[slot.index()];
        let before = node.heap_bytes();
        let result = act(node);
        self.heap_bytes = self.heap_bytes - before + node.heap_bytes();
        result
    }

    pub(super) fn id(&self, slot: Slot) -> NodeId {
        NodeId {
            slot,
            generation: self.node(slot).generation,
        }
    }

    /// `None` if the node was dropped.
    pub(super) fn slot(&self, id: NodeId) -> Option<Slot> {
        let node = self.nodes.get(id.slot.index())?;
        let is_live = self.standing(id.slot).below != Below::Vacant;
        (is_live && node.generation == id.generation).then_some(id.slot)
    }

    pub(super) fn find(&self, key: u128) -> Option<Slot> {
        let key = halves(key);
        let same = |&slot: &Slot| self.node(slot).key == key;
        self.by_key.find(key[0], same).copied()
    }

    /// Makes a leaf of a state that has no node yet.
    pub(super) fn insert(
        &mut self,
        state: State<V>,
        key: u128,
        numbers: Numbers,
        rank: u32,
    ) -> Slot {
        let standing = Standing::leaf(numbers, rank);
        let mut node = Node {
            state,
            key: halves(key),
            children: Box::default(),
            parents: SmallVec::new(),
            generation: 0,
            tries: 0,
        };
        self.heap_bytes += node.heap_bytes();
        let slot = if let Some(slot) = self.vacant.pop() {
            node.generation = self.nodes[slot.index()].generation;
            self.nodes[slot.index()] = node;
            self.standings[slot.index()] = standing;
            slot
        } else {
            let slots = u32::try_from(self.slots()).expect("a DAG this large has no memory");
            if self.nodes.len() == self.nodes.capacity() {
                // By doubling, half of a large slab could be empty.
                let more = self.nodes.len() / 8 + 64;
                self.nodes.reserve_exact(more);
                self.standings.reserve_exact(more);
            }
            self.nodes.push(node);
            self.standings.push(standing);
            Slot(slots)
        };
        let nodes = &self.nodes;
        let hash = |slot: &Slot| nodes[slot.index()].key[0];
        self.by_key.insert_unique(key as u64, slot, hash);
        slot
    }

    /// Drops a node. No other node may refer to it.
    pub(super) fn remove(&mut self, slot: Slot) {
        let key = self.node(slot).key;
        if let Ok(entry) = self.by_key.find_entry(key[0], |&other| other == slot) {
            entry.remove();
        }
        self.change(slot, |node| {
            node.state.lands = SmallVec::new();
            node.children = Box::default();
            node.parents = SmallVec::new();
            node.generation = node.generation.wrapping_add(1);
        });
        let standing = self.standing_mut(slot);
        standing.below = Below::Vacant;
        standing.locked = false;
        self.vacant.push(slot);
    }

    /// Adds `parent` to the parents of `child`. Returns false, and does nothing, if it was added last.
    pub(super) fn adopt(&mut self, parent: Slot, child: Slot) -> bool {
        self.change(child, |child| {
            let is_new = child.parents.last() != Some(&parent);
            if is_new {
                child.parents.push(parent);
            }
            is_new
        })
    }

    /// Whether the slots, the keys, the edges and the account of memory agree.
    #[cfg(test)]
    pub(super) fn check(&self) {
        assert_eq!(self.nodes.len(), self.standings.len());
        assert_eq!(self.by_key.len(), self.len(), "keys");
        assert_eq!(self.live().count(), self.len(), "vacant slots");
        let bytes: usize = self.nodes.iter().map(Node::heap_bytes).sum();
        assert_eq!(bytes, self.heap_bytes, "bytes");
        for slot in self.live() {
            let node = self.node(slot);
            let key = u128::from(node.key[1]) << 64 | u128::from(node.key[0]);
            assert_eq!(self.find(key), Some(slot), "found by its key");
            for &near in node.parents.iter().chain(&*node.children) {
                assert_ne!(
                    self.standing(near).below,
                    Below::Vacant,
                    "a neighbour is gone"
                );
            }
        }
    }
}
