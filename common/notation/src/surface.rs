//! Surfaces on which a position can lie.

use std::fmt;

/// A compact connected surface without boundary: a sphere with n handles or, for negative n, with −n crosscaps.
///
/// By the classification of surfaces these are all, and they are different: those with crosscaps have no orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surface(i8);

impl Surface {
    /// The sphere. In Sprouts, the plane is the same.
    pub const SPHERE: Self = Self(0);
    /// The projective plane: one crosscap.
    pub const PROJECTIVE_PLANE: Self = Self(-1);

    /// The maximum number of handles or crosscaps of a surface in the notation.
    pub const MOST: i8 = 60;

    /// The surface with `handles` handles or, below 0, `-handles` crosscaps; `None` beyond [`Self::MOST`].
    pub fn new(handles: i8) -> Option<Self> {
        (-Self::MOST..=Self::MOST)
            .contains(&handles)
            .then_some(Self(handles))
    }

    /// The number of handles, or, below 0, of crosscaps.
    pub fn handles(self) -> i8 {
        self.0
    }

    /// Whether the surface has an orientation.
    pub fn is_orientable(self) -> bool {
        self.0 >= 0
    }
}

/// The name that people use, such as `torus`.
impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("sphere"),
            1 => f.write_str("torus"),
            -1 => f.write_str("projective plane"),
            -2 => f.write_str("Klein bottle"),
            handles @ 2.. => write!(f, "sphere with {handles} handles"),
            crosscaps => write!(f, "sphere with {} crosscaps", -crosscaps),
        }
    }
}
