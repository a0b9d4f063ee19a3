//! Positions that can be drawn in the plane.
//!
//! Take the boundaries as vertices with a cyclic order of letters, and the letters that occur twice as
//! edges. The letters link the boundaries into *pieces*. A position can be drawn if and only if
//!
//! 1. pieces and regions, linked by the boundaries, have no circuit: a line that is drawn once around a
//!    piece inside a region separates it from all other boundaries of that region;
//! 2. each piece fits on the sphere. Each region may be mirrored for that, which changes no game.
//!
//! A boundary without letters is a piece of its own. It lies on no circuit and is left out.
//!
//! For 2, contract a spanning tree of the piece. The other letters become *chords* of a circle, the walk
//! around the tree, and the piece fits if and only if no two chords cross. Whether two chords cross
//! depends on where the paths between their four ends branch: at one vertex, and then mirroring changes
//! nothing, or at two, and then on whether one of the two is mirrored and the other is not. So each
//! pair of chords gives at most one condition on two vertices, and all of them together are solved by
//! colouring.

use std::ops::Range;

use crate::raw::RawPosition;

/// The reason why no drawing in the plane has the regions of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlanar {
    /// Two boundaries of one region belong to one piece.
    #[error("two boundaries of region {} are linked through other regions", region + 1)]
    Linked {
        /// The number of the region, from 0.
        region: usize,
        /// The number of a letter on one of the boundaries.
        letter: usize,
    },
    /// The lines through two letters cross, whichever regions are mirrored.
    #[error("the lines through two letters cross")]
    Crossing {
        /// The numbers of the letters.
        letters: [usize; 2],
    },
}

/// Checks that a position can be drawn in the plane.
///
/// # Errors
/// It cannot be drawn.
pub fn check(raw: &RawPosition) -> Result<(), NotPlanar> {
    sides(raw, &Boundaries::of(raw)).map(drop)
}

/// For each region whether it must be mirrored, so that the position can be drawn in the plane.
///
/// # Errors
/// It cannot be drawn.
pub fn mirrored_regions(raw: &RawPosition) -> Result<Vec<bool>, NotPlanar> {
    let boundaries = Boundaries::of(raw);
    let mut sides = sides(raw, &boundaries)?;
    // All boundaries of a region are on one side. That is always possible, because pieces and regions form a forest,
    // and a piece can be mirrored as a whole.
    let mut first: Vec<Option<usize>> = vec![None; raw.regions()];
    for (boundary, &region) in boundaries.region.iter().enumerate() {
        let met = sides.join(*first[region].get_or_insert(boundary), boundary, false);
        debug_assert!(met, "a condition between the pieces closes a circuit");
    }
    let mut is_mirrored = |boundary| sides.find(boundary).1;
    Ok(first
        .into_iter()
        .map(|first| first.is_some_and(&mut is_mirrored))
        .collect())
}

/// The constraints on boundaries, piece by piece: mirrored together, or one without the other.
fn sides(raw: &RawPosition, boundaries: &Boundaries) -> Result<Sides, NotPlanar> {
    let walks = boundaries.walks();
    let mut sides = Sides::new(boundaries.around.len());
    // Pieces first, then regions.
    let mut linked = Sides::new(walks.len() + raw.regions());
    for (piece, walk) in walks.iter().enumerate() {
        for &boundary in &walk.boundaries {
            let region = boundaries.region[boundary];
            if linked.find(piece).0 == linked.find(walks.len() + region).0 {
                // Only letters link boundaries.
                let letter = boundaries.letters[boundaries.around[boundary].start];
                return Err(NotPlanar::Linked { region, letter });
            }
            linked.join(piece, walks.len() + region, false);
        }
        walk.separate_chords(&mut sides)?;
    }
    Ok(sides)
}

/// The boundaries of a position as cyclic lists of letters that occur twice, without the empty ones.
struct Boundaries {
    /// The letters around all boundaries.
    letters: Vec<usize>,
    /// The place of each boundary in `letters`.
    around: Vec<Range<usize>>,
    /// The region of each boundary.
    region: Vec<usize>,
    /// The two boundaries of each letter.
    of_letter: Vec<[usize; 2]>,
}

