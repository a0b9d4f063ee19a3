//! Moves in sums of lands.

use smallvec::SmallVec;

use sproutnet_game::{LandId, Lands};

/// Lands, sorted.
pub(super) type Sum = SmallVec<[LandId; 4]>;

/// The distinct options of a sum, sorted, each after `simplify`.
pub(super) fn moves(lands: &Lands, sum: &[LandId], simplify: impl Fn(Sum) -> Sum) -> Vec<Sum> {
    let mut moves = Vec::new();
    for (place, &land) in sum.iter().enumerate() {
        if place > 0 && sum[place - 1] == land {
            continue;
        }
        let options = lands.options(land, &|| false);
        for option in options.expect("the search is never stopped").iter() {
            let mut next = Sum::from_slice(option);
            next.extend_from_slice(&sum[..place]);
            next.extend_from_slice(&sum[place + 1..]);
            next.sort_unstable();
            moves.push(simplify(next));
        }
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}
