//! The canonical way to write a land, by its regions.
//!
//! Each region is written as its shape and the letters in its slots, so all depends on an order of the
//! letters. Letters have colours, which tell in what slots of what regions they are; these are refined
//! until they tell all letters apart, but for twins, which can be swapped. Where that is not enough,
//! each letter of a colour is told apart from the others in turn (individualisation and refinement:
//! McKay and Piperno, *Practical graph isomorphism II*, 2014). Of all orders found the one counts that
//! writes the least. So what is written does not depend on names or order, and tells the whole land.

mod automorphism;
#[cfg(test)]
mod tests;

use std::ops::Range;

use smallvec::SmallVec;

use self::automorphism::Automorphism;
use super::labels::Labels;
use super::symmetry::{Symmetries, mix};

/// Lands with more letters or regions are not written so.
const MOST_LETTERS: usize = 32;
const MOST_REGIONS: usize = 16;

/// No letter.
const NONE: u8 = u8::MAX;

/// A region of a land that is to be written.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// Stands for the shape, in every process.
    pub(super) shape: u128,
    /// The symmetries of the shape.
    pub(super) symmetries: &'a Symmetries,
    /// The letters in the slots.
    pub(super) labels: Labels,
}

/// A land as it is written: the regions in their order, as their places among the parts, each with the
/// ranks of the letters in its slots, in the order in which they are met.
pub(super) type LabelledRegions = SmallVec<[(u8, Labels); 8]>;

/// Where a letter is: a region and a slot.
type End = (u8, u8);

type Colours = [u64; MOST_LETTERS];

/// Letters in the order of their colours.
#[derive(Clone, Copy)]
struct Order {
    letters: [u8; MOST_LETTERS],
    count: usize,
}

