//! All games. A new game needs a file beside these, and a line in each of the three lists below
//! (`docs/how-to/add-a-game.md`).

mod arc_kayles;
mod bash;
mod clique;
mod cram;
mod crosses;
pub mod explicit;
mod grundy;
mod hexadecimal;
mod kayles;
mod nim;
mod node_kayles;
mod octal;
mod subtraction;
mod sum;
mod surfaces;
pub mod switching;
mod take_and_break;
mod wythoff;

pub use arc_kayles::ArcKayles;
pub use bash::Bash;
pub use clique::Clique;
pub use cram::Cram;
pub use crosses::Crosses;
pub use explicit::Explicit;
pub use grundy::Grundy;
pub use hexadecimal::Hexadecimal;
pub use kayles::Kayles;
pub use nim::Nim;
pub use node_kayles::NodeKayles;
pub use octal::Octal;
pub use subtraction::Subtraction;
pub use sum::Sum;
pub use surfaces::Surfaces;
pub use switching::Switching;
pub use take_and_break::TakeAndBreak;
pub use wythoff::Wythoff;

use std::sync::Arc;

use super::{Game, Sprouts};

/// All games.
pub fn all() -> Vec<Arc<dyn Game>> {
    vec![
        Arc::new(Sprouts),
        Arc::new(Crosses::BRUSSELS),
        Arc::new(Crosses::MIXED),
        Arc::new(Surfaces),
        Arc::new(Kayles),
        Arc::new(Nim),
        Arc::new(Bash),
        Arc::new(Subtraction),
        Arc::new(Octal),
        Arc::new(Hexadecimal),
        Arc::new(TakeAndBreak),
        Arc::new(Grundy),
        Arc::new(Wythoff),
        Arc::new(Cram),
        Arc::new(NodeKayles),
        Arc::new(Clique),
        Arc::new(ArcKayles),
        Arc::new(Explicit),
        Arc::new(Switching),
        Arc::new(Sum),
    ]
}

#[cfg(test)]
mod tests;
