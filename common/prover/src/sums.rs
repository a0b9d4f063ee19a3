//! Moves in sums of lands.

use smallvec::SmallVec;

use sproutnet_game::{LandId, Lands};

/// Lands, sorted.
pub(super) type Sum = SmallVec<[LandId; 4]>;

/// What a move in one of the lands leads to, each once, sorted. Options are made `simpler` first.
pub(super) fn moves(lands: &Lands, sum: &[LandId], simpler: impl Fn(Sum) -> Sum) -> Vec<Sum> {
    let mut moves = Vec::new();
    for (place, &land) in sum.iter().enumerate() {
        if place > 0 && sum[place - 1] == land {
            continue;
        }
        let options = lands.options(land, &|| false);
        for option in options.expect("never told to stop").iter() {
            let mut next = Sum::from_slice(option);
            next.extend_from_slice(&sum[..place]);
            next.extend_from_slice(&sum[place + 1..]);
            next.sort_unstable();
            moves.push(simpler(next));
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}
