//! The canonical way to write a land, by its regions.
//!
//! Each region is written as its shape and the ranks of the letters in its slots. From a first region,
//! turned by one of its symmetries, all follows: letters are ranked as they are met, and of the
//! regions next to those written the one behind the letter of least rank comes next, turned so that the
//! ranks it has are least. Among letters without ranks those of less colour come first, where the
//! colour of a letter tells in what slots of what shapes it is. Of all ways to begin, and to go on where
//! several symmetries are as good, the least counts. So what is written does not depend on names or
//! order, and tells the whole land.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::labels::{Labels, MOST_SLOTS};

/// Lands with more letters or regions are not written so, nor those whose regions, all together, can
/// be turned in more ways. What decides must be the same however the land is given.
const MOST_LETTERS: usize = 32;
const MOST_REGIONS: usize = 16;
const MOST_TURNS: usize = 1 << 16;

/// The rank of a letter that has none yet.
const UNKNOWN: u8 = u8::MAX;

/// A region of a land that is to be written.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// Stands for the shape, in every process.
    pub(super) shape: u128,
    /// The symmetries of the shape: for each, which slot takes the place of which.
    pub(super) turns: &'a [Labels],
    /// For each slot a number that is the same for slots that a symmetry takes to each other, and in
    /// every process.
    pub(super) colours: &'a [u64],
    /// The letters in the slots.
    pub(super) labels: Labels,
}

/// A land as it is written: the regions in their order, as their places among the parts, each with the
/// ranks of the letters in its slots.
pub(super) type Written = SmallVec<[(u8, Labels); 8]>;

/// A way to write a land, so far.
#[derive(Clone)]
struct Way {
    rank: [u8; MOST_LETTERS],
    by_rank: [u8; MOST_LETTERS],
    ranked: u8,
    /// Letters behind which all is written, by their ranks.
    done: u8,
    /// Regions that are written, as bits.
    written: u32,
    regions: Written,
}

/// A land that is being written.
struct Writing<'a> {
    parts: SmallVec<[Part<'a>; 8]>,
    /// The regions where each letter is.
    ends: [[u8; 2]; MOST_LETTERS],
    colours: [u64; MOST_LETTERS],
    best: Option<Written>,
}

/// Turns that are as good as each other.
type Turns<'a> = SmallVec<[&'a Labels; 4]>;

/// Writes the land of regions that are joined. `None` if it is too large, or can be written in too many
/// ways.
pub(super) fn write<'a>(regions: impl Iterator<Item = Part<'a>>) -> Option<Written> {
    let mut number = [UNKNOWN; 256];
    let mut letters = 0;
    let mut writing = Writing {
        parts: SmallVec::new(),
        ends: [[0; 2]; MOST_LETTERS],
        colours: [0; MOST_LETTERS],
        best: None,
    };
    let mut turns = 1usize;
    for mut part in regions {
        let at = writing.parts.len();
        turns = turns.saturating_mul(part.turns.len());
        if at == MOST_REGIONS || turns == 0 || turns > MOST_TURNS {
            return None;
        }
        for (label, colour) in part.labels.iter_mut().zip(part.colours) {
            let number = &mut number[usize::from(*label)];
            if *number == UNKNOWN {
                if letters == MOST_LETTERS {
                    return None;
                }
                *number = letters as u8;
                writing.ends[letters] = [at as u8; 2];
                letters += 1;
            } else if usize::from(writing.ends[usize::from(*number)][0]) == at {
                // No drawing in the plane has such a letter.
                return None;
            } else {
                writing.ends[usize::from(*number)][1] = at as u8;
            }
            *label = *number;
            let seen = &mut writing.colours[usize::from(*label)];
            *seen = seen.wrapping_add(*colour);
        }
        writing.parts.push(part);
    }
    writing.write_all();
    writing.best
}

