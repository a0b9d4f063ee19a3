//! A node of the DAG: its standing, small and often read, and the rest.

use smallvec::SmallVec;

use crate::play::State;
use crate::search::Numbers;
use sproutnet_game::LandId;

/// A node of one [`Dag`](super::Dag); by default the root.
///
/// Valid as long as the node is there, and only in that DAG, not in one restored from a checkpoint. A new
/// node may take the place of a dropped one, under another generation, so that the two are never confused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub(super) slot: Slot,
    pub(super) generation: u32,
}

/// The place of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(pub(super) u32);

impl Slot {
    /// The root's place, which is never given to another node.
    pub(super) const ROOT: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the children of a node are to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// The slot is free.
    Vacant,
    /// None; unless solved, the node can be a job.
    Leaf,
    /// Moves to choose from: all that are not proved wins.
    Choice,
    /// Parts. All but the last are to be solved first.
    Parts,
    /// The one child is the state that this one has become by folding lands into its value.
    Same,
}

/// What an update reads and writes.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) numbers: Numbers,
    /// Of a choice: the sum of the children's proof numbers, without a cap.
    pub(super) sum: u64,
    /// Of a choice: the least disproof number of its free children.
    pub(super) least: u32,
    /// Of a choice: how many children are neither solved nor locked.
    pub(super) free: u32,
    /// The most moves left in the state's lands when the node was made. No child has more.
    pub(super) rank: u32,
    pub(super) below: Below,
    pub(super) locked: bool,
    /// Whether the node waits for an update.
    pub(super) queued: bool,
    /// Of a choice: whether all children have to be examined again.
    pub(super) stale: bool,
}

/// What the parents of a node see of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) numbers: Numbers,
    pub(super) locked: bool,
}

impl Standing {
    pub(super) fn leaf(numbers: Numbers, rank: u32) -> Self {
        Self {
            numbers,
            sum: 0,
            least: Numbers::INFINITE,
            free: 0,
            rank,
            below: Below::Leaf,
            locked: false,
            queued: false,
            stale: false,
        }
    }

    pub(super) fn view(&self) -> View {
        View {
            numbers: self.numbers,
            locked: self.locked,
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.numbers.outcome().is_some()
    }
}

impl View {
    pub(super) fn is_free(self) -> bool {
        !self.locked && self.numbers.outcome().is_none()
    }

    /// The disproof number if the node can be descended to.
    pub(super) fn least(self) -> u32 {
        if self.is_free() {
            self.numbers.disproof
        } else {
            Numbers::INFINITE
        }
    }
}

/// The rest of a node.
pub(super) struct Node<V> {
    pub(super) state: State<V>,
    /// The key of the state with which the node was made; the state may have been resolved since.
    pub(super) key: [u64; 2],
    pub(super) children: Box<[Slot]>,
    /// All nodes that have this one below them; also some that had, and are solved now.
    pub(super) parents: SmallVec<[Slot; 4]>,
    pub(super) generation: u32,
    pub(super) tries: u32,
}

/// What an allocator takes for itself with each piece of memory, about.
const ALLOCATION: usize = 16;

impl<V> Node<V> {
    /// Bytes held outside the node itself.
    pub(super) fn heap_bytes(&self) -> usize {
        let Self {
            state,
            children,
            parents,
            ..
        } = self;
        let mut bytes = 0;
        if state.lands.spilled() {
            bytes += ALLOCATION + state.lands.capacity() * size_of::<LandId>();
        }
        if parents.spilled() {
            bytes += ALLOCATION + parents.capacity() * size_of::<Slot>();
        }
        if !children.is_empty() {
            bytes += ALLOCATION + size_of_val(&**children);
        }
        bytes
    }
}
