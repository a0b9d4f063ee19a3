//! All moves in a land: in one region two spots, or one spot with itself, are joined by a curve with a new
//! spot on it. A spot may have three lines at most.
//!
//! Boundaries of a region that are written alike and share no spot with another region are alike: it does not
//! matter which of them a curve starts from, and of those that a curve parts only their number counts.

use std::ops::{ControlFlow, Range};

use super::Land;
use super::land;
use super::paper::{END_OF_BOUNDARY, END_OF_REGION, Lands, Paper, Spot};

/// Shows what every move in the land leads to, some more than once, until `see` breaks.
///
/// # Errors
/// `Break` as `see` said.
pub(crate) fn each<B>(
    land: &Land,
    see: &mut dyn FnMut(&Lands) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let before = Paper::of_land(land.marks());
    let mut after = Paper::default();
    let mut region_start = 0;
    for region in land::regions(land.marks()) {
        let groups = groups(region, region_start, &before.spots);
        let end = groups
            .last()
            .map_or(region_start, |group| group.last().end + 1);
        let mut table = Table {
            before: &before,
            region: region_start..end + 1,
            groups: &groups,
            after: &mut after,
            see,
        };
        table.joins_on_one_boundary()?;
        table.joins_of_two_boundaries()?;
        region_start = end + 1;
    }
    ControlFlow::Continue(())
}

/// Boundaries of a region that are alike, or one that is like no other.
struct Group {
    /// Where each is on the paper, without its end.
    boundaries: Vec<Range<usize>>,
}

impl Group {
    /// The last one. Curves start from it, so that the others are those in front.
    fn last(&self) -> Range<usize> {
        self.boundaries[self.boundaries.len() - 1].clone()
    }
}

/// The boundaries of a region that starts there on the paper. In the canonical form boundaries that are
/// written alike stand side by side.
fn groups(region: &[land::Mark], start: usize, spots: &[Spot]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut before: &[land::Mark] = &[];
    let mut at = start;
    for boundary in land::boundaries(region) {
        let range = at..at + boundary.len();
        debug_assert_eq!(spots[range.end], END_OF_BOUNDARY);
        at = range.end + 1;
        let is_bound = boundary.iter().any(|&mark| mark >= land::SHARED);
        match groups.last_mut() {
            Some(group) if boundary == before && !is_bound => group.boundaries.push(range),
            _ => groups.push(Group {
                boundaries: vec![range],
            }),
        }
        before = boundary;
    }
    groups
}

/// A region in which moves are made.
struct Table<'a, B> {
    before: &'a Paper,
    /// The region, with its end.
    region: Range<usize>,
    groups: &'a [Group],
    after: &'a mut Paper,
    see: &'a mut dyn FnMut(&Lands) -> ControlFlow<B>,
}

impl<B> Table<'_, B> {
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

    /// Joins the spots at i and j of a boundary, with the other boundaries on either side in every way.
    fn cut(&mut self, cut: &Group, boundary: &[Spot], i: usize, j: usize) -> ControlFlow<B> {
        // How many of each group are on the side of the spots from i to j.
        let mut inside = vec![0; self.groups.len()];
        let free: Vec<usize> = self
            .groups
            .iter()
            .map(|group| group.boundaries.len() - usize::from(std::ptr::eq(group, cut)))
            .collect();
        loop {
            let new = self.begin(boundary[i], boundary[j]);
            let spots = &mut self.after.spots;
            spots.extend_from_slice(&boundary[j..]);
            spots.extend_from_slice(&boundary[..=i]);
            spots.extend([new, END_OF_BOUNDARY]);
            self.push_others(|group| inside[group]..free[group]);
            let spots = &mut self.after.spots;
            spots.extend_from_slice(&boundary[i..=j]);
            spots.extend([new, END_OF_BOUNDARY]);
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
                // Two of one group are its last two.
                let used = |k| usize::from(k == g) + usize::from(k == h);
                let Some(from) = group.boundaries.len().checked_sub(used(g)) else {
                    continue;
                };
                let from = &self.before.spots[group.boundaries[from].clone()];
                let to = &self.before.spots[other.last()];
                for i in 0..from.len() {
                    for j in 0..to.len() {
                        let new = self.begin(from[i], to[j]);
                        for (boundary, at) in [(from, i), (to, j)] {
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

    /// Begins the paper after a move with the other regions, and the spots that it takes a life from. Returns
    /// the new spot, which has two lines.
    fn begin(&mut self, a: Spot, b: Spot) -> Spot {
        let Self { before, after, .. } = self;
        after.spots.clear();
        after
            .spots
            .extend_from_slice(&before.spots[..self.region.start]);
        after
            .spots
            .extend_from_slice(&before.spots[self.region.end..]);
        after.lives.clone_from(&before.lives);
        after.lives[usize::from(a)] -= 1;
        after.lives[usize::from(b)] -= 1;
        after.new_spot(1)
    }

    /// Writes a part of each group, and ends the region.
    fn push_others(&mut self, part: impl Fn(usize) -> Range<usize>) {
        for (number, group) in self.groups.iter().enumerate() {
            for boundary in &group.boundaries[part(number)] {
                let with_end = boundary.start..=boundary.end;
                self.after
                    .spots
                    .extend_from_slice(&self.before.spots[with_end]);
            }
        }
        self.after.spots.push(END_OF_REGION);
    }

    fn show(&mut self) -> ControlFlow<B> {
        (self.see)(self.after.simplified())
    }
}
