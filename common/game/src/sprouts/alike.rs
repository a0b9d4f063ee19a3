//! Boundaries of a region that look alike, and the turns of a boundary after which it looks alike.
//!
//! Turns of single boundaries are symmetries of a region on the sphere: any rotations, or reflections of all boundaries
//! at once. A move is needed for only one of the pairs of places that they map to each other.

use smallvec::SmallVec;

use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::surface::Surface;

/// The boundaries of a region.
pub(super) struct Kinds<'a> {
    pub(super) all: Vec<Kind<'a>>,
    /// Whether reflections are symmetries of the region.
    has_reflections: bool,
}

/// Boundaries that are alike, at least one.
pub(super) struct Kind<'a> {
    pub(super) boundaries: Vec<&'a [Spot]>,
    /// The turns after which they look alike.
    turns: SmallVec<[Turn; 4]>,
}

/// A rotation or reflection of a boundary.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Turn {
    /// The image of the first place.
    start: usize,
    is_reflection: bool,
    /// The number of places.
    size: usize,
}

impl Turn {
    /// All turns of a boundary with this number of places.
    fn all(size: usize) -> impl Iterator<Item = Self> {
        (0..2 * size).map(move |turn| Self {
            start: turn % size,
            is_reflection: turn >= size,
            size,
        })
    }

    /// The image of a place.
    fn of(self, place: usize) -> usize {
        if self.is_reflection {
            (self.start + self.size - place) % self.size
        } else {
            (self.start + place) % self.size
        }
    }

    fn sorted(self, [i, j]: [usize; 2]) -> [usize; 2] {
        let (i, j) = (self.of(i), self.of(j));
        [i.min(j), i.max(j)]
    }
}

impl<'a> Kinds<'a> {
    /// The boundaries of a region.
    pub(super) fn of(land: &'a RawPosition, region: usize) -> Self {
        let mut all: Vec<Kind<'a>> = Vec::new();
        for boundary in land.boundaries(region) {
            let is_like = |kind: &&mut Kind<'_>| are_alike(kind.boundaries[0], boundary);
            match all.iter_mut().find(is_like) {
                Some(kind) => kind.boundaries.push(boundary),
                None => all.push(Kind {
                    boundaries: vec![boundary],
                    turns: SmallVec::new(),
                }),
            }
        }
        // Boundaries of other surfaces can pass each other in more ways.
        if land.surface(region) == Surface::SPHERE {
            for kind in &mut all {
                let boundary = kind.boundaries[0];
                let turns = Turn::all(boundary.len());
                kind.turns = turns
                    .filter(|&turn| looks_alike_after(boundary, turn))
                    .collect();
            }
        }
        let is_mirrored = |kind: &Kind<'_>| kind.turns.iter().any(|turn| turn.is_reflection);
        Self {
            has_reflections: all.iter().all(is_mirrored),
            all,
        }
    }

    /// The turns of a kind of boundaries, as far as they are symmetries of the region.
    fn turns(&self, kind: usize) -> impl Iterator<Item = Turn> {
        let turns = self.all[kind].turns.iter().copied();
        turns.filter(|turn| self.has_reflections || !turn.is_reflection)
    }

    /// Whether a symmetry maps two ordered places on a boundary to an earlier pair.
    pub(super) fn has_earlier_pair(&self, kind: usize, pair: [usize; 2]) -> bool {
        self.turns(kind).any(|turn| turn.sorted(pair) < pair)
    }

    /// Whether a symmetry keeps two ordered places on a boundary, and exchanges the parts of the boundary between them.
    pub(super) fn has_equal_sides(&self, kind: usize, pair: [usize; 2]) -> bool {
        self.turns(kind).any(|turn| {
            let [i, j] = pair.map(|place| turn.of(place));
            // A rotation exchanges the places as well.
            pair == if turn.is_reflection { [i, j] } else { [j, i] }
        })
    }

    /// Whether a symmetry maps places on boundaries of two kinds to an earlier pair. If the kinds are the same, the
    /// places are in order.
    pub(super) fn has_earlier_places(&self, kinds: [usize; 2], pair: [usize; 2]) -> bool {
        self.turns(kinds[0]).any(|one| {
            self.turns(kinds[1]).any(|other| {
                let (i, j) = (one.of(pair[0]), other.of(pair[1]));
                let image = if kinds[0] == kinds[1] {
                    [i.min(j), i.max(j)]
                } else {
                    [i, j]
                };
                one.is_reflection == other.is_reflection && image < pair
            })
        })
    }
}

/// The place of the other copy of a letter on its boundary.
fn other_copy(boundary: &[Spot], i: usize) -> Option<usize> {
    (0..boundary.len()).find(|&j| j != i && boundary[j] == boundary[i])
}

/// Whether two boundaries are equal except for the names of letters with both copies there.
fn are_alike(a: &[Spot], b: &[Spot]) -> bool {
    let alike_at = |i: usize| match (a[i].number(), b[i].number()) {
        (Some(_), Some(_)) => {
            let other = other_copy(a, i);
            other == other_copy(b, i) && (other.is_some() || a[i] == b[i])
        }
        _ => a[i] == b[i],
    };
    a.len() == b.len() && (0..a.len()).all(alike_at)
}

/// Whether a boundary and itself after a turn are equal in the same way.
fn looks_alike_after(boundary: &[Spot], turn: Turn) -> bool {
    (0..boundary.len()).all(|i| {
        let (spot, image) = (boundary[i], boundary[turn.of(i)]);
        match spot.number().and_then(|_| other_copy(boundary, i)) {
            Some(other) => image.number().is_some() && image == boundary[turn.of(other)],
            None => spot == image,
        }
    })
}

/// Whether no rotation makes a boundary look like its mirror image.
pub(super) fn is_chiral(boundary: &[Spot]) -> bool {
    let mut turns = Turn::all(boundary.len());
    !turns.any(|turn| turn.is_reflection && looks_alike_after(boundary, turn))
}

pub(super) fn mirrored(boundary: &[Spot]) -> Vec<Spot> {
    boundary.iter().rev().copied().collect()
}

#[cfg(test)]
mod tests;
