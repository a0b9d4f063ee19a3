//! The chords of pieces, and the conditions under which they do not cross.

use super::{Boundaries, NotPlanar, Sides};

/// Walks around a spanning tree of each piece.
#[derive(Debug, Default)]
pub(super) struct Finder {
    /// Whether each boundary belongs to a piece already.
    met: Vec<bool>,
    /// The first boundary that may belong to no piece yet.
    next: usize,
    /// The boundaries that the walk has not left.
    open: Vec<Open>,
    piece: Piece,
}

/// A boundary that a walk has not left.
#[derive(Clone, Copy, Debug)]
struct Open {
    branch: Branch,
    /// The place of its next letter, and the number of letters left.
    next: usize,
    left: usize,
}

/// A boundary in a spanning tree; the one nearest to the root is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Branch {
    depth: u32,
    boundary: u32,
}

/// A piece: its boundaries and its chords.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// In the order of the walk, at least one.
    pub(super) boundaries: Vec<usize>,
    /// The ends of the chords, in the order of the walk.
    ends: Vec<End>,
    /// The number of the end at each place.
    end_at: Vec<u32>,
    chords: Vec<Chord>,
    meets: Meets,
}

/// An end of a chord.
#[derive(Clone, Copy, Debug)]
struct End {
    place: usize,
    /// The boundary nearest to the root since the end before.
    lowest: Branch,
}

/// The numbers of the ends of a chord; the first is the smaller.
type Chord = (usize, usize);

impl Finder {
    /// Begins with the first piece.
    pub(super) fn begin(&mut self, boundaries: &Boundaries) {
        self.met.clear();
        self.met.resize(boundaries.len(), false);
        self.next = 0;
        // What it holds for places without an end is not read.
        self.piece.end_at.resize(boundaries.places(), 0);
    }

    /// The next piece.
    pub(super) fn next_piece(&mut self, boundaries: &Boundaries) -> Option<&mut Piece> {
        let start = (self.next..self.met.len()).find(|&start| !self.met[start])?;
        self.next = start + 1;
        self.walk_from(start, boundaries);
        Some(&mut self.piece)
    }

    fn walk_from(&mut self, start: usize, boundaries: &Boundaries) {
        let Self {
            met, open, piece, ..
        } = self;
        piece.boundaries.clear();
        piece.ends.clear();
        let root = Branch {
            depth: 0,
            boundary: start as u32,
        };
        let mut lowest = root;
        let around = boundaries.around(start);
        open.push(Open {
            branch: root,
            next: around.start,
            left: around.len(),
        });
        met[start] = true;
        piece.boundaries.push(start);
        while let Some(Open { branch, next, left }) = open.last_mut() {
            let here = *branch;
            lowest = lowest.min(here);
            if *left == 0 {
                open.pop();
                continue;
            }
            let place = *next;
            *left -= 1;
            *next = boundaries.after(place);
            let entry = boundaries.across(place);
            let across = boundaries.boundary(entry);
            if met[across] {
                piece.end_at[place] = piece.ends.len() as u32;
                piece.ends.push(End { place, lowest });
                lowest = here;
                continue;
            }
            met[across] = true;
            piece.boundaries.push(across);
            // The walk enters at the letter and continues behind it.
            open.push(Open {
                branch: Branch {
                    depth: here.depth + 1,
                    boundary: across as u32,
                },
                next: boundaries.after(entry),
                left: boundaries.around(across).len() - 1,
            });
        }
    }
}

impl Piece {
    /// Adds the conditions under which no two chords cross.
    pub(super) fn separate_chords(
        &mut self,
        boundaries: &Boundaries,
        sides: &mut Sides,
    ) -> Result<(), NotPlanar> {
        let Self {
            ends,
            end_at,
            chords,
            meets,
            ..
        } = self;
        // Two chords have four ends.
        if ends.len() < 4 {
            return Ok(());
        }
        let ends_of = ends.iter().enumerate().map(|(first, end)| {
            let second = end_at[boundaries.across(end.place)];
            (first, second as usize)
        });
        chords.clear();
        chords.extend(ends_of.filter(|(first, second)| first < second));
        meets.find(ends);
        for (i, &first) in chords.iter().enumerate() {
            for &second in &chords[i + 1..] {
                if !meets.condition(first, second).add_to(sides) {
                    let letter = |chord: Chord| boundaries.letter(ends[chord.0].place);
                    let letters = [first, second].map(letter);
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
    Same(u32, u32),
    /// One of the boundaries is mirrored, and the other is not.
    Opposite(u32, u32),
}

impl Condition {
    fn add_to(self, sides: &mut Sides) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Same(one, other) => sides.join(one as usize, other as usize, false),
            Self::Opposite(one, other) => sides.join(one as usize, other as usize, true),
        }
    }
}

/// The meets of the paths between the ends of chords.
#[derive(Debug, Default)]
struct Meets {
    /// The number of ends.
    count: usize,
    /// Level after level, with one entry for each end. At level k, it is the least `lowest` of 2^k ends from that one
    /// on, or of those that are left.
    least: Vec<Branch>,
}

impl Meets {
    fn find(&mut self, ends: &[End]) {
        self.count = ends.len();
        self.least.clear();
        self.least.extend(ends.iter().map(|end| end.lowest));
        let mut half = 1;
        while 2 * half <= self.count {
            let level = self.least.len() - self.count;
            for at in 0..self.count {
                let one = self.least[level + at];
                let other = self.least[level + (at + half).min(self.count - 1)];
                self.least.push(one.min(other));
            }
            half *= 2;
        }
    }

    /// The least common ancestor of two ends, the first one met earlier.
    fn meet(&self, from: usize, to: usize) -> Branch {
        let level = (to - from).ilog2() as usize;
        let least = &self.least[level * self.count..][..self.count];
        least[from + 1].min(least[to + 1 - (1 << level)])
    }

    /// The condition under which two chords do not cross. The first one begins earlier.
    fn condition(&self, first: Chord, second: Chord) -> Condition {
        let is_nested = second.1 < first.1;
        let is_crossing = !is_nested && second.0 < first.1;
        // The four ends in ascending order.
        let [one, two, three, four] = if is_nested {
            [first.0, second.0, second.1, first.1]
        } else if is_crossing {
            [first.0, second.0, first.1, second.1]
        } else {
            [first.0, first.1, second.0, second.1]
        };
        let (meet12, meet23) = (self.meet(one, two), self.meet(two, three));
        let meet34 = self.meet(three, four);
        // The paths between three ends branch at the deepest of their meets.
        let branch = meet12.max(meet23);
        let other = meet12.min(meet23).max(meet34);
        // One branch parts the first two ends from the last two, or the middle two from the others.
        let parts_first_two = branch == meet12.max(meet23.min(meet34));
        let vertices = (branch.boundary, other.boundary);
        if is_crossing {
            if branch == other {
                Condition::Never
            } else {
                Condition::Opposite(vertices.0, vertices.1)
            }
        } else if branch != other && parts_first_two == is_nested {
            // Chords whose ends are parted from each other need both branches.
            Condition::Same(vertices.0, vertices.1)
        } else {
            Condition::Always
        }
    }
}
