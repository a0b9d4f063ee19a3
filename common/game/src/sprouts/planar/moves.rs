//! The moves: the curves that may be drawn, and drawing them.
//!
//! # Why no move is missed
//! A curve runs inside one face and leaves its two ends through corners of that face, so it is found
//! under its face and its unordered pair of corners. A curve can wind around the other boundaries in
//! infinitely many ways, but a map only records which boundaries are together:
//!
//! - **Corners on different boundaries.** The curve cuts nothing off. Both boundaries become one cycle,
//!   whose order is fixed by the two corners, and the face keeps all others: one map.
//! - **Corners on one boundary**, or the same corner twice. By Jordan's theorem the face is cut in two.
//!   The corners determine the two parts of the cycle. Each other boundary lies wholly on one side, and
//!   every distribution can be drawn, by leading the curve around the boundaries to be cut off.
//!
//! A spot with two lines has two corners, which are tried separately. A spot can be joined to itself
//! only with at most one line, and then it has a single corner. The two ends of such a loop may change
//! places: an undirected loop is the same either way.

use super::{Corner, Dart, Face, MAX_DEGREE, PlanarMap};

/// A curve in a face of the map in which it was found.
#[derive(Clone, Debug)]
pub(super) struct Move {
    face: usize,
    from: Corner,
    to: Corner,
    others: Others,
}

/// Two corners of a face that a curve may join.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    face: usize,
    pub(super) from: Corner,
    pub(super) to: Corner,
    /// Whether both corners are on one boundary, so that the curve cuts the face in two.
    pub(super) cuts: bool,
    /// The other boundaries of the face.
    pub(super) rest: Vec<Corner>,
}

impl Pair {
    /// The curves between the two, given the distributions of the other boundaries.
    pub(super) fn curves(&self, share: impl Fn(&[Corner]) -> Vec<Others>) -> Vec<Move> {
        let ways = if self.cuts {
            share(&self.rest)
        } else {
            vec![Others::Together(self.rest.clone())]
        };
        let curve = |others| Move {
            face: self.face,
            from: self.from,
            to: self.to,
            others,
        };
        ways.into_iter().map(curve).collect()
    }
}

impl Move {
    /// The faces on both sides, in the map after this move, if the curve cuts its face in two.
    pub(super) fn sides(&self, after: &PlanarMap) -> Option<[usize; 2]> {
        match self.others {
            Others::Together(_) => None,
            Others::Shared(..) => Some([self.face, after.faces.len() - 1]),
        }
    }

    /// The other boundaries on both sides, if the curve cuts its face in two.
    pub(super) fn around(&self) -> Option<[Vec<Corner>; 2]> {
        match &self.others {
            Others::Together(_) => None,
            Others::Shared(one, other) => Some([one.clone(), other.clone()]),
        }
    }
}

/// The boundaries of the face that the curve does not touch.
#[derive(Clone, Debug)]
pub(super) enum Others {
    /// The curve joins two boundaries, and the others stay together.
    Together(Vec<Corner>),
    /// The curve cuts the face, and the others are distributed between the two sides.
    Shared(Vec<Corner>, Vec<Corner>),
}

impl PlanarMap {
    /// Every map after one move. Isomorphic maps can occur several times.
    ///
    /// The list is exponential in the number of boundaries of a face: n isolated spots have
    /// n(n-1)/2 + n·2ⁿ⁻¹ moves.
    #[must_use]
    pub fn moves(&self) -> Vec<PlanarMap> {
        self.curves().iter().map(|curve| self.play(curve)).collect()
    }

    pub(super) fn curves(&self) -> Vec<Move> {
        let pairs = self.pairs();
        let curves = pairs
            .iter()
            .flat_map(|pair| pair.curves(|rest| distributions(rest, &[])));
        curves.collect()
    }

