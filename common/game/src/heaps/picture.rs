//! Heaps as rows of tokens.

use super::{HeapGame, Parameters, Rule, read};
use crate::Position;
use crate::picture::{Panel, Picture};

/// A row of tokens for each heap, and beside it the size and the parameters.
pub(super) fn of<G: HeapGame>(position: &Position) -> Picture {
    let lands = position.lands().iter();
    let lands = lands.map(|land| {
        let heap = read::<G::Rule>(land.as_bytes());
        let (rule, size) = heap.expect("a land holds bytes that its game wrote or checked");
        let parameters = rule.to_text();
        let mut panel = Panel::default();
        match G::PARAMETERS {
            Parameters::Before => panel.row(size, &format!("{size} {parameters}")),
            Parameters::None | Parameters::After => panel.row(size, &format!("{size}{parameters}")),
        }
        panel
    });
    Picture {
        caption: "Each row is a heap, with its number of tokens.",
        lands: lands.collect(),
        rows: true,
    }
}
