//! The canonical way to write a land, by its regions.
//!
//! Each region is written as its shape and the ranks of the letters in its slots. From a first region,
//! turned by one of its symmetries, all follows: letters are ranked as they are met, and of the
//! regions next to those written the one behind the letter of least rank comes next, turned so that the
//! ranks it has are least. Of all ways to begin, and to go on where several symmetries are as good,
//! the least counts. So what is written does not depend on names or order, and tells the whole land.

use smallvec::SmallVec;

use super::labels::Labels;

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
    /// The letters in the slots.
    pub(super) labels: Labels,
}

/// A land as it is written.
pub(super) struct Written {
    regions: SmallVec<[(u8, Labels); 8]>,
}

impl Written {
    /// The regions in their order, as their places among the parts, each with the ranks of the letters
    /// in its slots.
    pub(super) fn regions(&self) -> impl Iterator<Item = (usize, &Labels)> {
        let regions = self.regions.iter();
        regions.map(|(at, ranks)| (usize::from(*at), ranks))
    }
}

/// A region that is written: the order of its shape among those of the land, and the ranks.
type Entry = (u8, u128);

/// A way to write a land, so far.
#[derive(Clone, Copy)]
struct Way {
    rank: [u8; MOST_LETTERS],
    by_rank: [u8; MOST_LETTERS],
    ranked: u8,
    /// Letters behind which all is written, by their ranks.
    done: u8,
    /// Regions that are written, as bits, and how many.
    written: u32,
    len: u8,
    /// Whether it is less than the best so far, and not only as good.
    is_less: bool,
    places: [u8; MOST_REGIONS],
    entries: [Entry; MOST_REGIONS],
}

const BEGINNING: Way = Way {
    rank: [UNKNOWN; MOST_LETTERS],
    by_rank: [0; MOST_LETTERS],
    ranked: 0,
    done: 0,
    written: 0,
    len: 0,
    is_less: false,
    places: [0; MOST_REGIONS],
    entries: [(0, 0); MOST_REGIONS],
};

impl Way {
    fn entries(&self) -> &[Entry] {
        &self.entries[..usize::from(self.len)]
    }
}

/// A land that is being written.
struct Writing<'a> {
    parts: SmallVec<[Part<'a>; 8]>,
    /// The order of each part's shape.
    orders: [u8; MOST_REGIONS],
    /// The regions where each letter is.
    ends: [[u8; 2]; MOST_LETTERS],
    best: Option<Way>,
}

/// Writes the land of regions that are joined. `None` if it is too large, or can be written in too many
/// ways.
pub(super) fn write<'a>(regions: impl Iterator<Item = Part<'a>>) -> Option<Written> {
    let mut number = [UNKNOWN; 256];
    let mut letters = 0;
    let mut writing = Writing {
        parts: SmallVec::new(),
        orders: [0; MOST_REGIONS],
        ends: [[0; 2]; MOST_LETTERS],
        best: None,
    };
    let mut turns = 1usize;
    for mut part in regions {
        let at = writing.parts.len();
        turns = turns.saturating_mul(part.turns.len());
        if at == MOST_REGIONS || turns == 0 || turns > MOST_TURNS {
            return None;
        }
        for label in part.labels.iter_mut() {
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
        }
        writing.parts.push(part);
    }
    for (order, part) in writing.orders.iter_mut().zip(&writing.parts) {
        let before = writing.parts.iter().filter(|other| other.shape < part.shape);
        *order = before.count() as u8;
    }
    writing.write_all();
    writing.written()
}

impl Writing<'_> {
    /// Finds the least way.
    fn write_all(&mut self) {
        let places = 0..self.parts.len();
        let ways_to_begin = |order: u8| {
            let alike = places.clone().filter(|&at| self.orders[at] == order);
            alike.map(|at| self.parts[at].turns.len()).sum::<usize>()
        };
        let orders = places.clone().map(|at| self.orders[at]);
        let first = orders.min_by_key(|&order| (ways_to_begin(order), order));
        for at in places {
            if Some(self.orders[at]) == first {
                for turn in self.parts[at].turns {
                    let mut way = BEGINNING;
                    if self.go_to(&mut way, at, turn) {
                        self.go_on(way);
                    }
                }
            }
        }
    }

    /// Writes a region turned by a symmetry; letters that are new get the next ranks. False if the way
    /// is worse than the best.
    fn go_to(&self, way: &mut Way, at: usize, turn: &Labels) -> bool {
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
        let len = usize::from(way.len);
        let entry = (self.orders[at], ranks.packed());
        if let Some(best) = &self.best
            && !way.is_less
        {
            match entry.cmp(&best.entries[len]) {
                std::cmp::Ordering::Greater => return false,
                ordering => way.is_less = ordering.is_lt(),
            }
        }
        way.places[len] = at as u8;
        way.entries[len] = entry;
        way.len += 1;
        way.written |= 1 << at;
        true
    }

    fn go_on(&mut self, mut way: Way) {
        // All letters are ranked once all regions are written.
        while usize::from(way.len) < self.parts.len() {
            let letter = usize::from(way.by_rank[usize::from(way.done)]);
            let is_new = |&&at: &&u8| way.written & 1 << at == 0;
            let Some(&next) = self.ends[letter].iter().find(is_new) else {
                way.done += 1;
                continue;
            };
            let at = usize::from(next);
            let Part { turns, labels, .. } = self.parts[at];
            let mut first = &turns[0];
            if turns.len() > 1 {
                let ranks = labels.map(|letter| way.rank[usize::from(letter)]);
                let turned = |turn: &Labels| turn.map(|slot| ranks[usize::from(slot)]).packed();
                let mut least = u128::MAX;
                let mut as_good: SmallVec<[&Labels; 24]> = SmallVec::new();
                for turn in turns {
                    let turned = turned(turn);
                    if turned < least {
                        least = turned;
                        as_good.clear();
                    }
                    if turned == least {
                        as_good.push(turn);
                    }
                }
                first = as_good[0];
                // Without new letters, all turns that are as good write the same.
                if ranks.contains(&UNKNOWN) {
                    for turn in &as_good[1..] {
                        let mut other = way;
                        if self.go_to(&mut other, at, turn) {
                            self.go_on(other);
                        }
                    }
                }
            }
            if !self.go_to(&mut way, at, first) {
                return;
            }
        }
        // The best may have become better meanwhile.
        let is_best = |best: &Way| way.entries() < best.entries();
        if self.best.as_ref().is_none_or(is_best) {
            self.best = Some(way);
        }
    }

    fn written(&self) -> Option<Written> {
        let best = self.best.as_ref()?;
        let regions = best.places.iter().zip(best.entries());
        let regions = regions.map(|(&at, &(_, ranks))| (at, Labels::from_packed(ranks)));
        Some(Written {
            regions: regions.collect(),
        })
    }
}
