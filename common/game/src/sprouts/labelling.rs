//! Canonical labelling of a land, region by region.
//!
//! A region is its shape and the letters in its slots, so the canonical form only needs an order of the letters.
//! Colours of letters depend on their slots, and are refined until only twins, letters that can be swapped, share a
//! colour. Where this is not enough, each letter of one colour is individualised in turn (McKay and Piperno, *Practical
//! graph isomorphism II*, 2014). Of all orders found, the one with the least result counts, so the result does not
//! depend on names or order.

mod automorphism;
#[cfg(test)]
mod tests;

use std::ops::Range;

use smallvec::SmallVec;

use self::automorphism::Automorphism;
use super::labels::Labels;
use super::symmetry::{Symmetries, mix};

/// The maximum numbers of letters and regions of a land that is labelled here.
const MOST_LETTERS: usize = 32;
const MOST_REGIONS: usize = 16;

/// No letter.
const NONE: u8 = u8::MAX;

/// A region of a land.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// The hash of the shape, the same in every process.
    pub(super) shape: u128,
    pub(super) symmetries: &'a Symmetries,
    /// The letters in the slots.
    pub(super) labels: Labels,
}

/// A labelled land: the places of its regions among the parts, in canonical order, each with the ranks of
/// the letters in its slots. Ranks follow the order of occurrence.
pub(super) type LabelledRegions = SmallVec<[(u8, Labels); 8]>;

/// The place of a letter: a region and a slot.
type End = (u8, u8);

type Colours = [u64; MOST_LETTERS];

/// Letters in the order of their colours.
#[derive(Clone, Copy)]
struct Order {
    letters: [u8; MOST_LETTERS],
    count: usize,
}

impl Order {
    /// The letters below `count`, by their numbers.
    fn new(count: usize) -> Self {
        Self {
            letters: std::array::from_fn(|letter| letter as u8),
            count,
        }
    }

    fn sort(&mut self, colours: &Colours) {
        for i in 1..self.count {
            let letter = self.letters[i];
            let colour = colours[usize::from(letter)];
            let mut at = i;
            while at > 0 && colour < colours[usize::from(self.letters[at - 1])] {
                self.letters[at] = self.letters[at - 1];
                at -= 1;
            }
            self.letters[at] = letter;
        }
    }
}

impl std::ops::Deref for Order {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.letters[..self.count]
    }
}

