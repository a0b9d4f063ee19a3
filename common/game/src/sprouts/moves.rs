//! The moves of a land, by rewriting its raw position.
//!
//! A move joins two spots of a region by a curve and puts a point on it: a dot or a cross. If the spots are on two
//! boundaries, these become one and the region stays whole. If both are on one boundary, the curve closes along it, and
//! the region is [cut](super::cuts) along a closed curve. On the sphere, that leaves two parts. The other boundaries
//! are shared out between the parts in all ways. `docs/explanation/surfaces.md` explains why these are all moves.
//!
//! Boundaries of a region that look alike are interchangeable: only their *number* on each side matters. Moves that
//! [a symmetry of the region](super::alike) maps to earlier ones are left out.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::alike::{Kinds, is_chiral, mirrored};
use super::cuts::{Cut, cuts};
use super::rules::{Point, Rules};
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::surface::Surface;

/// Receives positions until it breaks.
type Sink<'a> = &'a mut dyn FnMut(&RawPosition) -> ControlFlow<()>;

/// Passes every position after one move to `sink`, without simplification, some more than once.
pub(super) fn each(land: &RawPosition, rules: Rules, sink: Sink<'_>) -> ControlFlow<()> {
    for region in 0..land.regions() {
        let kinds = Kinds::of(land, region);
        for &point in rules.points {
            let mut writer = Writer::new(land, region, point);
            for (i, kind) in kinds.all.iter().enumerate() {
                within_one(&mut writer, &kinds, i, sink)?;
                if kind.boundaries.len() > 1 {
                    between_two(&mut writer, &kinds, [i, i], sink)?;
                }
                for j in i + 1..kinds.all.len() {
                    between_two(&mut writer, &kinds, [i, j], sink)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// A part of a cut region, and whether boundaries in it are mirrored.
type Part = (usize, bool);

/// The number of boundaries of a kind in each part.
type Share = SmallVec<[(Part, usize); 4]>;

/// The first way to share out some boundaries among the parts of a cut region: all go to the last one. An orientable
/// part of a whole without an orientation is there twice for a chiral boundary: the curve can be drawn so that each
/// boundary arrives either way.
fn first_share(boundaries: &[&[Spot]], whole: Surface, parts: &[Surface]) -> Share {
    let mut share = Share::new();
    for (part, surface) in parts.iter().enumerate().rev() {
        share.push(((part, false), 0));
        let gains_orientation = surface.is_orientable() && !whole.is_orientable();
        if gains_orientation && boundaries.first().is_some_and(|first| is_chiral(first)) {
            share.push(((part, true), 0));
        }
    }
    share[0].1 = boundaries.len();
    share
}

/// Advances to the next way, as in NEXCOM of Nijenhuis and Wilf (1978). After the last way, restarts with the first and
/// returns false.
fn next_share(share: &mut Share) -> bool {
    let Some(first) = share.iter().position(|&(_, count)| count > 0) else {
        return false;
    };
    let count = std::mem::take(&mut share[first].1);
    let has_next = first + 1 < share.len();
    share[0].1 = count - usize::from(has_next);
    if has_next {
        share[first + 1].1 += 1;
    }
    has_next
}

/// All moves that join two spots of a boundary of kind `own`, or one of its spots to itself.
fn within_one(
    writer: &mut Writer<'_>,
    kinds: &Kinds<'_>,
    own: usize,
    sink: Sink<'_>,
) -> ControlFlow<()> {
    let boundary = kinds.all[own].boundaries[0];
    let mut others: Vec<&[&[Spot]]> = kinds.all.iter().map(|kind| &kind.boundaries[..]).collect();
    others[own] = &others[own][1..];
    for i in 0..boundary.len() {
        for j in i..boundary.len() {
            let is_loop = i == j;
            if is_loop && boundary[i].lives() < 2
                || !is_loop && is_one_letter(boundary[i], boundary[j])
                || kinds.has_earlier_pair(own, [i, j])
            {
                continue;
            }
            let (from, to) = if is_loop {
                [writer.after(boundary[i], 2, 0); 2].into()
            } else {
                (
                    writer.after(boundary[i], 1, 0),
                    writer.after(boundary[j], 1, 1),
                )
            };
            let new = writer.point();
            // The two parts of the boundary: from one end of the curve around to the other, and back along the curve.
            let outer = [&[to], &boundary[j + 1..], &boundary[..i], &[from, new]].concat();
            let inner = if is_loop {
                vec![to, new]
            } else {
                [&[from], &boundary[i + 1..j], &[to, new]].concat()
            };
            writer.join(boundary[i], boundary[j]);
            // Both sides of a loop at a spot that is alone on its boundary are equal.
            let has_equal_sides = if is_loop {
                boundary.len() == 1
            } else {
                kinds.has_equal_sides(own, [i, j])
            };
            for cut in cuts(writer.surface()) {
                leave(
                    writer,
                    [&outer, &inner],
                    cut,
                    has_equal_sides,
                    &others,
                    sink,
                )?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The boundaries along a curve, each with the number of its part of the region, and the surfaces of these parts.
type Left = (Vec<(usize, Vec<Spot>)>, SmallVec<[Surface; 2]>);

/// The moves with this cut and these two parts of the boundary.
fn leave(
    writer: &mut Writer<'_>,
    [outer, inner]: [&[Spot]; 2],
    cut: Cut,
    has_equal_sides: bool,
    others: &[&[&[Spot]]],
    sink: Sink<'_>,
) -> ControlFlow<()> {
    let whole = writer.surface();
    let (own, parts): Left = match cut {
        Cut::Apart(parts) => (vec![(0, outer.to_vec()), (1, inner.to_vec())], parts.into()),
        Cut::TwoSided(left) => {
            // Mirrored; otherwise the surface would have had an orientation as well.
            let gains_orientation = left.is_orientable() && !whole.is_orientable();
            let other = if gains_orientation {
                mirrored(inner)
            } else {
                inner.to_vec()
            };
            (vec![(0, outer.to_vec()), (0, other)], [left][..].into())
        }
        Cut::OneSided(left) => {
            // Twice along the curve, each time with the new point, which is first in the mirror image.
            let (new, rest) = inner.split_last().expect("a curve has a point");
            let twice = [outer, &mirrored(rest), &[*new]].concat();
            (vec![(0, twice)], [left][..].into())
        }
    };
    if has_equal_sides && parts.len() == 2 && parts[0] > parts[1] {
        return ControlFlow::Continue(());
    }
    let shares = others.iter().map(|kind| first_share(kind, whole, &parts));
    let mut shares: Vec<Share> = shares.collect();
    loop {
        // Of two complementary ways to share out between equal sides, one is enough.
        let of = |part: usize| {
            let places = shares.iter().flatten();
            places
                .filter(move |((at, _), _)| *at == part)
                .map(|(_, count)| *count)
        };
        if !(has_equal_sides && parts.len() == 2 && parts[0] == parts[1]) || of(0).le(of(1)) {
            writer.begin();
            for (part, &surface) in parts.iter().enumerate() {
                for (_, boundary) in own.iter().filter(|(at, _)| *at == part) {
                    writer.push_boundary(boundary);
                }
                for (kind, share) in others.iter().zip(&shares) {
                    let mut rest = kind.iter();
                    for &((at, is_mirrored), count) in share {
                        for boundary in rest.by_ref().take(count).filter(|_| at == part) {
                            if is_mirrored {
                                writer.push_boundary(&mirrored(boundary));
                            } else {
                                writer.push_boundary(boundary);
                            }
                        }
                    }
                }
                writer.out.end_region_on(surface);
            }
            sink(writer.finish())?;
        }
        if !shares.iter_mut().any(next_share) {
            return ControlFlow::Continue(());
        }
    }
}

/// All moves that join a spot of a boundary of one kind to a spot of a boundary of the other.
fn between_two(
    writer: &mut Writer<'_>,
    kinds: &Kinds<'_>,
    pair: [usize; 2],
    sink: Sink<'_>,
) -> ControlFlow<()> {
    let same_kind = pair[0] == pair[1];
    let first = kinds.all[pair[0]].boundaries[0];
    let second = kinds.all[pair[1]].boundaries[usize::from(same_kind)];
    let new = writer.point();
    for i in 0..first.len() {
        for j in if same_kind { i } else { 0 }..second.len() {
            if is_one_letter(first[i], second[j]) || kinds.has_earlier_places(pair, [i, j]) {
                continue;
            }
            writer.join(first[i], second[j]);
            let around = |writer: &Writer<'_>, boundary: &[Spot], start: usize, letter: usize| {
                let end = [writer.after(boundary[start], 1, letter)];
                // Around to the other side of the curve. An isolated spot has only one side.
                match boundary[start] {
                    Spot::ISOLATED => end.to_vec(),
                    _ => [&end, &boundary[start + 1..], &boundary[..start], &end].concat(),
                }
            };
            let (one, other) = (around(writer, first, i, 0), around(writer, second, j, 1));
            let image = mirrored(&other);
            // Without an orientation, either boundary can be traversed in both directions.
            let is_other = !writer.surface().is_orientable() && image != other;
            for other in [Some(other), is_other.then_some(image)]
                .into_iter()
                .flatten()
            {
                writer.begin();
                writer.push_boundary(&[&one[..], &[new], &other, &[new]].concat());
                for (k, kind) in kinds.all.iter().enumerate() {
                    let joined = pair.iter().filter(|&&kind| kind == k).count();
                    for boundary in &kind.boundaries[joined..] {
                        writer.push_boundary(boundary);
                    }
                }
                writer.out.end_region_on(writer.surface());
                sink(writer.finish())?;
            }
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
    /// The letters at the ends of the curve; [`Spot::DEAD`] for other spots.
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

    /// The surface on which moves are made.
    fn surface(&self) -> Surface {
        self.land.surface(self.region)
    }

    /// Prepares moves that join these two spots.
    fn join(&mut self, from: Spot, to: Spot) {
        self.killed = [from, to].map(|spot| match spot.number() {
            Some(_) => spot,
            None => Spot::DEAD,
        });
    }

    /// Starts a move.
    fn begin(&mut self) {
        self.out.clear();
        // The two ends of the curve, and the point on it.
        self.out.reserve_letters(self.land.letters() + 3);
    }

    /// The point on the curve, as seen from either side.
    fn point(&self) -> Spot {
        match self.point {
            Point::Dot => Spot::letter(self.land.letters() + 2),
            Point::Cross => Spot::MID,
        }
    }

    /// The spot on both sides of the curve after `lines` more lines. `end` is the number of the end of the curve.
    fn after(&self, spot: Spot, lines: u32, end: usize) -> Spot {
        match (spot, lines) {
            (Spot::ISOLATED, 1) => Spot::END,
            (Spot::ISOLATED, 2) | (Spot::END, 1) => Spot::letter(self.land.letters() + end),
            _ => Spot::DEAD,
        }
    }

    fn push_boundary(&mut self, spots: &[Spot]) {
        for &spot in spots {
            if spot != Spot::DEAD && !self.killed.contains(&spot) {
                self.out.push(spot);
            }
        }
        self.out.end_boundary();
    }

    /// Writes the other regions.
    fn finish(&mut self) -> &RawPosition {
        let land = self.land;
        let moved_in = self.region;
        for region in (0..land.regions()).filter(|&region| region != moved_in) {
            for boundary in land.boundaries(region) {
                self.push_boundary(boundary);
            }
            self.out.end_region_on(land.surface(region));
        }
        &self.out
    }
}
