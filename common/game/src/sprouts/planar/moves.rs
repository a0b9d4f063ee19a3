//! The moves: what may be drawn, and drawing it.
//!
//! # Why no move is missed
//! A curve runs inside one face and leaves its two ends through corners of that face, so it is
//! found under its face and its pair of corners; curves have no direction, so unordered pairs
//! are enough. What is left is how the curve runs between the corners. There are infinitely many
//! ways to wind it around the other boundaries, but a map only records which boundaries lie
//! together:
//!
//! - **Corners on different boundaries.** The curve cuts nothing off. Both boundaries become one
//!   cycle, whose order is fixed by the two corners, and the face keeps all the others: one map.
//! - **Corners on one boundary**, or twice the same corner. The curve and that boundary close a
//!   loop, and by Jordan's theorem the face falls in two. The corners fix which part of the
//!   cycle goes to which side. Each other boundary lies wholly on one side, and every way to
//!   share them out can be drawn, by leading the curve around those that are to be cut off. All
//!   subsets are tried for a fixed side, so "these inside, those outside" and its reverse both
//!   occur.
//!
//! A spot with two lines has two corners, in one face or in two; each is a dart of its own and is
//! tried on its own. A spot can be joined to itself only with two lives, hence with at most one
//! line, and then it has a single corner: the loop leaves and comes back through it. With one
//! line already there, which end of the loop comes first around the spot makes no difference to
//! an undirected loop: one side of it has nothing of the old boundary, the other has all of it.

use super::{Corner, Dart, Face, MAX_DEGREE, PlanarMap};

/// A curve to be drawn in a face of the map it was found in.
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
    /// Whether both are on one boundary, so that the curve cuts the face in two.
    pub(super) cuts: bool,
    /// The other boundaries of the face.
    pub(super) rest: Vec<Corner>,
}

impl Pair {
    /// The curves between the two, given the ways in which the other boundaries may be shared out.
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
    /// The faces on both sides in the map after this move, if the curve cuts its face in two.
    pub(super) fn sides(&self, after: &PlanarMap) -> Option<[usize; 2]> {
        match self.others {
            Others::Together(_) => None,
            Others::Shared(..) => Some([self.face, after.faces.len() - 1]),
        }
    }
}

/// Where the face's boundaries that the curve does not touch will be.
#[derive(Clone, Debug)]
pub(super) enum Others {
    /// The curve joins two boundaries: the rest stays together.
    Together(Vec<Corner>),
    /// The curve joins a boundary to itself: the rest is shared out between the two sides.
    Shared(Vec<Corner>, Vec<Corner>),
}

impl PlanarMap {
    /// Every map that is one move away.
    ///
    /// None is missing; maps that are equal up to isomorphism can occur several times. The list
    /// is exponential in the number of boundaries of a face: n isolated spots have
    /// n(n-1)/2 + n·2ⁿ⁻¹ moves.
    #[must_use]
    pub fn moves(&self) -> Vec<PlanarMap> {
        self.curves().iter().map(|curve| self.play(curve)).collect()
    }

    /// Every curve that may be drawn.
    pub(super) fn curves(&self) -> Vec<Move> {
        let pairs = self.pairs();
        let curves = pairs.iter().flat_map(|pair| pair.curves(sharings));
        curves.collect()
    }

    /// The pairs of corners that a curve may join, each once.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let degrees = self.degrees();
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
                    if !may_join(&degrees, self.spot(from), self.spot(to)) {
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

    /// The map after drawing a curve that [`PlanarMap::curves`] found in this map.
    ///
    /// The curve is drawn as a player's pencil does it: first the half from `from` to the new
    /// spot, then the half from there to `to`. Each half is one edge. The first never cuts the
    /// face, since it ends at a spot that nothing else touches; the second decides.
    pub(super) fn play(&self, curve: &Move) -> PlanarMap {
        let mut map = self.clone();
        let new_spot = map.spots;
        map.spots += 1;
        let (out, back) = map.join(curve.from, Corner::Isolated(new_spot));
        let to = match curve.to {
            // The first half gave the spot its first line, in front of which its corner is now.
            Corner::Isolated(_) if curve.to == curve.from => Corner::Before(out),
            // Where `to` is `from` with a line already there, the first half parted the corner in
            // two, and this is one of them. Through the other one the same loop is drawn, only
            // begun at its other end.
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

    /// Draws an edge between two different corners; returns its dart from `a` and its dart from `b`.
    ///
    /// Whoever walks into corner `a` now turns into the new edge, and at its far end walks on as
    /// one leaving corner `b`; and the same from `b` to `a`. On two cycles this splices them into
    /// one, on a single cycle it cuts it in two, one for each new dart. Faces are the caller's.
    fn join(&mut self, a: Corner, b: Corner) -> (usize, usize) {
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

    /// The dart by which a walk along the boundary comes to this corner; none at an isolated spot.
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
///
/// Both corners of a spot with two lines fall under the second case: it has one life only.
fn may_join(degrees: &[usize], from: usize, to: usize) -> bool {
    if from == to {
        degrees[from] + 2 <= MAX_DEGREE
    } else {
        degrees[from] < MAX_DEGREE && degrees[to] < MAX_DEGREE
    }
}

/// Every way to share boundaries out between two sides, 2ᵏ for k boundaries.
pub(super) fn sharings(boundaries: &[Corner]) -> Vec<Others> {
    let mut ways = vec![(Vec::new(), Vec::new())];
    for &boundary in boundaries {
        for (mut one, other) in std::mem::take(&mut ways) {
            let mut with_boundary = other.clone();
            with_boundary.push(boundary);
            ways.push((one.clone(), with_boundary));
            one.push(boundary);
            ways.push((one, other));
        }
    }
    ways.into_iter()
        .map(|(one, other)| Others::Shared(one, other))
        .collect()
}
