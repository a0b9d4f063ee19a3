//! A map from its parts, as someone else drew it.

use super::{Corner, Dart, Face, PlanarMap};

impl PlanarMap {
    /// The map with so many spots, with these darts and these faces.
    ///
    /// A dart is given by the spot where it begins, its twin, and the dart that follows when one walks
    /// on with the face always on the same side; a face by one corner of each of its boundaries.
    ///
    /// # Errors
    /// This is no Sprouts drawing: the first law of [`PlanarMap::check`] that is broken, in words.
    pub fn from_parts(
        spots: usize,
        darts: &[[usize; 3]],
        faces: Vec<Vec<Corner>>,
    ) -> Result<Self, String> {
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
            darts: darts.iter().map(dart).collect(),
            faces: faces.into_iter().map(face).collect(),
        };
        map.check()?;
        Ok(map)
    }
}
