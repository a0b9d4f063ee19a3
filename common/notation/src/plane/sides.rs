//! Groups of things on two sides.

/// Groups of things, each on one side or the other of its group.
#[derive(Debug, Default)]
pub(super) struct Sides {
    /// The parent of each thing, and whether it is on the other side. A root is its own parent.
    parent: Vec<(u32, bool)>,
}

impl Sides {
    /// Begins with `count` things, each alone in its group.
    pub(super) fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent
            .extend((0..count as u32).map(|thing| (thing, false)));
    }

    /// The root of a thing's group, and whether the thing is on the other side.
    pub(super) fn find(&mut self, thing: usize) -> (usize, bool) {
        let (parent, side) = self.parent[thing];
        let parent = parent as usize;
        if parent == thing {
            return (thing, false);
        }
        let (root, above) = self.find(parent);
        self.parent[thing] = (root as u32, side ^ above);
        (root, side ^ above)
    }

    /// Joins the groups of two things, on the same side or on opposite ones. Returns false if they were already in one
    /// group with the other relation.
    pub(super) fn join(&mut self, one: usize, other: usize, opposite: bool) -> bool {
        let ((one, one_side), (other, other_side)) = (self.find(one), self.find(other));
        let opposite = one_side ^ other_side ^ opposite;
        if one == other {
            return !opposite;
        }
        self.parent[other] = (one as u32, opposite);
        true
    }

    /// Joins the groups of two things. Returns false if they were already in one group.
    pub(super) fn link(&mut self, one: usize, other: usize) -> bool {
        self.find(one).0 != self.find(other).0 && self.join(one, other, false)
    }
}
