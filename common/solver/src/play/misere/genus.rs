//! The genus of a game (Conway, *On Numbers and Games*, ch. 12; Berlekamp, Conway and Guy, *Winning Ways*,
//! ch. 13).

use std::collections::BTreeSet;
use std::fmt;

use rustc_hash::FxHashMap;

use super::tree::{Tree, Trees};

/// The nimber of a game, and the misère nimbers of the game, the game + *2, the game + *2 + *2, and so
/// on. The misère nimber of G is the m for which the player to move loses G + *m under misère play.
///
/// From some place on, each misère nimber is the previous one XOR 2; these are not written: `0^120` is the genus of
/// zero, `2^20` of the heap of two. If a number has two digits, commas separate all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Genus {
    nimber: u32,
    misere: Vec<u32>,
}

impl Genus {
    /// The misère nimber of the game + `twos` heaps *2.
    pub fn misere_nimber(&self, twos: usize) -> u32 {
        let last = self.misere.len() - 1;
        let beyond = twos.saturating_sub(last) as u32;
        self.misere[twos.min(last)] ^ (beyond % 2 * 2)
    }

    /// The nimber of the game.
    pub fn nimber(&self) -> u32 {
        self.nimber
    }

    /// Whether a Nim position has this genus: one of heaps of at most one token, or one with a larger heap.
    pub fn is_of_nim(&self) -> bool {
        let n = self.nimber;
        match self.misere[..] {
            [1, 2, 0] => n == 0,
            [0, 3, 1] => n == 1,
            [first, second] => first == n && second == n ^ 2,
            _ => false,
        }
    }

    /// The genus of a game from the genera of its options.
    fn of_options(options: &BTreeSet<Self>) -> Self {
        let Some(settled) = options.iter().map(|option| option.misere.len()).max() else {
            return Self {
                nimber: 0,
                misere: vec![1, 2, 0],
            };
        };
        let mut misere: Vec<u32> = Vec::new();
        // From `settled` on, the numbers of all options continue by XOR with 2. Each number follows from the previous
        // one and from the parity of its place, so a pattern that came twice continues for ever. Such a pattern always
        // comes (*On Numbers and Games*, ch. 12).
        let goes_on = |pair: &[u32]| pair[0] ^ 2 == pair[1];
        while misere.len() < settled + 3 || !misere.windows(2).rev().take(2).all(goes_on) {
            let moved = options
                .iter()
                .map(|option| option.misere_nimber(misere.len()));
            // A heap *2 may become *1 or zero.
            let fewer = misere.last().map(|&fewer| [fewer, fewer ^ 1]);
            misere.push(mex(moved.chain(fewer.into_iter().flatten())));
        }
        while misere.len() > 2 && misere.windows(2).rev().take(2).all(goes_on) {
            misere.pop();
        }
        Self {
            nimber: mex(options.iter().map(|option| option.nimber)),
            misere,
        }
    }
}

fn mex(numbers: impl Iterator<Item = u32>) -> u32 {
    let met: BTreeSet<u32> = numbers.collect();
    (0..).zip(&met).take_while(|(n, met)| n == *met).count() as u32
}

impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.nimber)?;
        let has_two_digits = self.misere.iter().any(|&n| n > 9);
        let numbers: Vec<_> = self.misere.iter().map(u32::to_string).collect();
        f.write_str(&numbers.join(if has_two_digits { "," } else { "" }))
    }
}

/// A genus, and whether its game is tame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The genus of the game.
    pub genus: Genus,
    /// Whether the game is tame: it and all games below its canonical form have genera of Nim positions. In sums of
    /// tame games it can be replaced by the Nim position of its genus. A game that is not tame is wild.
    pub is_tame: bool,
}

impl Trees {
    /// The genus of a game. The time is of the order of the number of games below it.
    pub fn genus(&self, t: Tree) -> Genus {
        let class = self.class_until(t, &|| false);
        let class = class.unwrap_or_else(|| unreachable!("it is never stopped"));
        class.genus
    }

    /// The genus of a game, and whether it is tame. `None` as soon as `stop` is true.
    pub fn class_until(&self, t: Tree, stop: &impl Fn() -> bool) -> Option<Class> {
        self.class_with(t, stop, &mut FxHashMap::default())
    }

    fn class_with(
        &self,
        t: Tree,
        stop: &impl Fn() -> bool,
        known: &mut FxHashMap<Tree, Class>,
    ) -> Option<Class> {
        if let Some(class) = known.get(&t) {
            return Some(class.clone());
        }
        if stop() {
            return None;
        }
        let (mut genera, mut all_tame) = (BTreeSet::new(), true);
        for option in self.options(t) {
            let Class { genus, is_tame } = self.class_with(option, stop, known)?;
            genera.insert(genus);
            all_tame &= is_tame;
        }
        let genus = Genus::of_options(&genera);
        let class = Class {
            is_tame: all_tame && genus.is_of_nim(),
            genus,
        };
        known.insert(t, class.clone());
        Some(class)
    }
}

#[cfg(test)]
mod tests;
