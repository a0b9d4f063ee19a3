//! Sprouts played on the drawing itself: a slow rules engine to hold the fast one against.
//!
//! A position is a [`PlanarMap`], a combinatorial map of the plane drawing: spots, the two darts
//! of every line, and the faces with their boundaries. A move adds two edges to it. Nothing is
//! simplified and nothing is forgotten: dead spots, dead faces and separate lands all stay, so
//! that the rules can be read off the code one by one. Text is written at the very end
//! ([`PlanarMap::text`]) and never read back.
//!
//! **Invariant:** this module shares neither code nor ideas with the engine that rewrites
//! position strings. A mistake would have to be made twice, in two different ways, to stay unseen.
//!
//! # The map
//! Every line between two neighbouring spots is two *darts*, one for each direction. A dart knows
//! its origin, its twin, and the dart that follows when one walks on with the face always on the
//! same side; the walk closes into a cycle, which is one boundary of one face. A connected
//! drawing is given by its darts alone. A drawing in several pieces also needs to say which
//! boundaries surround a common face, and that is what the list of faces is for.
//!
//! The plane is treated as a sphere: no face is the outer one. The rules of Sprouts never ask
//! which face is unbounded, so positions that differ only in that have the same moves.
//!
//! # Files
//! - here: the data and how it is walked;
//! - `moves`: what may be drawn, and drawing it;
//! - `build`: a map from its parts, and `joins`: what joining two given spots leads to;
//! - `text`: the position in the usual notation;
//! - `check`: the laws every map obeys, Euler's formula among them.

mod build;
mod check;
mod joins;
mod moves;
#[cfg(test)]
mod tests;
mod text;

pub use joins::Joined;

/// Lines that may meet in one spot; a spot's lives are the lines it can still take.
const MAX_DEGREE: usize = 3;

/// A Sprouts position as a drawing on the sphere.
///
/// Spots are numbered from 0 in the order they were drawn. The numbering, and the order of faces
/// and boundaries, carry no meaning: two maps can be the same drawing under different numbers,
/// which is why there is no `PartialEq`.
#[derive(Clone, Debug)]
pub struct PlanarMap {
    spots: usize,
    darts: Vec<Dart>,
    faces: Vec<Face>,
}

/// One direction of a line between two neighbouring spots, as indices into the map.
#[derive(Clone, Debug)]
struct Dart {
    origin: usize,
    twin: usize,
    next: usize,
}

/// A region of the drawing: the boundaries found around it, each named by one of its corners.
///
/// Any corner of a boundary will do, because walking from it meets all the others.
#[derive(Clone, Debug)]
struct Face {
    boundaries: Vec<Corner>,
}

/// A place from which a curve can leave a spot into one face.
///
/// Around a spot of degree d ≥ 1 there are d corners, one in front of each dart that leaves it,
/// between that dart and the one by which the walk arrives. So the corners of a boundary are
/// exactly the darts of its cycle. Only an isolated spot has no dart to name its one corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The corner of an isolated spot, by its number.
    Isolated(usize),
    /// The corner in front of a dart.
    Before(usize),
}

impl PlanarMap {
    /// The start position: `spots` isolated spots in one face.
    #[must_use]
    pub fn start(spots: usize) -> Self {
        Self {
            spots,
            darts: Vec::new(),
            faces: vec![Face {
                boundaries: (0..spots).map(Corner::Isolated).collect(),
            }],
        }
    }

    /// The lives of all spots together: three for each spot, less one for each line end.
    ///
    /// Every dart is one line end, and a move brings one spot and four line ends, so each move
    /// costs exactly one life.
    #[must_use]
    pub fn lives(&self) -> usize {
        MAX_DEGREE * self.spots - self.darts.len()
    }

    /// The number of lines at each spot.
    fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.spots];
        for dart in &self.darts {
            degrees[dart.origin] += 1;
        }
        degrees
    }

    /// The spot a corner belongs to.
    fn spot(&self, corner: Corner) -> usize {
        match corner {
            Corner::Isolated(spot) => spot,
            Corner::Before(dart) => self.darts[dart].origin,
        }
    }

    /// All darts of the cycle through `start`, each once, in walking order from `start`.
    fn cycle(&self, start: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(start), move |&dart| {
            Some(self.darts[dart].next).filter(|&next| next != start)
        })
    }

    /// All corners of the boundary that `corner` lies on, each once, in walking order.
    fn corners(&self, corner: Corner) -> Vec<Corner> {
        match corner {
            Corner::Isolated(_) => vec![corner],
            Corner::Before(dart) => self.cycle(dart).map(Corner::Before).collect(),
        }
    }
}
