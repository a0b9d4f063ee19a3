//! Symmetries that are found.

use super::super::super::{Rules, Sprouts};
use super::super::of_land;
use super::*;
use crate::Game;

#[test]
fn repeats_by_symmetries_are_found() {
    // The text, the number of regions that repeat others, and the number of turns of regions.
    for (text, repeats, turns) in [
        ("0.A|0.1.A", 0, 0),
        // Two letters that join the same regions, which are turned by their swap.
        ("0.A.B|0.1.A.B", 0, 2),
        // Three leaves of one region: one is played in, and the two swaps with it turn the region.
        ("0.A.B.C|0.A|0.B|0.C", 2, 2),
        ("0.A.B.C|0.A|0.B|0.1.C", 1, 1),
        // Two regions that are swapped with the leaves behind them.
        ("0.A.B|0.A.C|0.B.D|0.1.C|0.1.D", 2, 1),
    ] {
        let position = Sprouts.parse_stored(text).expect("a position");
        let shapes = Shapes::new(Rules::SPROUTS);
        let land = of_land(position.lands()[0].as_bytes(), &shapes).expect("a small land");
        let symmetries = LandSymmetries::of(&land, &shapes);
        let repeated = (0..land.len()).filter(|&at| symmetries.is_repeated(at));
        assert_eq!(
            (repeated.count(), symmetries.turns.len()),
            (repeats, turns),
            "{text}"
        );
    }
}
