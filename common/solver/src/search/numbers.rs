//! Proof and disproof numbers of leaves.

pub use sproutnet_notation::Numbers;

use crate::play::Effort;

/// Leaves are counted in these fractions, so that small estimates do not all round to one.
const SCALE: f32 = 32.0;

impl Effort {
    /// The numbers of a leaf that looks that hard.
    pub fn numbers(self) -> Numbers {
        let number = |ln: f32| ((SCALE * ln.exp()) as u32).clamp(1, Numbers::LARGEST);
        Numbers {
            proof: number(self.win),
            disproof: number(self.loss),
        }
    }
}

#[cfg(test)]
mod tests;