impl<'a> Writing<'a> {
    /// Finds the least way.
    fn write_all(&mut self) {
        let beginning = Way {
            rank: [UNKNOWN; MOST_LETTERS],
            by_rank: [0; MOST_LETTERS],
            ranked: 0,
            done: 0,
            written: 0,
            regions: Written::new(),
        };
        // From where there are fewest ways to begin.
        let mut first: SmallVec<[(usize, Turns<'a>); 2]> = SmallVec::new();
        for at in 0..self.parts.len() {
            let turns = self.least_turns(at, &beginning);
            let ordering = first.first().map_or(Ordering::Less, |(other, of_other)| {
                let by_shape = || self.parts[at].shape.cmp(&self.parts[*other].shape);
                let by_colour =
                    || self.compare([(at, turns[0]), (*other, of_other[0])], &beginning);
                let by_ways = turns.len().cmp(&of_other.len());
                by_ways.then_with(by_shape).then_with(by_colour)
            });
            match ordering {
                Ordering::Less => {
                    first.clear();
                    first.push((at, turns));
                }
                Ordering::Equal => first.push((at, turns)),
                Ordering::Greater => {}
            }
        }
        for (at, turns) in first {
            for turn in turns {
                let mut way = beginning.clone();
                self.go_to(&mut way, at, turn);
                self.go_on(way);
            }
        }
    }

    /// What the letter in a slot counts for.
    fn weight(&self, way: &Way, letter: u8) -> u64 {
        let letter = usize::from(letter);
        match way.rank[letter] {
            // Colours are far above all ranks.
            UNKNOWN => self.colours[letter] | 1 << 63,
            rank => u64::from(rank),
        }
    }

    /// Compares two regions of one shape, each turned, by the letters in their slots.
    fn compare(&self, [a, b]: [(usize, &Labels); 2], way: &Way) -> Ordering {
        let (of_a, of_b) = (&self.parts[a.0].labels, &self.parts[b.0].labels);
        for (&i, &j) in a.1.iter().zip(b.1.iter()) {
            let (i, j) = (of_a[usize::from(i)], of_b[usize::from(j)]);
            let ordering = self.weight(way, i).cmp(&self.weight(way, j));
            if ordering.is_ne() {
                return ordering;
            }
        }
        Ordering::Equal
    }

    /// The turns of a region by which it is least.
    fn least_turns(&self, at: usize, way: &Way) -> Turns<'a> {
        let Part { turns, labels, .. } = &self.parts[at];
        let mut least: Turns<'a> = SmallVec::from_slice(&[&turns[0]]);
        if turns.len() == 1 {
            return least;
        }
        let mut weights = [0; MOST_SLOTS];
        for (weight, &letter) in weights.iter_mut().zip(labels.iter()) {
            *weight = self.weight(way, letter);
        }
        for turn in &turns[1..] {
            let differing = turn.iter().zip(least[0].iter());
            let mut differing =
                differing.map(|(&a, &b)| weights[usize::from(a)].cmp(&weights[usize::from(b)]));
            match differing.find(|ordering| ordering.is_ne()) {
                Some(Ordering::Less) => {
                    least.clear();
                    least.push(turn);
                }
                None => least.push(turn),
                Some(_) => {}
            }
        }
        // Without new letters, all turns that are as good write the same.
        if labels.iter().all(|&letter| way.rank[usize::from(letter)] != UNKNOWN) {
            least.truncate(1);
        }
        least
    }

    /// Writes a region turned by a symmetry; letters that are new get the next ranks.
    fn go_to(&self, way: &mut Way, at: usize, turn: &Labels) {
        let labels = &self.parts[at].labels;
        let mut ranks = turn.map(|slot| labels[usize::from(slot)]);
        for rank in ranks.iter_mut() {
            let letter = usize::from(*rank);
            if way.rank[letter] == UNKNOWN {
                way.rank[letter] = way.ranked;
                way.by_rank[usize::from(way.ranked)] = letter as u8;
                way.ranked += 1;
            }
            *rank = way.rank[letter];
        }
        way.regions.push((at as u8, ranks));
        way.written |= 1 << at;
    }

    fn go_on(&mut self, mut way: Way) {
        // All letters are ranked once all regions are written.
        while way.regions.len() < self.parts.len() {
            let letter = usize::from(way.by_rank[usize::from(way.done)]);
            let is_new = |&&at: &&u8| way.written & 1 << at == 0;
            let Some(&next) = self.ends[letter].iter().find(is_new) else {
                way.done += 1;
                continue;
            };
            let at = usize::from(next);
            let turns = self.least_turns(at, &way);
            for turn in &turns[1..] {
                let mut other = way.clone();
                self.go_to(&mut other, at, turn);
                self.go_on(other);
            }
            self.go_to(&mut way, at, turns[0]);
        }
        if self.best.as_ref().is_none_or(|best| self.is_less(&way.regions, best)) {
            self.best = Some(way.regions);
        }
    }

    fn is_less(&self, a: &Written, b: &Written) -> bool {
        let entry = |&(at, ranks): &(u8, Labels)| (self.parts[usize::from(at)].shape, ranks);
        a.iter().map(entry).lt(b.iter().map(entry))
    }
}
