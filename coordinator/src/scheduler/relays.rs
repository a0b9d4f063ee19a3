//! Which worker gets the blocks of the feed from which: a tree below the coordinator.

use std::collections::{BTreeMap, BTreeSet};

use sproutnet_notation::WorkerId;

/// A worker that reads the feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The worker.
    pub id: WorkerId,
    /// Whether it can have a parent other than the coordinator.
    pub follows: bool,
    /// Whether it passes blocks on.
    pub relays: bool,
    /// Where it is now.
    pub now: Place,
}

/// A place in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// From whom the worker gets its blocks. `None` for the coordinator.
    pub parent: Option<WorkerId>,
    /// How many relays there are between the coordinator and it.
    pub depth: u32,
}

/// A place for each member, in a tree without cycles: nobody gets a parent that has no place yet.
///
/// The coordinator and each relay have at most `fan_out` children, if there are enough relays. Without, the
/// coordinator has the rest: it is the only one that must be able to serve. `may` says whether a worker
/// (first) may be the child of another. Whoever can keep its parent keeps it, but relays come before workers
/// that only follow, and no relay stays deeper than all relays would need.
pub fn plan(
    members: &[Member],
    fan_out: usize,
    may: impl Fn(WorkerId, WorkerId) -> bool,
) -> BTreeMap<WorkerId, Place> {
    let (tied, free): (Vec<&Member>, Vec<&Member>) =
        members.iter().partition(|member| !member.follows);
    let (mut relays, mut leaves): (Vec<&Member>, Vec<&Member>) =
        free.into_iter().partition(|member| member.relays);
    for group in [&mut relays, &mut leaves] {
        // Parents come before their children.
        group.sort_by_key(|member| (member.now.depth, member.id));
    }
    let deepest = depth_of(members.iter().filter(|m| m.relays).count(), fan_out);
    let mut tree = Tree {
        fan_out,
        free_of_root: fan_out,
        places: BTreeMap::new(),
        free: BTreeMap::new(),
        open: BTreeSet::new(),
        may,
    };
    for member in tied {
        tree.put(member, Place::default());
    }
    // Row by row: a relay that moves takes its children with it. In each row, whoever stays comes first.
    for row in relays.chunk_by(|a, b| a.now.depth == b.now.depth) {
        tree.settle(row, deepest);
    }
    tree.settle(&leaves, u32::MAX);
    tree.places
}

/// The depth of the deepest of so many relays in a full tree.
fn depth_of(relays: usize, fan_out: usize) -> u32 {
    let (mut depth, mut row, mut all) = (0, fan_out.max(1), fan_out.max(1));
    while all < relays && depth < 64 {
        depth += 1;
        row = row.saturating_mul(fan_out.max(1));
        all = all.saturating_add(row);
    }
    depth
}

struct Tree<May> {
    fan_out: usize,
    free_of_root: usize,
    places: BTreeMap<WorkerId, Place>,
    /// How many more children each relay may have, and its depth.
    free: BTreeMap<WorkerId, (usize, u32)>,
    /// The relays that may have more, the shallowest first.
    open: BTreeSet<(u32, WorkerId)>,
    may: May,
}

impl<May: Fn(WorkerId, WorkerId) -> bool> Tree<May> {
    /// Leaves workers where they are, if they may stay there, and then gives the others places.
    fn settle(&mut self, members: &[&Member], deepest: u32) {
        let (_, moved): (Vec<&Member>, Vec<&Member>) = members
            .iter()
            .partition(|member| self.keep(member, deepest));
        for member in moved {
            self.move_in(member);
        }
    }

    /// Leaves a worker where it is, if it may stay there.
    fn keep(&mut self, member: &Member, deepest: u32) -> bool {
        let place = match member.now.parent {
            None => (self.free_of_root > 0).then_some(Place::default()),
            Some(parent) => self.free.get(&parent).and_then(|&(free, depth)| {
                let depth = depth + 1;
                let stays = free > 0 && depth <= deepest && (self.may)(member.id, parent);
                stays.then_some(Place {
                    parent: Some(parent),
                    depth,
                })
            }),
        };
        if let Some(place) = place {
            self.put(member, place);
        }
        place.is_some()
    }

    /// Gives a worker the place nearest to the coordinator that it may take.
    fn move_in(&mut self, member: &Member) {
        let mut open = self.open.iter();
        let found = match self.free_of_root {
            0 => open.find(|&&(_, relay)| (self.may)(member.id, relay)),
            _ => None,
        };
        let place = found.map_or_else(Place::default, |&(depth, relay)| Place {
            parent: Some(relay),
            depth: depth + 1,
        });
        self.put(member, place);
    }

    fn put(&mut self, member: &Member, place: Place) {
        match place.parent {
            None => self.free_of_root = self.free_of_root.saturating_sub(1),
            Some(parent) => {
                if let Some((free, depth)) = self.free.get_mut(&parent) {
                    *free -= 1;
                    if *free == 0 {
                        self.open.remove(&(*depth, parent));
                    }
                }
            }
        }
        self.places.insert(member.id, place);
        if member.relays && self.fan_out > 0 {
            self.free.insert(member.id, (self.fan_out, place.depth));
            self.open.insert((place.depth, member.id));
        }
    }
}

#[cfg(test)]
#[path = "relays/tests.rs"]
mod tests;
