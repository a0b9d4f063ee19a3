//! All moves in a land: a curve inside a region joins two spots, or a spot to itself, and gets a new spot or a cross on
//! it. A spot has at most three lines.
//!
//! Boundaries of a region are alike if their marks are equal and they share no spot with another region. It
//! does not matter from which of them a curve starts, and on each side of a curve only their number counts.

use std::ops::{ControlFlow, Range};

use super::rules::Point;
use super::working_position::{END_OF_BOUNDARY, END_OF_REGION, Lands, Spot};
use super::{Land, WorkingPosition, land};
use crate::format::Ruleset;

/// Calls `visit` with the option of every move in a land, some more than once, until `visit` breaks.
pub(crate) fn each<B>(
    land: &Land,
    game: Ruleset,
    visit: &mut dyn FnMut(&Lands) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let marks = land.marks();
    let before = WorkingPosition::of(marks, game);
    let mut after = WorkingPosition::new(game);
    let (mut region, mut boundary) = (0, 0);
    let mut groups: Vec<Group> = Vec::new();
    for (at, &mark) in marks.iter().enumerate() {
        if mark == land::BOUNDARY {
            let place = boundary..at;
            let is_alike = |group: &&mut Group| marks[group.last()] == marks[place.clone()];
            // In canonical form, equal boundaries are side by side.
            match groups.last_mut().filter(is_alike) {
                Some(group) if marks[place.clone()].iter().all(|&mark| mark < land::SHARED) => {
                    group.boundaries.push(place);
                }
                _ => groups.push(Group {
                    boundaries: vec![place],
                }),
            }
            boundary = at + 1;
        } else if mark == land::REGION {
            for &point in game.points() {
                let mut moves = RegionMoves {
                    before: &before,
                    region: region..at + 1,
                    groups: &groups,
                    point,
                    after: &mut after,
                    visit,
                };
                moves.joins_on_one_boundary()?;
                moves.joins_of_two_boundaries()?;
            }
            groups.clear();
            (region, boundary) = (at + 1, at + 1);
        }
    }
    ControlFlow::Continue(())
}

/// Boundaries of a region that are alike.
struct Group {
    /// The place of each, without its end.
    boundaries: Vec<Range<usize>>,
}

impl Group {
    /// The last one. Curves start from it, so the others are those before it.
    fn last(&self) -> Range<usize> {
        self.boundaries[self.boundaries.len() - 1].clone()
    }
}

/// Makes all moves in one region.
struct RegionMoves<'a, B> {
    before: &'a WorkingPosition,
    /// The place of the region, with its end.
    region: Range<usize>,
    groups: &'a [Group],
    point: Point,
    after: &'a mut WorkingPosition,
    visit: &'a mut dyn FnMut(&Lands) -> ControlFlow<B>,
}

impl<B> RegionMoves<'_, B> {
    fn joins_on_one_boundary(&mut self) -> ControlFlow<B> {
        for group in self.groups {
            let boundary = &self.before.spots[group.last()];
            for i in 0..boundary.len() {
                for j in i..boundary.len() {
                    let is_twice = boundary[i] == boundary[j];
                    if !is_twice || i == j && self.lives(boundary[i]) >= 2 {
                        self.cut(group, boundary, i, j)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Joins the spots at i and j of a boundary, and distributes the other boundaries over the two sides in
    /// every way.
    fn cut(&mut self, cut: &Group, boundary: &[Spot], i: usize, j: usize) -> ControlFlow<B> {
        // The number of boundaries of each group on the side of the spots from i to j.
        let mut inside = vec![0; self.groups.len()];
        let is_cut = |group| usize::from(std::ptr::eq(group, cut));
        let free = |group: &Group| group.boundaries.len() - is_cut(group);
        let free: Vec<usize> = self.groups.iter().map(free).collect();
        loop {
            let [one, other] = self.begin(boundary[i], boundary[j]);
            let spots = &mut self.after.spots;
            spots.extend_from_slice(&boundary[j..]);
            spots.extend_from_slice(&boundary[..=i]);
            spots.extend([one, END_OF_BOUNDARY]);
            self.push_others(|group| inside[group]..free[group]);
            let spots = &mut self.after.spots;
            spots.extend_from_slice(&boundary[i..=j]);
            spots.extend([other, END_OF_BOUNDARY]);
            self.push_others(|group| 0..inside[group]);
            self.show()?;
            let Some(next) = (0..free.len()).find(|&group| inside[group] < free[group]) else {
                return ControlFlow::Continue(());
            };
            inside[next] += 1;
            inside[..next].fill(0);
        }
    }

    fn joins_of_two_boundaries(&mut self) -> ControlFlow<B> {
        for (g, group) in self.groups.iter().enumerate() {
            for (h, other) in self.groups.iter().enumerate().skip(g) {
                // Two boundaries of one group are its last two.
                let used = |k| usize::from(k == g) + usize::from(k == h);
                let Some(from) = group.boundaries.len().checked_sub(used(g)) else {
                    continue;
                };
                let from = &self.before.spots[group.boundaries[from].clone()];
                let to = &self.before.spots[other.last()];
                for i in 0..from.len() {
                    for j in 0..to.len() {
                        let [one, other] = self.begin(from[i], to[j]);
                        for (boundary, at, new) in [(from, i, one), (to, j, other)] {
                            let spots = &mut self.after.spots;
                            spots.extend_from_slice(&boundary[at..]);
                            spots.extend_from_slice(&boundary[..=at]);
                            spots.push(new);
                        }
                        self.after.spots.push(END_OF_BOUNDARY);
                        self.push_others(|k| 0..self.groups[k].boundaries.len() - used(k));
                        self.show()?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn lives(&self, spot: Spot) -> u8 {
        self.before.lives[usize::from(spot)]
    }

    /// Begins the position after a move: copies the other regions, and takes a life from each joined spot. Returns the
    /// new spots on either side of the curve, with one life: one spot twice, or the two ends of a cross.
    fn begin(&mut self, a: Spot, b: Spot) -> [Spot; 2] {
        let Self { before, after, .. } = self;
        let Range { start, end } = self.region;
        after.spots.clear();
        after.spots.extend_from_slice(&before.spots[..start]);
        after.spots.extend_from_slice(&before.spots[end..]);
        after.lives.clone_from(&before.lives);
        after.lives[usize::from(a)] -= 1;
        after.lives[usize::from(b)] -= 1;
        let new = after.new_spot(1);
        match self.point {
            Point::Spot => [new, new],
            Point::Cross => [new, after.new_spot(1)],
        }
    }

    /// Adds a part of each group, and ends the region.
    fn push_others(&mut self, part: impl Fn(usize) -> Range<usize>) {
        for (number, group) in self.groups.iter().enumerate() {
            for boundary in &group.boundaries[part(number)] {
                let with_end = &self.before.spots[boundary.start..=boundary.end];
                self.after.spots.extend_from_slice(with_end);
            }
        }
        self.after.spots.push(END_OF_REGION);
    }

    fn show(&mut self) -> ControlFlow<B> {
        (self.visit)(self.after.simplified())
    }
}