    /// The pairs of corners that a curve may join, each once.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        self.pairs_where(|_, _| true)
    }

    /// The pairs of corners that a curve may join, each once, whose spots are wanted.
    pub(super) fn pairs_where(&self, are_wanted: impl Fn(usize, usize) -> bool) -> Vec<Pair> {
        let lives = self.lives_of_spots();
        let mut pairs = Vec::new();
        for (index, face) in self.faces.iter().enumerate() {
            let corners: Vec<(usize, Corner)> = face
                .boundaries
                .iter()
                .enumerate()
                .flat_map(|(boundary, &named)| {
                    let corners = self.corners(named);
                    corners.into_iter().map(move |corner| (boundary, corner))
                })
                .collect();
            for (i, &(from_boundary, from)) in corners.iter().enumerate() {
                // From i, not i + 1: a corner is paired with itself for the loops.
                for &(to_boundary, to) in &corners[i..] {
                    let (one, other) = (self.spot(from), self.spot(to));
                    if !are_wanted(one, other) || !may_join(&lives, one, other) {
                        continue;
                    }
                    pairs.push(Pair {
                        face: index,
                        from,
                        to,
                        cuts: from_boundary == to_boundary,
                        rest: face.without(from_boundary, to_boundary),
                    });
                }
            }
        }
        pairs
    }

    /// The map after drawing a curve of this map.
    ///
    /// The first edge goes from `from` to the new spot and never cuts the face. The second one goes from
    /// there to `to`.
    pub(super) fn play(&self, curve: &Move) -> PlanarMap {
        let mut map = self.clone();
        let new_spot = map.add_spot(MAX_DEGREE);
        let (out, back) = map.join(curve.from, Corner::Isolated(new_spot));
        let to = match curve.to {
            // The first edge is now the first line of the spot, and the corner is in front of it.
            Corner::Isolated(_) if curve.to == curve.from => Corner::Before(out),
            // If `to` is `from`, the first edge has divided the corner, and this is one of the parts.
            // The other part gives the same loop in the other direction.
            _ => curve.to,
        };
        let (one_side, other_side) = map.join(Corner::Before(back), to);
        match &curve.others {
            Others::Together(rest) => {
                map.faces[curve.face] = Face::around(one_side, rest);
            }
            Others::Shared(one, other) => {
                map.faces[curve.face] = Face::around(one_side, one);
                map.faces.push(Face::around(other_side, other));
            }
        }
        map
    }

    /// Draws an edge between two different corners. Returns its darts from `a` and from `b`. The caller
    /// updates the faces.
    ///
    /// A walk into corner `a` continues along the new edge and then as one that leaves corner `b`, and
    /// vice versa. Two cycles become one; a single cycle becomes two, one for each new dart.
    pub(super) fn join(&mut self, a: Corner, b: Corner) -> (usize, usize) {
        let from_a = self.darts.len();
        let from_b = from_a + 1;
        let (into_a, into_b) = (self.arriving(a), self.arriving(b));
        let leaving = |corner, only_dart| match corner {
            Corner::Isolated(_) => only_dart,
            Corner::Before(dart) => dart,
        };
        let (origin_a, origin_b) = (self.spot(a), self.spot(b));
        self.darts.push(Dart {
            origin: origin_a,
            twin: from_b,
            next: leaving(b, from_b),
        });
        self.darts.push(Dart {
            origin: origin_b,
            twin: from_a,
            next: leaving(a, from_a),
        });
        if let Some(dart) = into_a {
            self.darts[dart].next = from_a;
        }
        if let Some(dart) = into_b {
            self.darts[dart].next = from_b;
        }
        (from_a, from_b)
    }

    /// The dart that arrives at this corner; `None` at an isolated spot.
    fn arriving(&self, corner: Corner) -> Option<usize> {
        match corner {
            Corner::Isolated(_) => None,
            Corner::Before(dart) => self.cycle(dart).last(),
        }
    }
}

impl Face {
    /// The face with the boundary through `dart` and the boundaries `others`.
    fn around(dart: usize, others: &[Corner]) -> Self {
        let mut boundaries = vec![Corner::Before(dart)];
        boundaries.extend_from_slice(others);
        Self { boundaries }
    }

    /// The boundaries other than those at the two indices.
    fn without(&self, a: usize, b: usize) -> Vec<Corner> {
        let others = self.boundaries.iter().enumerate();
        others
            .filter(|&(index, _)| index != a && index != b)
            .map(|(_, &boundary)| boundary)
            .collect()
    }
}

/// Whether the lives allow a curve between two spots, or from a spot to itself.
fn may_join(lives: &[usize], from: usize, to: usize) -> bool {
    if from == to {
        lives[from] >= 2
    } else {
        lives[from] > 0 && lives[to] > 0
    }
}

/// All distributions of boundaries between two sides: 2ᵏ for k boundaries, for each number of those in `alike`
/// on the first side.
pub(super) fn distributions(boundaries: &[Corner], alike: &[Corner]) -> Vec<Others> {
    let mut ways = Vec::new();
    for subset in 0..1_usize << boundaries.len() {
        let sides = boundaries.iter().enumerate();
        let (one, other): (Vec<_>, Vec<_>) = sides.partition(|&(i, _)| subset >> i & 1 == 1);
        for cut_off in 0..=alike.len() {
            let (first, last) = alike.split_at(cut_off);
            let with = |side: &[(usize, &Corner)], more: &[Corner]| {
                side.iter()
                    .map(|&(_, corner)| *corner)
                    .chain(more.iter().copied())
                    .collect()
            };
            ways.push(Others::Shared(with(&one, first), with(&other, last)));
        }
    }
    ways
}
