//! Sprouts played on the drawing itself: a slow rules engine that checks the fast one.
//!
//! A position is a [`PlanarMap`], a combinatorial map of the drawing: spots, the two darts of each line,
//! and the faces with their boundaries. A move adds two edges to it. Nothing is simplified: dead spots,
//! dead faces and separate lands all stay, so that the rules can be read off the code one by one. The
//! map becomes a position only at the very end ([`PlanarMap::text`], [`Sprouts::on_map`](super::Sprouts::on_map)),
//! and no position becomes a map.
//!
//! **Invariant:** this module shares neither code nor ideas with the engine that rewrites raw
//! positions. A mistake must be made twice, in two different ways, to stay unseen.
//!
//! # The map
//! A line between two neighbouring spots is two *darts*, one for each direction. A dart has an origin,
//! a twin, and the dart that follows on a walk with the face always on the same side. The walk closes
//! into a cycle, which is one boundary of one face. Darts alone describe a connected drawing. If there are several
//! pieces, the faces tell which boundaries belong together.
//!
//! The plane is treated as a sphere, because the rules never ask which face is unbounded.
//!
//! A cross is five spots: a middle with four lines, full from the start, and an end on each of them, which can take
//! one line more.
//!
//! # Files
//! - here: the data, walks on them, and a map from its parts;
//! - `moves`: the curves that may be drawn, and drawing them;
//! - `crosses`: positions and moves with crosses;
//! - `curves`: the curves between two given spots;
//! - `joins`: the results of joining two given spots;
//! - `text`: the position in the usual notation, and as a raw position;
//! - `check`: the laws of every map, such as Euler's formula.

mod check;
mod crosses;
mod curves;
mod joins;
mod moves;
#[cfg(test)]
mod tests;
mod text;

pub use curves::Curve;
pub use joins::Joined;

/// The maximum number of lines of a dot.
const MAX_DEGREE: usize = 3;

/// A Sprouts position as a drawing on the sphere.
///
/// Spots are numbered from 0 in the order in which they were drawn. There is no `PartialEq`, because
/// the numbering and the order of faces and boundaries have no meaning.
#[derive(Clone, Debug)]
pub struct PlanarMap {
    spots: usize,
    /// The maximum number of lines of each spot. Its lives are the lines that it can still take.
    most_lines: Vec<usize>,
    darts: Vec<Dart>,
    faces: Vec<Face>,
}

/// One direction of a line, as indices into the map.
#[derive(Clone, Debug)]
struct Dart {
    origin: usize,
    twin: usize,
    next: usize,
}

/// A face: its boundaries, each named by any of its corners.
#[derive(Clone, Debug)]
struct Face {
    boundaries: Vec<Corner>,
}

/// A place from which a curve can leave a spot into one face.
///
/// A spot with lines has one corner in front of each dart that leaves it, so the corners of a boundary
/// are the darts of its cycle. An isolated spot has one corner and no dart.
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
            most_lines: vec![MAX_DEGREE; spots],
            darts: Vec::new(),
            faces: vec![Face {
                boundaries: (0..spots).map(Corner::Isolated).collect(),
            }],
        }
    }

    /// The map with `spots` dots and these darts and faces.
    ///
    /// A dart is its origin, its twin, and the dart that follows it. A face is one corner of each of its
    /// boundaries.
    ///
    /// # Errors
    /// The first law of [`PlanarMap::check`] that is broken.
    pub fn from_parts(
        spots: usize,
        darts: &[[usize; 3]],
        faces: Vec<Vec<Corner>>,
    ) -> Result<Self, String> {
        Self::from_parts_with(vec![MAX_DEGREE; spots], darts, faces)
    }

    /// The same with spots that take these numbers of lines at most. A cross has four lines at its middle, and two at
    /// each of its ends.
    ///
    /// # Errors
    /// As for [`PlanarMap::from_parts`].
    pub fn from_parts_with(
        most_lines: Vec<usize>,
        darts: &[[usize; 3]],
        faces: Vec<Vec<Corner>>,
    ) -> Result<Self, String> {
        let spots = most_lines.len();
        let known = |corner: &Corner| match *corner {
            Corner::Isolated(spot) => spot < spots,
            Corner::Before(dart) => dart < darts.len(),
        };
        if !faces.iter().flatten().all(known) {
            return Err("a face names a corner outside the map".to_owned());
        }
        let dart = |&[origin, twin, next]: &[usize; 3]| Dart { origin, twin, next };
        let face = |boundaries| Face { boundaries };
        let map = Self {
            spots,
            most_lines,
            darts: darts.iter().map(dart).collect(),
            faces: faces.into_iter().map(face).collect(),
        };
        map.check()?;
        Ok(map)
    }

    /// The boundaries of each face, each named by any of its corners.
    pub fn faces(&self) -> impl Iterator<Item = &[Corner]> {
        self.faces.iter().map(|face| &face.boundaries[..])
    }

    fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.spots];
        for dart in &self.darts {
            degrees[dart.origin] += 1;
        }
        degrees
    }

    /// The lines that each spot can still take.
    pub fn lives_of_spots(&self) -> Vec<usize> {
        let most = self.most_lines.iter();
        most.zip(self.degrees())
            .map(|(most, lines)| most - lines)
            .collect()
    }

    fn add_spot(&mut self, most_lines: usize) -> usize {
        self.spots += 1;
        self.most_lines.push(most_lines);
        self.spots - 1
    }

    /// The spot of a corner.
    pub fn spot(&self, corner: Corner) -> usize {
        match corner {
            Corner::Isolated(spot) => spot,
            Corner::Before(dart) => self.darts[dart].origin,
        }
    }

    /// The darts of the cycle through `start`, in walking order from there.
    fn cycle(&self, start: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(start), move |&dart| {
            Some(self.darts[dart].next).filter(|&next| next != start)
        })
    }

    /// The corners of the boundary of `corner`, in walking order from there.
    pub fn corners(&self, corner: Corner) -> Vec<Corner> {
        match corner {
            Corner::Isolated(_) => vec![corner],
            Corner::Before(dart) => self.cycle(dart).map(Corner::Before).collect(),
        }
    }
}