impl Boundaries {
    fn of(raw: &RawPosition) -> Self {
        const NONE: usize = usize::MAX;
        const MET: usize = NONE - 1;
        let boundaries = || (0..raw.regions()).flat_map(|r| raw.boundaries(r).map(move |b| (r, b)));
        let mut of_letter = vec![[NONE; 2]; raw.letters()];
        for (_, spots) in boundaries() {
            for letter in spots.iter().filter_map(|spot| spot.number()) {
                let copies = &mut of_letter[letter];
                copies[usize::from(copies[0] != NONE)] = MET;
            }
        }
        let mut letters = Vec::with_capacity(2 * of_letter.len());
        let mut around = Vec::with_capacity(letters.capacity());
        let mut region_of = Vec::with_capacity(letters.capacity());
        for (region, spots) in boundaries() {
            let start = letters.len();
            for letter in spots.iter().filter_map(|spot| spot.number()) {
                let copies = &mut of_letter[letter];
                if copies[1] != NONE {
                    copies[usize::from(copies[0] != MET)] = around.len();
                    letters.push(letter);
                }
            }
            if letters.len() > start {
                around.push(start..letters.len());
                region_of.push(region);
            }
        }
        Self {
            letters,
            around,
            region: region_of,
            of_letter,
        }
    }

    /// The other boundary of a letter.
    fn across(&self, letter: usize, boundary: usize) -> usize {
        let [one, other] = self.of_letter[letter];
        if one == boundary { other } else { one }
    }

    /// A walk around a spanning tree of each piece.
    fn walks(&self) -> Vec<Walk> {
        let mut met = vec![false; self.around.len()];
        let mut walks = Vec::new();
        let mut open = Vec::with_capacity(self.around.len());
        for start in 0..self.around.len() {
            if !met[start] {
                walks.push(self.walk_from(start, &mut met, &mut open));
            }
        }
        walks
    }

    /// A walk from a boundary. `open` is empty before and after.
    fn walk_from(&self, start: usize, met: &mut [bool], open: &mut Vec<Open>) -> Walk {
        let mut walk = Walk {
            boundaries: Vec::with_capacity(self.around.len()),
            ends: Vec::with_capacity(self.letters.len()),
        };
        let root = Branch {
            depth: 0,
            boundary: start,
        };
        let mut lowest = root;
        open.push((root, self.around[start].start, self.around[start].len()));
        met[start] = true;
        walk.boundaries.push(start);
        while let Some((here, next, left)) = open.last_mut() {
            let here = *here;
            lowest = lowest.min(here);
            if *left == 0 {
                open.pop();
                continue;
            }
            let letter = self.letters[*next];
            *left -= 1;
            *next = self.after(*next, here.boundary);
            let across = self.across(letter, here.boundary);
            if met[across] {
                walk.ends.push(End { letter, lowest });
                lowest = here;
                continue;
            }
            met[across] = true;
            walk.boundaries.push(across);
            // The walk enters at the letter and continues behind it.
            let around = self.around[across].clone();
            let entry = around.clone().find(|&at| self.letters[at] == letter);
            let entry = entry.expect("the letter occurs on both boundaries");
            let there = Branch {
                depth: here.depth + 1,
                boundary: across,
            };
            open.push((there, self.after(entry, across), around.len() - 1));
        }
        walk
    }

    /// The place that follows a place on a boundary.
    fn after(&self, place: usize, boundary: usize) -> usize {
        let around = &self.around[boundary];
        if place + 1 < around.end {
            place + 1
        } else {
            around.start
        }
    }
}

/// A boundary that a walk has not left, the place of its next letter, and the number of letters left.
type Open = (Branch, usize, usize);

/// A boundary in a spanning tree; the one nearest to the root is the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    depth: usize,
    boundary: usize,
}

/// The walk around the spanning tree of a piece.
struct Walk {
    boundaries: Vec<usize>,
    /// The ends of the chords, in the order of the walk.
    ends: Vec<End>,
}

/// An end of a chord.
struct End {
    letter: usize,
    /// The boundary nearest to the root since the end before.
    lowest: Branch,
}

impl Walk {
    /// The chords by their ends, in the order of their first ends.
    fn chords(&self) -> Vec<(usize, usize)> {
        let mut by_letter: Vec<usize> = (0..self.ends.len()).collect();
        by_letter.sort_by_key(|&at| self.ends[at].letter);
        let pairs = by_letter.chunks_exact(2);
        let mut chords: Vec<_> = pairs.map(|ends| (ends[0], ends[1])).collect();
        chords.sort_unstable();
        chords
    }

