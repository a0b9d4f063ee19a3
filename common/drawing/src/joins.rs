//! The positions after joining two spots of a planar map.

use std::collections::HashMap;

use sproutnet_game::sprouts::planar::{Joined, PlanarMap};
use sproutnet_game::{Position, Sprouts};

/// The maximum number of ways to join two spots.
const MOST_WAYS: usize = 1 << 13;

/// The positions after joining two spots, or a spot to itself. Each position comes once, with all curves that lead to
/// it. `None` if there are more than [`MOST_WAYS`] curves.
pub(super) fn joins(
    map: &PlanarMap,
    one: usize,
    other: usize,
) -> Option<Vec<(Position, Vec<Joined>)>> {
    let mut seen: HashMap<Position, usize> = HashMap::new();
    let mut joins: Vec<(Position, Vec<Joined>)> = Vec::new();
    for joined in map.joins(one, other, MOST_WAYS)? {
        let position = Sprouts::on_map(&joined.map);
        let at = *seen.entry(position.clone()).or_insert(joins.len());
        match joins.get_mut(at) {
            Some((_, alike)) => alike.push(joined),
            None => joins.push((position, vec![joined])),
        }
    }
    Some(joins)
}