/// A land that is being labelled.
struct Labelling<'a> {
    /// The parts in the order of their shapes, each with its original place. Letters are renumbered.
    parts: SmallVec<[(u8, Part<'a>); 8]>,
    ends: [[End; 2]; MOST_LETTERS],
    letters: usize,
    best: Option<LabelledRegions>,
}

/// Labels a land. `None` if it is too large, or a part is `None`.
pub(super) fn canonical<'a, P: Into<Option<Part<'a>>>>(
    parts: impl Iterator<Item = P>,
) -> Option<LabelledRegions> {
    let mut land = Labelling {
        parts: SmallVec::new(),
        ends: [[(NONE, 0); 2]; MOST_LETTERS],
        letters: 0,
        best: None,
    };
    for (given, part) in parts.enumerate() {
        let part = part.into()?;
        if given == MOST_REGIONS {
            return None;
        }
        let mut place = given;
        while place > 0 && part.shape < land.parts[place - 1].1.shape {
            place -= 1;
        }
        land.parts.insert(place, (given as u8, part));
    }
    let mut number = [NONE; 256];
    let mut colours = [0; MOST_LETTERS];
    for (at, (_, part)) in land.parts.iter_mut().enumerate() {
        let slots = part.labels.iter_mut().zip(part.symmetries.colours());
        for (slot, (label, colour)) in slots.enumerate() {
            let number = &mut number[usize::from(*label)];
            let is_new = *number == NONE;
            if is_new {
                if land.letters == MOST_LETTERS {
                    return None;
                }
                *number = land.letters as u8;
                land.letters += 1;
            }
            *label = *number;
            let letter = usize::from(*number);
            let [first, second] = &mut land.ends[letter];
            if !is_new && usize::from(first.0) == at {
                // Such a letter cannot be drawn in the plane.
                return None;
            }
            *(if is_new { first } else { second }) = (at as u8, slot as u8);
            colours[letter] += colour >> 1;
        }
    }
    if let [(_, Part { labels, .. })] = land.parts[..] {
        return Some(LabelledRegions::from_slice(&[(0, labels)]));
    }
    land.search(&mut colours);
    land.best
}

impl Labelling<'_> {
    /// Keeps the least result of the orders that agree with the colours.
    fn search(&mut self, colours: &mut Colours) {
        let (order, open) = self.refine(colours);
        let open = &order[open];
        if open.is_empty() {
            self.keep(self.leaf(&order).1);
            return;
        }
        // Automorphisms map the letters of an orbit to each other, so these have the same results.
        let mut orbits: [u8; MOST_LETTERS] = std::array::from_fn(|letter| letter as u8);
        let mut tried: SmallVec<[u8; MOST_LETTERS]> = SmallVec::new();
        for &letter in open {
            let is_met = |&other: &u8| {
                orbits[usize::from(other)] == orbits[usize::from(letter)]
                    || self.are_twins(other, letter)
            };
            if tried.iter().any(is_met) {
                continue;
            }
            let map = |&other: &u8| Automorphism::find(self, colours, other, letter);
            match tried.iter().find_map(map) {
                Some(automorphism) => {
                    for &(a, b) in automorphism.pairs() {
                        join(&mut orbits, a, b);
                    }
                }
                None => tried.push(letter),
            }
        }
        if let [letter] = tried[..] {
            *colours = self.individualised(colours, open, letter);
            self.search(colours);
            return;
        }
        // Two orders with the same result also show an automorphism.
        let mut first: Option<(Order, LabelledRegions)> = None;
        for (i, &letter) in tried.iter().enumerate() {
            let is_image = |orbits: &[u8; MOST_LETTERS]| {
                let orbit = |letter: u8| orbits[usize::from(letter)];
                let mut before = tried[..i].iter();
                before.any(|&other| orbit(other) == orbit(letter))
            };
            if is_image(&orbits) {
                continue;
            }
            let mut apart = self.individualised(colours, open, letter);
            let (met, result, is_only) = self.any_leaf(apart);
            let of_first = first.as_ref();
            if let Some((first, _)) = of_first.filter(|(_, first)| ranks(first).eq(ranks(&result)))
            {
                let colour = |letter: u8| colours[usize::from(letter)];
                let pairs = || first.iter().copied().zip(met.iter().copied());
                // Only automorphisms that keep the colours count at this node of the search.
                if pairs().all(|(a, b)| colour(a) == colour(b)) {
                    for (a, b) in pairs() {
                        join(&mut orbits, a, b);
                        if a == tried[0] && self.are_twins(b, letter) {
                            join(&mut orbits, b, letter);
                        }
                    }
                }
                if is_image(&orbits) {
                    continue;
                }
            }
            if is_only {
                self.keep(result.clone());
            } else {
                self.search(&mut apart);
            }
            first.get_or_insert((met, result));
        }
    }

    fn keep(&mut self, result: LabelledRegions) {
        let best = self.best.as_ref();
        if best.is_none_or(|best| ranks(&result).lt(ranks(best))) {
            self.best = Some(result);
        }
    }

    /// One of the orders that agree with the colours: the letters in the order of occurrence, the result,
    /// and whether the result of all other orders is the same.
    fn any_leaf(&self, mut colours: Colours) -> (Order, LabelledRegions, bool) {
        let mut is_only = true;
        loop {
            let (order, open) = self.refine(&mut colours);
            let open = &order[open];
            if let Some(&letter) = open.first() {
                is_only = false;
                colours = self.individualised(&colours, open, letter);
                continue;
            }
            let (met, result) = self.leaf(&order);
            return (met, result, is_only);
        }
    }

    /// The colours with a new one for a letter and its twins.
    fn individualised(&self, colours: &Colours, class: &[u8], letter: u8) -> Colours {
        let mut apart = *colours;
        let colour = mix(colours[usize::from(letter)] ^ 1);
        for &other in class {
            if other == letter || self.are_twins(letter, other) {
                apart[usize::from(other)] = colour;
            }
        }
        apart
    }

    /// Refines colours until their number stays the same. Returns the letters in their order and the range of the
    /// smallest class of letters that are not all twins, which is empty if there is none.
    fn refine(&self, colours: &mut Colours) -> (Order, Range<usize>) {
        let mut classes = 0;
        let mut order = Order::new(self.letters);
        loop {
            order.sort(colours);
            let colour = |place: usize| colours[usize::from(order[place])];
            let mut open = 0..0;
            let (mut now, mut start) = (0, 0);
            while start < order.len() {
                let of_class = colour(start);
                let mut end = start + 1;
                while end < order.len() && colour(end) == of_class {
                    end += 1;
                }
                if end - start > 1 && (open.is_empty() || end - start < open.len()) {
                    let first = order[start];
                    let mut others = order[start + 1..end].iter();
                    if !others.all(|&other| self.are_twins(first, other)) {
                        open = start..end;
                    }
                }
                now += 1;
                start = end;
            }
            if open.is_empty() || now == classes {
                return (order, open);
            }
            classes = now;
            self.refine_once(colours);
        }
    }

    /// Whether swapping two letters of one colour, with everything behind them, makes no difference.
    fn are_twins(&self, a: u8, b: u8) -> bool {
        let [mut a, mut b] = [a, b].map(|letter| self.ends[usize::from(letter)]);
        if a[0].0 != b[0].0 {
            a.swap(0, 1);
        }
        if a[0].0 != b[0].0 {
            b.swap(0, 1);
            if a[0].0 != b[0].0 {
                a.swap(0, 1);
            }
        }
        let part = |(at, _): End| &self.parts[usize::from(at)].1;
        let can_swap = |a: End, b: End| {
            a.0 == b.0
                && part(a)
                    .symmetries
                    .can_swap(usize::from(a.1), usize::from(b.1))
        };
        let is_leaf = |end: End| part(end).labels.len() == 1;
        let are_leaves =
            |a: End, b: End| is_leaf(a) && is_leaf(b) && part(a).shape == part(b).shape;
        can_swap(a[0], b[0]) && (can_swap(a[1], b[1]) || are_leaves(a[1], b[1]))
    }

    /// Mixes into each colour the colours of the letters in the same regions.
    fn refine_once(&self, colours: &mut Colours) {
        let mut around = [0u64; MOST_LETTERS];
        for (_, part) in &self.parts {
            part.symmetries.see(&part.labels, colours, &mut around);
        }
        for (colour, around) in colours[..self.letters].iter_mut().zip(around) {
            *colour = mix(colour.wrapping_add(around));
        }
    }

    /// The result for an order of the letters, with the letters in the order of occurrence in it.
    fn leaf(&self, order: &Order) -> (Order, LabelledRegions) {
        let mut rank = [NONE; MOST_LETTERS];
        for (place, &letter) in order.iter().enumerate() {
            rank[usize::from(letter)] = place as u8;
        }
        let mut result = LabelledRegions::new();
        let mut before = 0;
        for (place, (given, part)) in self.parts.iter().enumerate() {
            let ranks = part.labels.map(|letter| rank[usize::from(letter)]);
            result.push((*given, part.symmetries.least(ranks)));
            // Regions of one shape are sorted by their letters.
            if part.shape != self.parts[before].1.shape {
                before = place;
            }
            let mut at = place;
            while at > before && result[at].1 < result[at - 1].1 {
                result.swap(at, at - 1);
                at -= 1;
            }
        }
        let mut met = [NONE; MOST_LETTERS];
        let mut as_met = *order;
        let mut next = 0;
        for (_, ranks) in &mut result {
            for rank in ranks.iter_mut() {
                let place = usize::from(*rank);
                if met[place] == NONE {
                    met[place] = next;
                    as_met.letters[usize::from(next)] = order[place];
                    next += 1;
                }
                *rank = met[place];
            }
        }
        (as_met, result)
    }
}

fn join(orbits: &mut [u8; MOST_LETTERS], a: u8, b: u8) {
    let [a, b] = [a, b].map(|letter| orbits[usize::from(letter)]);
    for orbit in orbits {
        if *orbit == a {
            *orbit = b;
        }
    }
}

/// The ranks in all regions, for comparing results: the shapes are the same in all of them.
fn ranks(result: &LabelledRegions) -> impl Iterator<Item = Labels> {
    result.iter().map(|&(_, ranks)| ranks)
}