impl Order {
    /// So many letters, by their numbers.
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

/// A land that is being written.
struct Labelling<'a> {
    /// In the order of their shapes, each with its place among those given. Letters are numbered anew.
    parts: SmallVec<[(u8, Part<'a>); 8]>,
    ends: [[End; 2]; MOST_LETTERS],
    letters: usize,
    best: Option<LabelledRegions>,
}

/// Writes the land of regions that are joined. `None` if it is too large, or a part is none.
pub(super) fn canonical<'a, P: Into<Option<Part<'a>>>>(
    parts: impl Iterator<Item = P>,
) -> Option<LabelledRegions> {
    let mut writing = Labelling {
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
        while place > 0 && part.shape < writing.parts[place - 1].1.shape {
            place -= 1;
        }
        writing.parts.insert(place, (given as u8, part));
    }
    let mut number = [NONE; 256];
    let mut colours = [0; MOST_LETTERS];
    for (at, (_, part)) in writing.parts.iter_mut().enumerate() {
        let slots = part.labels.iter_mut().zip(part.symmetries.colours());
        for (slot, (label, colour)) in slots.enumerate() {
            let number = &mut number[usize::from(*label)];
            let is_new = *number == NONE;
            if is_new {
                if writing.letters == MOST_LETTERS {
                    return None;
                }
                *number = writing.letters as u8;
                writing.letters += 1;
            }
            *label = *number;
            let letter = usize::from(*number);
            let [first, second] = &mut writing.ends[letter];
            if !is_new && usize::from(first.0) == at {
                // No drawing in the plane has such a letter.
                return None;
            }
            *(if is_new { first } else { second }) = (at as u8, slot as u8);
            colours[letter] += colour >> 1;
        }
    }
    if let [(_, Part { labels, .. })] = writing.parts[..] {
        return Some(LabelledRegions::from_slice(&[(0, labels)]));
    }
    writing.order(&mut colours);
    writing.best
}

impl Labelling<'_> {
    /// Keeps the least that is written with one of the orders that the colours leave open.
    fn order(&mut self, colours: &mut Colours) {
        let (order, open) = self.settle(colours);
        let open = &order[open];
        if open.is_empty() {
            self.keep(self.in_order(&order).1);
            return;
        }
        // Letters that a symmetry of the land takes to each other; what comes of them is the same.
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
            let image = |&other: &u8| Automorphism::find(self, colours, other, letter);
            match tried.iter().find_map(image) {
                Some(image) => {
                    for &(a, b) in image.pairs() {
                        join(&mut orbits, a, b);
                    }
                }
                None => tried.push(letter),
            }
        }
        if let [letter] = tried[..] {
            *colours = self.apart(colours, open, letter);
            self.order(colours);
            return;
        }
        // Two orders that write the same show a symmetry, too: from letter to letter as they are met.
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
            let mut apart = self.apart(colours, open, letter);
            let (met, written, is_only) = self.any(apart);
            let of_first = first.as_ref();
            if let Some((first, _)) = of_first.filter(|(_, first)| ranks(first).eq(ranks(&written)))
            {
                let colour = |letter: u8| colours[usize::from(letter)];
                let pairs = || first.iter().copied().zip(met.iter().copied());
                // What keeps no colours is a symmetry of the land, but not of what is told apart of it.
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
                self.keep(written.clone());
            } else {
                self.order(&mut apart);
            }
            first.get_or_insert((met, written));
        }
    }

    fn keep(&mut self, written: LabelledRegions) {
        let best = self.best.as_ref();
        if best.is_none_or(|best| ranks(&written).lt(ranks(best))) {
            self.best = Some(written);
        }
    }

    /// What is written with some order that the colours leave open, after the letters as they are met
    /// in it, and whether all other orders write the same.
    fn any(&self, mut colours: Colours) -> (Order, LabelledRegions, bool) {
        let mut is_only = true;
        loop {
            let (order, open) = self.settle(&mut colours);
            let open = &order[open];
            if let Some(&letter) = open.first() {
                is_only = false;
                colours = self.apart(&colours, open, letter);
                continue;
            }
            let (met, written) = self.in_order(&order);
            return (met, written, is_only);
        }
    }

    /// The colours with a letter and its twins told apart from all others of their colour.
    fn apart(&self, colours: &Colours, class: &[u8], letter: u8) -> Colours {
        let mut apart = *colours;
        let colour = mix(colours[usize::from(letter)] ^ 1);
        for &other in class {
            if other == letter || self.are_twins(letter, other) {
                apart[usize::from(other)] = colour;
            }
        }
        apart
    }

    /// Refines colours as long as that tells more letters apart. Returns the letters in their order and,
    /// if there are letters of one colour that are not all twins, where those of one such colour are.
    fn settle(&self, colours: &mut Colours) -> (Order, Range<usize>) {
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
            self.refine(colours);
        }
    }

    /// Whether it makes no difference to swap two letters of one colour, with what is behind them.
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

    /// Mixes into each colour those of the letters in the regions where the letter is.
    fn refine(&self, colours: &mut Colours) {
        let mut around = [0u64; MOST_LETTERS];
        for (_, part) in &self.parts {
            part.symmetries.see(&part.labels, colours, &mut around);
        }
        for (colour, around) in colours[..self.letters].iter_mut().zip(around) {
            *colour = mix(colour.wrapping_add(around));
        }
    }

    /// Writes the land with the letters in that order. They come back as they are met in what is written.
    fn in_order(&self, order: &Order) -> (Order, LabelledRegions) {
        let mut rank = [NONE; MOST_LETTERS];
        for (place, &letter) in order.iter().enumerate() {
            rank[usize::from(letter)] = place as u8;
        }
        let mut written = LabelledRegions::new();
        let mut before = 0;
        for (place, (given, part)) in self.parts.iter().enumerate() {
            let ranks = part.labels.map(|letter| rank[usize::from(letter)]);
            written.push((*given, part.symmetries.least(ranks)));
            // Those of one shape come in the order of their letters.
            if part.shape != self.parts[before].1.shape {
                before = place;
            }
            let mut at = place;
            while at > before && written[at].1 < written[at - 1].1 {
                written.swap(at, at - 1);
                at -= 1;
            }
        }
        let mut met = [NONE; MOST_LETTERS];
        let mut as_met = *order;
        let mut next = 0;
        for (_, ranks) in &mut written {
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
        (as_met, written)
    }
}

/// Makes one orbit of those of two letters.
fn join(orbits: &mut [u8; MOST_LETTERS], a: u8, b: u8) {
    let [a, b] = [a, b].map(|letter| orbits[usize::from(letter)]);
    for orbit in orbits {
        if *orbit == a {
            *orbit = b;
        }
    }
}

/// What tells two ways to write one land apart, and which is less: shapes come in the same order.
fn ranks(written: &LabelledRegions) -> impl Iterator<Item = Labels> {
    written.iter().map(|&(_, ranks)| ranks)
}
