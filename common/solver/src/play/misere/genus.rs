//! The genus of a game, by which people know what is special about it (Conway, *On Numbers and Games*,
//! ch. 12; Berlekamp, Conway and Guy, *Winning Ways*, ch. 13).

use std::collections::BTreeSet;
use std::fmt;

use rustc_hash::FxHashMap;

use super::tree::{Tree, Trees};

/// The nimber of a game, and the misère nimbers of the game, the game + *2, the game + *2 + *2, and so
/// on. The misère nimber of G is the m for which the player to move loses G + *m under misère play.
///
/// From some place on each misère nimber is the one before by XOR with 2. They are written up to the
/// first one that can be told in this way: `0^120` is the genus of nothing, `2^20` of the heap of two.
/// If one has two digits they are written with commas.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Genus {
    nimber: u32,
    misere: Vec<u32>,
}

impl Genus {
    /// The misère nimber of the game + so many heaps *2.
    pub fn misere_nimber(&self, twos: usize) -> u32 {
        let last = self.misere.len() - 1;
        let beyond = twos.saturating_sub(last) as u32;
        self.misere[twos.min(last)] ^ (beyond % 2 * 2)
    }

    /// The nimber of the game.
    pub fn nimber(&self) -> u32 {
        self.nimber
    }

    fn of_zero() -> Self {
        Self {
            nimber: 0,
            misere: vec![1, 2, 0],
        }
    }

    /// Of a game by the genera of its options.
    fn of_options(options: &BTreeSet<Self>) -> Self {
        if options.is_empty() {
            return Self::of_zero();
        }
        let mut misere: Vec<u32> = Vec::new();
        // From there on all options' numbers go on by two in turn.
        let settled = options.iter().map(|option| option.misere.len()).max();
        let settled = settled.unwrap_or_default();
        // Each number follows from the one before and from whether its place is even, so that what came
        // twice comes for ever. That it comes to this is a theorem (*On Numbers and Games*, ch. 12).
        let goes_on = |pair: &[u32]| pair[0] ^ 2 == pair[1];
        while misere.len() < settled + 3 || !misere.windows(2).rev().take(2).all(goes_on) {
            let moved = options
                .iter()
                .map(|option| option.misere_nimber(misere.len()));
            // A heap *2 may become *1, or nothing.
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
        let between = if self.misere.iter().any(|&n| n > 9) {
            ","
        } else {
            ""
        };
        for (i, nimber) in self.misere.iter().enumerate() {
            let between = if i == 0 { "" } else { between };
            write!(f, "{between}{nimber}")?;
        }
        Ok(())
    }
}

impl Trees {
    /// The genus of a game. Takes time of the order of the number of games that can be reached.
    pub fn genus(&self, t: Tree) -> Genus {
        self.genus_with(t, &mut FxHashMap::default())
    }

    fn genus_with(&self, t: Tree, known: &mut FxHashMap<Tree, Genus>) -> Genus {
        if let Some(genus) = known.get(&t) {
            return genus.clone();
        }
        let options = self.options(t).map(|option| self.genus_with(option, known));
        let genus = Genus::of_options(&options.collect());
        known.insert(t, genus.clone());
        genus
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of a game, that many heaps *2, and a heap.
    fn sum(trees: &Trees, t: Tree, twos: usize, heap: u32) -> Tree {
        let t = trees.add(t, trees.heap(heap));
        (0..twos).fold(t, |sum, _| trees.add(sum, trees.heap(2)))
    }

    #[test]
    fn heaps_are_written_as_in_the_books() {
        let trees = Trees::new();
        let genus = |t| trees.genus(t).to_string();
        let heaps = ["0^120", "1^031", "2^20", "3^31", "4^46", "5^57"];
        for (k, text) in (0..).zip(heaps) {
            assert_eq!(genus(trees.heap(k)), text);
        }
        let two = trees.heap(2);
        let two_and_two = trees.add(two, two);
        assert_eq!(genus(two_and_two), "0^02");
        assert_eq!(genus(trees.add(two_and_two, two)), "2^20");
        assert_eq!(genus(trees.add(two_and_two, trees.heap(1))), "1^13");
        assert_eq!(genus(trees.heap(10)), "10^10,8");
    }

    #[test]
    fn numbers_are_those_of_sums_that_are_lost() {
        let trees = Trees::new();
        let mut days = vec![Tree::ZERO];
        for _ in 0..3 {
            let sets = 0..1_u32 << days.len();
            let chosen = sets.map(|set| {
                let options = (0..).zip(&days).filter(|(i, _)| set >> i & 1 == 1);
                trees.simplify(&options.map(|(_, &t)| t).collect::<Vec<_>>())
            });
            let next: BTreeSet<_> = chosen.collect();
            days = next.into_iter().collect();
        }
        // Of one more day, those with two options at most.
        let pairs = (0..days.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let further: Vec<_> = pairs
            .map(|(a, b)| trees.simplify(&[days[a], days[b]]))
            .collect();
        for t in days.into_iter().chain(further) {
            let genus = trees.genus(t);
            for twos in 0..6 {
                for heap in 0..8 {
                    let is_lost = !trees.mover_wins(sum(&trees, t, twos, heap));
                    let is_number = genus.misere_nimber(twos) == heap;
                    assert_eq!(
                        is_lost, is_number,
                        "{genus} with {twos} heaps of 2, and {heap}"
                    );
                }
            }
        }
    }
}
