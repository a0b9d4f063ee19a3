//! The laws of planar maps.

use super::{Corner, PlanarMap};

impl PlanarMap {
    /// Checks that the map is a Sprouts drawing on the sphere: darts and spots fit together, every corner
    /// is on exactly one boundary of one face, and Euler's formula holds for each connected piece and for
    /// the whole.
    ///
    /// # Errors
    /// The first broken law. After moves from a correct map this is a defect in the rules engine.
    pub fn check(&self) -> Result<(), String> {
        self.check_darts()?;
        self.check_rotations()?;
        self.check_boundaries()?;
        self.check_euler()
    }

    /// Twins pair up the darts, `next` permutes them, and both agree on the end of each dart.
    fn check_darts(&self) -> Result<(), String> {
        let count = self.darts.len();
        let mut followed = vec![false; count];
        for (index, dart) in self.darts.iter().enumerate() {
            require(
                dart.origin < self.spots && dart.twin < count && dart.next < count,
                || format!("dart {index} points outside the map"),
            )?;
            require(
                dart.twin != index && self.darts[dart.twin].twin == index,
                || format!("dart {index} is not its twin's twin"),
            )?;
            require(
                self.darts[dart.next].origin == self.darts[dart.twin].origin,
                || format!("dart {index} ends elsewhere than its next begins"),
            )?;
            require(!followed[dart.next], || {
                format!("dart {} follows two darts", dart.next)
            })?;
            followed[dart.next] = true;
        }
        Ok(())
    }

    /// No spot has too many lines, and a turn around it meets all of them. Otherwise two spots in different places
    /// could have the same number.
    fn check_rotations(&self) -> Result<(), String> {
        let degrees = self.degrees();
        for (index, dart) in self.darts.iter().enumerate() {
            let degree = degrees[dart.origin];
            require(degree <= self.most_lines[dart.origin], || {
                format!("spot {} has {degree} lines", dart.origin)
            })?;
            let turn = |dart: usize| self.darts[self.darts[dart].twin].next;
            let around = std::iter::successors(Some(index), |&dart| {
                Some(turn(dart)).filter(|&other| other != index)
            });
            require(around.count() == degree, || {
                format!("the lines of spot {} do not go around it", dart.origin)
            })?;
        }
        Ok(())
    }

    /// Each dart and each isolated spot lies on exactly one boundary of exactly one face.
    fn check_boundaries(&self) -> Result<(), String> {
        let degrees = self.degrees();
        let mut dart_met = vec![0_usize; self.darts.len()];
        let mut isolated_met = vec![0_usize; self.spots];
        for &named in self.faces.iter().flat_map(|face| &face.boundaries) {
            for corner in self.corners(named) {
                match corner {
                    Corner::Isolated(spot) => isolated_met[spot] += 1,
                    Corner::Before(dart) => dart_met[dart] += 1,
                }
            }
        }
        for (dart, &met) in dart_met.iter().enumerate() {
            require(met == 1, || format!("dart {dart} is on {met} boundaries"))?;
        }
        for (spot, &met) in isolated_met.iter().enumerate() {
            require(met == usize::from(degrees[spot] == 0), || {
                format!("spot {spot} is a boundary {met} times")
            })?;
        }
        Ok(())
    }

    /// Each piece is planar, and the faces connect the pieces into one sphere.
    ///
    /// A piece alone has one face for each of its boundaries, so it is planar if V - E + boundaries = 2.
    /// Pieces and faces, linked by the boundaries, must form a tree: connected, and without circuits,
    /// which means V - E + F = 1 + C.
    fn check_euler(&self) -> Result<(), String> {
        // Spots first, then faces; equal labels are linked.
        let mut labels: Vec<usize> = (0..self.spots + self.faces.len()).collect();
        for dart in &self.darts {
            link(&mut labels, dart.origin, self.darts[dart.twin].origin);
        }
        let piece = labels.clone();
        let mut pieces = piece[..self.spots].to_vec();
        pieces.sort_unstable();
        pieces.dedup();

        let boundaries = || self.faces.iter().flat_map(|face| &face.boundaries);
        for &label in &pieces {
            let spots = (0..self.spots).filter(|&s| piece[s] == label).count();
            let darts = self.darts.iter().filter(|d| piece[d.origin] == label);
            let edges = darts.count() / 2;
            let around = boundaries().filter(|&&b| piece[self.spot(b)] == label);
            let around = around.count();
            require(spots + around == edges + 2, || {
                format!("piece of {spots} spots, {edges} edges, {around} boundaries is not planar")
            })?;
        }

        for (index, face) in self.faces.iter().enumerate() {
            for &boundary in &face.boundaries {
                link(&mut labels, self.spots + index, self.spot(boundary));
            }
        }
        require(labels.iter().all(|&label| label == labels[0]), || {
            "the faces do not connect the pieces".to_owned()
        })?;
        let (edges, faces) = (self.darts.len() / 2, self.faces.len());
        require(self.spots + faces == edges + 1 + pieces.len(), || {
            format!(
                "Euler's formula fails: {} spots, {edges} edges, {faces} faces, {} pieces",
                self.spots,
                pieces.len()
            )
        })
    }
}

/// Gives one label to everything linked to `a` or to `b`.
fn link(labels: &mut [usize], a: usize, b: usize) {
    let (kept, lost) = (labels[a], labels[b]);
    for label in labels {
        if *label == lost {
            *label = kept;
        }
    }
}

fn require(law: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if law { Ok(()) } else { Err(broken()) }
}
