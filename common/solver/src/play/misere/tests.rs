//! Laws of canonical values, checked against games as literally written.

mod alone;
mod encoding;
mod lands;
mod sums;
mod values;

use std::collections::HashMap;

use proptest::prelude::*;

use super::tree::{Tree, Trees};

/// Literal games in Ackermann's numbering: the options of game `n` are the positions of the
/// one-bits of `n`. The games of birthday ≤ 3 are those below 16, of birthday ≤ 4 those below
/// 65536.
fn literal_options(n: u32) -> impl Iterator<Item = u32> {
    (0..32).filter(move |&bit| n >> bit & 1 == 1)
}

/// The canonical value of each literal game below `count`.
fn literal_values(trees: &Trees, count: u32) -> Vec<Tree> {
    let mut values: Vec<Tree> = Vec::new();
    for n in 0..count {
        let options: Vec<Tree> = literal_options(n).map(|o| values[o as usize]).collect();
        values.push(trees.simplify(&options));
    }
    values
}

/// Builds games one on the other: each list gives the options of one game, as positions (modulo
/// their number) among the games before it; the first is 0. Returns the values of all.
fn build(trees: &Trees, recipe: &[Vec<usize>]) -> Vec<Tree> {
    let mut games = vec![Tree::ZERO];
    for list in recipe {
        let options: Vec<Tree> = list
            .iter()
            .map(|&i| games[games.len() - 1 - i % games.len()])
            .collect();
        games.push(trees.simplify(&options));
    }
    games
}

/// Recipes for [`build`].
fn recipe() -> impl Strategy<Value = Vec<Vec<usize>>> {
    prop::collection::vec(prop::collection::vec(0..10_usize, 1..5), 1..9)
}

/// Whether the mover wins the sum of the games, found from the options of the summands alone.
fn brute_force(trees: &Trees, sum: &[Tree], memo: &mut HashMap<Vec<Tree>, bool>) -> bool {
    let mut key = sum.to_vec();
    key.sort_unstable();
    if let Some(&wins) = memo.get(&key) {
        return wins;
    }
    let mut children = Vec::new();
    for i in 0..key.len() {
        for option in trees.options(key[i]) {
            let mut child = key.clone();
            child[i] = option;
            children.push(child);
        }
    }
    let wins = children.is_empty()
        || children
            .iter()
            .any(|child| !brute_force(trees, child, memo));
    memo.insert(key, wins);
    wins
}