    /// Adds the conditions under which no two chords cross.
    fn separate_chords(&self, sides: &mut Sides) -> Result<(), NotPlanar> {
        // Two chords have four ends.
        if self.ends.len() < 4 {
            return Ok(());
        }
        let chords = self.chords();
        let meets = Meets::of(self);
        for (i, &first) in chords.iter().enumerate() {
            for &second in &chords[i + 1..] {
                if !meets.condition(first, second).add_to(sides) {
                    let letters = [first, second].map(|chord| self.ends[chord.0].letter);
                    return Err(NotPlanar::Crossing { letters });
                }
            }
        }
        Ok(())
    }
}

/// The condition under which two chords do not cross.
enum Condition {
    Always,
    Never,
    /// Both boundaries are on the same side: both are mirrored, or neither is.
    Same(usize, usize),
    /// One of the boundaries is mirrored, and the other is not.
    Opposite(usize, usize),
}

impl Condition {
    fn add_to(self, sides: &mut Sides) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Same(one, other) => sides.join(one, other, false),
            Self::Opposite(one, other) => sides.join(one, other, true),
        }
    }
}

/// The meets of the paths between the ends of chords.
struct Meets {
    /// At level k, the least `lowest` of 2^k ends from each one on.
    least: Vec<Vec<Branch>>,
}

impl Meets {
    fn of(walk: &Walk) -> Self {
        let mut least = vec![walk.ends.iter().map(|end| end.lowest).collect::<Vec<_>>()];
        let mut half = 1;
        while 2 * half <= walk.ends.len() {
            let last = &least[least.len() - 1];
            let pairs = last.iter().zip(&last[half..]);
            let next = pairs.map(|(&one, &other)| one.min(other)).collect();
            least.push(next);
            half *= 2;
        }
        Self { least }
    }

    /// The least common ancestor of two ends, the first one met earlier.
    fn meet(&self, from: usize, to: usize) -> Branch {
        let level = (to - from).ilog2() as usize;
        let least = &self.least[level];
        least[from + 1].min(least[to + 1 - (1 << level)])
    }

    /// The condition under which two chords do not cross. The first one begins earlier.
    fn condition(&self, first: (usize, usize), second: (usize, usize)) -> Condition {
        let mut ends = [first.0, first.1, second.0, second.1];
        ends.sort_unstable();
        let [one, two, three, four] = ends;
        let (meet12, meet23) = (self.meet(one, two), self.meet(two, three));
        let meet34 = self.meet(three, four);
        // The paths between three ends branch at the deepest of their meets.
        let branch = meet12.max(meet23);
        let other = meet12.min(meet23).max(meet34);
        // One branch parts the first two ends from the last two, or the middle two from the others.
        let parts_first_two = branch == meet12.max(meet23.min(meet34));
        let vertices = (branch.boundary, other.boundary);
        let is_nested = second.1 < first.1;
        let is_crossing = !is_nested && second.0 < first.1;
        match is_crossing {
            true if branch == other => Condition::Never,
            true => Condition::Opposite(vertices.0, vertices.1),
            // Chords whose ends are parted from each other need both branches.
            false if branch != other && parts_first_two == is_nested => {
                Condition::Same(vertices.0, vertices.1)
            }
            false => Condition::Always,
        }
    }
}

/// Groups of things, each on one side or the other of its group.
struct Sides {
    /// The parent of each thing, and whether it is on the other side. A root is its own parent.
    parent: Vec<(usize, bool)>,
}

impl Sides {
    fn new(count: usize) -> Self {
        Self {
            parent: (0..count).map(|thing| (thing, false)).collect(),
        }
    }

    /// The root of a thing's group, and whether the thing is on the other side.
    fn find(&mut self, thing: usize) -> (usize, bool) {
        let (parent, side) = self.parent[thing];
        if parent == thing {
            return (thing, false);
        }
        let (root, above) = self.find(parent);
        self.parent[thing] = (root, side ^ above);
        self.parent[thing]
    }

    /// Joins the groups of two things, on the same side or on opposite ones. Returns false if they were already in one
    /// group with the other relation.
    fn join(&mut self, one: usize, other: usize, opposite: bool) -> bool {
        let ((one, one_side), (other, other_side)) = (self.find(one), self.find(other));
        let opposite = one_side ^ other_side ^ opposite;
        if one == other {
            return !opposite;
        }
        self.parent[other] = (one, opposite);
        true
    }
}

#[cfg(test)]
mod tests;
