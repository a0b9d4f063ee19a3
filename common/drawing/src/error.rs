//! Why a position cannot be drawn.

/// The reason why a position cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// No drawing in the plane has the regions of the position.
    #[error("this position cannot be drawn in the plane: no drawing has these regions")]
    NotPlanar,
    /// There is too much to draw, or there are too many ways to distribute spots between the sides of a curve.
    #[error("this position is too large to draw")]
    TooLarge,
    /// The game has no pictures.
    #[error("positions of this game cannot be drawn")]
    NoPictures,
}
