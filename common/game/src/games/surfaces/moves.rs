//! The moves. A move joins two spots of a region by a curve. Cutting along the curve leaves what `docs/surfaces.md`
//! derives from the classification of surfaces.

use std::ops::ControlFlow;

use sproutnet_notation::raw::Spot;

use super::canonical::{is_alike, is_chiral};
use super::region::{Boundary, Region, letters};

/// Receives what a move makes of the region in which it is made.
type Sink<'a> = &'a mut dyn FnMut(&[Region]) -> ControlFlow<()>;

/// Boundaries that are alike: at least one, unless the move took it.
type Kind<'a> = &'a [&'a Boundary];

/// Passes every position after one move to `sink`, without simplification, some more than once.
pub(super) fn each(
    land: &[Region],
    sink: &mut dyn FnMut(Vec<Region>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let letters = letters(land);
    for (at, region) in land.iter().enumerate() {
        in_region(region, letters, &mut |killed, after| {
            let others = land[..at].iter().chain(&land[at + 1..]);
            let mut regions: Vec<Region> = others.chain(after).cloned().collect();
            let spots = regions.iter_mut().flat_map(|region| &mut region.boundaries);
            for spot in spots.flatten() {
                if spot.number().is_some() && killed.contains(spot) {
                    *spot = Spot::DEAD;
                }
            }
            sink(regions)
        })?;
    }
    ControlFlow::Continue(())
}

/// Passes the two spots that each move in a region joins, and what it makes of the region, to `sink`. New letters have
/// numbers from `letters` on.
fn in_region(
    region: &Region,
    letters: usize,
    sink: &mut dyn FnMut([Spot; 2], &[Region]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut kinds: Vec<Vec<&Boundary>> = Vec::new();
    for boundary in &region.boundaries {
        match kinds.iter_mut().find(|kind| is_alike(kind[0], boundary)) {
            Some(kind) => kind.push(boundary),
            None => kinds.push(vec![boundary]),
        }
    }
    for i in 0..kinds.len() {
        let one = kinds[i][0];
        let mut others: Vec<Kind<'_>> = kinds.iter().map(|kind| &kind[..]).collect();
        others[i] = &kinds[i][1..];
        for (a, &from) in one.iter().enumerate() {
            for (b, &to) in one.iter().enumerate().skip(a) {
                if a == b && from.lives() >= 2 || a < b && is_free(from, to) {
                    let ends = Ends::new(from, to, a == b, letters);
                    let curve = Curve {
                        region,
                        others: &others,
                    };
                    curve.within(one, [a, b], ends, &mut |after| sink([from, to], after))?;
                }
            }
        }
        for j in (i..kinds.len()).filter(|&j| !others[j].is_empty()) {
            let two = others[j][0];
            let mut others = others.clone();
            others[j] = &others[j][1..];
            for (a, &from) in one.iter().enumerate() {
                for (b, &to) in two.iter().enumerate().filter(|(_, to)| is_free(from, **to)) {
                    let ends = Ends::new(from, to, false, letters);
                    let curve = Curve {
                        region,
                        others: &others,
                    };
                    let pair = [&one.rotated(a), &two.rotated(b)];
                    curve.between(pair, ends, &mut |after| sink([from, to], after))?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether a curve can join two places: it cannot if they are copies of a letter, which has one life.
fn is_free(from: Spot, to: Spot) -> bool {
    from != to || from.number().is_none()
}

trait Rotated {
    /// The boundary read from a place on.
    fn rotated(&self, start: usize) -> Self;
}

impl Rotated for Boundary {
    fn rotated(&self, start: usize) -> Self {
        [&self[start..], &self[..start]].concat()
    }
}

/// What the ends of a curve become, and the spot on it.
#[derive(Clone, Copy)]
struct Ends {
    from: Spot,
    to: Spot,
    new: Spot,
}

impl Ends {
    fn new(from: Spot, to: Spot, is_loop: bool, letters: usize) -> Self {
        let [one, two, new] = [0, 1, 2].map(|k| Spot::letter(letters + k));
        let after = |spot, lines, letter| match (spot, lines) {
            (Spot::ISOLATED, 1) => Spot::END,
            (Spot::ISOLATED, 2) | (Spot::END, 1) => letter,
            _ => Spot::DEAD,
        };
        let (from, to) = match is_loop {
            true => (after(from, 2, one), after(from, 2, one)),
            false => (after(from, 1, one), after(to, 1, two)),
        };
        Self { from, to, new }
    }
}

/// A curve in a region, and the boundaries that it does not meet.
struct Curve<'a> {
    region: &'a Region,
    others: &'a [Kind<'a>],
}

impl Curve<'_> {
    /// The curves from place `a` of a boundary to place `b`.
    fn within(
        &self,
        boundary: &Boundary,
        [a, b]: [usize; 2],
        ends: Ends,
        sink: Sink<'_>,
    ) -> ControlFlow<()> {
        let Ends { from, to, new } = ends;
        // The two parts of the boundary, each read in its direction and closed along the curve.
        let outer = [&[to], &boundary[b + 1..], &boundary[..a], &[from, new]].concat();
        let inner = match a == b {
            true => vec![to, new],
            false => [&[from], &boundary[a + 1..b], &[to, new]].concat(),
        };
        let mut mirrored = inner.clone();
        mirrored.reverse();
        let surface = self.region.surface;
        for (one, other) in surface.parts() {
            let [one, other] = [(one, &outer), (other, &inner)].map(|(surface, part)| Region {
                surface,
                boundaries: vec![part.clone()],
            });
            self.share_out(&mut [one, other], sink)?;
        }
        for left in surface.cut_two_sided() {
            // Mirrored, for else the surface would have had an orientation as well.
            let inner = match left.is_orientable() && !surface.is_orientable() {
                true => &mirrored,
                false => &inner,
            };
            let boundaries = vec![outer.clone(), inner.clone()];
            self.share_out(
                &mut [Region {
                    surface: left,
                    boundaries,
                }],
                sink,
            )?;
        }
        for left in surface.cut_one_sided() {
            // Along the curve twice, each time with the new spot. `mirrored` begins with it.
            let twice = [&outer[..], &mirrored[1..], &[new]].concat();
            let boundaries = vec![twice];
            self.share_out(
                &mut [Region {
                    surface: left,
                    boundaries,
                }],
                sink,
            )?;
        }
        ControlFlow::Continue(())
    }

    /// The curves between the first places of two boundaries.
    fn between(&self, [one, two]: [&Boundary; 2], ends: Ends, sink: Sink<'_>) -> ControlFlow<()> {
        // Around to the other side of the curve. An isolated spot has only one side.
        let around = |boundary: &Boundary, end| match boundary[0] {
            Spot::ISOLATED => vec![end],
            _ => [&[end], &boundary[1..], &[end]].concat(),
        };
        let mut second = around(two, ends.to);
        let first = [around(one, ends.from), vec![ends.new]].concat();
        for _ in 0..if self.region.surface.is_orientable() {
            1
        } else {
            2
        } {
            let boundaries = vec![[&first[..], &second, &[ends.new]].concat()];
            let surface = self.region.surface;
            self.share_out(
                &mut [Region {
                    surface,
                    boundaries,
                }],
                sink,
            )?;
            second.reverse();
        }
        ControlFlow::Continue(())
    }

    /// Shares the other boundaries out among the parts, in all ways.
    fn share_out(&self, parts: &mut [Region], sink: Sink<'_>) -> ControlFlow<()> {
        self.share(self.others, 0, parts, sink)
    }

    /// Shares out the kinds that are left. Even places are the parts, odd ones the parts once more, for boundaries that go
    /// there mirrored: in a region without an orientation, the curve can be drawn so that each arrives as one likes.
    fn share(
        &self,
        kinds: &[Kind<'_>],
        place: usize,
        parts: &mut [Region],
        sink: Sink<'_>,
    ) -> ControlFlow<()> {
        let Some((kind, others)) = kinds.split_first() else {
            return sink(parts);
        };
        if kind.is_empty() {
            return self.share(others, 0, parts, sink);
        }
        let (part, is_mirrored) = (place / 2, place % 2 == 1);
        if part == parts.len() {
            return ControlFlow::Continue(());
        }
        let gains_orientation =
            parts[part].surface.is_orientable() && !self.region.surface.is_orientable();
        let most = match !is_mirrored || gains_orientation && is_chiral(kind[0]) {
            true => kind.len(),
            false => 0,
        };
        let before = parts[part].boundaries.len();
        for taken in 0..=most {
            if let Some(last) = taken.checked_sub(1) {
                let mut boundary = kind[last].clone();
                if is_mirrored {
                    boundary.reverse();
                }
                parts[part].boundaries.push(boundary);
            }
            let kinds = [&[&kind[taken..]], others].concat();
            self.share(&kinds, place + 1, parts, sink)?;
        }
        parts[part].boundaries.truncate(before);
        ControlFlow::Continue(())
    }
}
