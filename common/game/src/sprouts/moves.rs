//! The moves of a land, by rewriting its raw position.
//!
//! A move joins two spots of a region by a curve and puts a point on it: a dot or a cross. If both spots are on one
//! boundary, the region is cut in two, and its other boundaries are distributed between the parts in
//! all ways. If they are on two boundaries, these become one and the region stays whole.
//!
//! Boundaries of a region that look alike and share no spot with another boundary are
//! interchangeable: only the *number* of them on each side matters.

use std::ops::ControlFlow;

use super::rules::{Point, Rules};
use sproutnet_notation::raw::{RawPosition, Spot};

/// Receives positions until it breaks.
type Sink<'a> = &'a mut dyn FnMut(&RawPosition) -> ControlFlow<()>;

/// Passes every position after one move to `sink`, without simplification, some more than once.
pub(super) fn each(land: &RawPosition, rules: Rules, sink: Sink<'_>) -> ControlFlow<()> {
    for region in 0..land.regions() {
        let kinds = kinds_of_boundaries(land, region);
        for &point in rules.points {
            let mut writer = Writer::new(land, region, point);
            for (i, kind) in kinds.iter().enumerate() {
                within_one(&mut writer, &kinds, i, sink)?;
                if kind.len() > 1 {
                    between_two(&mut writer, &kinds, [i, i], sink)?;
                }
                for j in i + 1..kinds.len() {
                    between_two(&mut writer, &kinds, [i, j], sink)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The boundaries of a region that are alike, at least one.
type Kind<'a> = Vec<&'a [Spot]>;

fn kinds_of_boundaries(land: &RawPosition, region: usize) -> Vec<Kind<'_>> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for boundary in land.boundaries(region) {
        match kinds.iter_mut().find(|kind| alike(kind[0], boundary)) {
            Some(kind) => kind.push(boundary),
            None => kinds.push(vec![boundary]),
        }
    }
    kinds
}

/// Whether two boundaries are equal except for the names of letters with both copies there.
fn alike(a: &[Spot], b: &[Spot]) -> bool {
    let other_copy = |boundary: &[Spot], i: usize| {
        (0..boundary.len()).find(|&j| j != i && boundary[j] == boundary[i])
    };
    let alike_at = |i: usize| match (a[i].number(), b[i].number()) {
        (None, None) => a[i] == b[i],
        (Some(_), Some(_)) => {
            let other = other_copy(a, i);
            other.is_some() && other == other_copy(b, i)
        }
        _ => false,
    };
    a.len() == b.len() && (0..a.len()).all(alike_at)
}

/// All moves that join two spots of a boundary of kind `own`, or one of its spots to itself.
fn within_one(
    writer: &mut Writer<'_>,
    kinds: &[Kind<'_>],
    own: usize,
    sink: Sink<'_>,
) -> ControlFlow<()> {
    let boundary = kinds[own][0];
    for i in 0..boundary.len() {
        for j in i..boundary.len() {
            let is_loop = i == j;
            if is_loop && boundary[i].lives() < 2
                || !is_loop && is_one_letter(boundary[i], boundary[j])
            {
                continue;
            }
            let mut taken: Vec<usize> = kinds.iter().map(|_| 0).collect();
            let mut others: Vec<usize> = kinds.iter().map(Vec::len).collect();
            others[own] -= 1;
            loop {
                // Both sides of a loop at a spot that is alone on its boundary are equal, so one of two
                // complementary distributions is enough.
                let left = others.iter().zip(&taken).map(|(all, taken)| all - taken);
                if !(is_loop && boundary.len() == 1) || taken.iter().copied().le(left) {
                    writer.begin(boundary[i], boundary[j]);
                    let from = writer.after(boundary[i], if is_loop { 2 } else { 1 });
                    let to = match is_loop {
                        true => from,
                        false => writer.after(boundary[j], 1),
                    };
                    let new = writer.point();
                    // From one end of the curve around to the other, and back along the curve.
                    writer.push(to);
                    writer.push_all(&boundary[j + 1..]);
                    writer.push_all(&boundary[..i]);
                    writer.push(from);
                    writer.push(new);
                    writer.out.end_boundary();
                    writer.push_distributed(kinds, own, |kind| 0..taken[kind]);
                    writer.out.end_region();
                    // The other way round.
                    if !is_loop {
                        writer.push(from);
                        writer.push_all(&boundary[i + 1..j]);
                    }
                    writer.push(to);
                    writer.push(new);
                    writer.out.end_boundary();
                    writer.push_distributed(kinds, own, |kind| taken[kind]..others[kind]);
                    writer.out.end_region();
                    sink(writer.finish())?;
                }
                if !next_distribution(&mut taken, &others) {
                    break;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Advances to the next way to take some of each kind. False after the last one.
fn next_distribution(taken: &mut [usize], available: &[usize]) -> bool {
    for (taken, &available) in taken.iter_mut().zip(available) {
        if *taken < available {
            *taken += 1;
            return true;
        }
        *taken = 0;
    }
    false
}

/// All moves that join a spot of a boundary of one kind to a spot of a boundary of the other.
fn between_two(
    writer: &mut Writer<'_>,
    kinds: &[Kind<'_>],
    pair: [usize; 2],
    sink: Sink<'_>,
) -> ControlFlow<()> {
    let same_kind = pair[0] == pair[1];
    let first = kinds[pair[0]][0];
    let second = kinds[pair[1]][usize::from(same_kind)];
    for i in 0..first.len() {
        for j in if same_kind { i } else { 0 }..second.len() {
            if is_one_letter(first[i], second[j]) {
                continue;
            }
            writer.begin(first[i], second[j]);
            let new = writer.point();
            for (boundary, start) in [(first, i), (second, j)] {
                let after = writer.after(boundary[start], 1);
                writer.push(after);
                writer.push_all(&boundary[start + 1..]);
                writer.push_all(&boundary[..start]);
                // Around to the other side of the curve. An isolated spot has only one side.
                if boundary[start] != Spot::ISOLATED {
                    writer.push(after);
                }
                writer.push(new);
            }
            writer.out.end_boundary();
            for (k, kind) in kinds.iter().enumerate() {
                let joined = pair.iter().filter(|&&kind| kind == k).count();
                for boundary in &kind[joined..] {
                    writer.push_boundary(boundary);
                }
            }
            writer.out.end_region();
            sink(writer.finish())?;
        }
    }
    ControlFlow::Continue(())
}

fn is_one_letter(a: Spot, b: Spot) -> bool {
    a == b && a.number().is_some()
}

/// Writes the land after a move, without the spots that die.
struct Writer<'a> {
    land: &'a RawPosition,
    region: usize,
    point: Point,
    /// Letters that the move uses; [`Spot::DEAD`] where it uses none.
    killed: [Spot; 2],
    out: RawPosition,
}

impl<'a> Writer<'a> {
    fn new(land: &'a RawPosition, region: usize, point: Point) -> Self {
        Self {
            land,
            region,
            point,
            killed: [Spot::DEAD; 2],
            out: RawPosition::default(),
        }
    }

    /// Starts a move that joins these two spots.
    fn begin(&mut self, from: Spot, to: Spot) {
        self.killed = [from, to].map(|spot| match spot.number() {
            Some(_) => spot,
            None => Spot::DEAD,
        });
        self.out.clear();
        self.out.reserve_letters(self.land.letters());
    }

    /// What the point on the curve is on either side of it.
    fn point(&mut self) -> Spot {
        match self.point {
            Point::Dot => self.out.new_letter(),
            Point::Cross => Spot::MID,
        }
    }

    /// The spot on both sides of the curve, after some lines were drawn to it.
    fn after(&mut self, spot: Spot, lines: u32) -> Spot {
        match (spot, lines) {
            (Spot::ISOLATED, 1) => Spot::END,
            (Spot::ISOLATED, 2) | (Spot::END, 1) => self.out.new_letter(),
            _ => Spot::DEAD,
        }
    }

    fn push(&mut self, spot: Spot) {
        if spot != Spot::DEAD && !self.killed.contains(&spot) {
            self.out.push(spot);
        }
    }

    fn push_all(&mut self, spots: &[Spot]) {
        for &spot in spots {
            self.push(spot);
        }
    }

    fn push_boundary(&mut self, spots: &[Spot]) {
        self.push_all(spots);
        self.out.end_boundary();
    }

    /// Writes the boundaries in the range that `share` gives for each kind, except for the first one of
    /// kind `own`, on which the move was made.
    fn push_distributed(
        &mut self,
        kinds: &[Kind<'_>],
        own: usize,
        share: impl Fn(usize) -> std::ops::Range<usize>,
    ) {
        for (k, kind) in kinds.iter().enumerate() {
            let others = &kind[usize::from(k == own)..];
            for boundary in &others[share(k)] {
                self.push_boundary(boundary);
            }
        }
    }

    /// Writes the other regions.
    fn finish(&mut self) -> &RawPosition {
        let land = self.land;
        let moved_in = self.region;
        for region in (0..land.regions()).filter(|&region| region != moved_in) {
            for boundary in land.boundaries(region) {
                self.push_boundary(boundary);
            }
            self.out.end_region();
        }
        &self.out
    }
}
