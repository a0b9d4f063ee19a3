//! The moves. A move joins two spots of a region by a curve. `docs/surfaces.md` derives from the classification of
//! surfaces what cutting along the curve leaves.

use std::ops::ControlFlow;

use sproutnet_notation::raw::Spot;

use super::canonical::{is_alike, is_chiral};
use super::region::{Boundary, Region, Surface, letters};

/// Boundaries that are alike: at least one, unless the curve took it.
type Kind<'a> = &'a [&'a Boundary];

/// What a curve leaves of a region, without the boundaries that it does not meet.
type Parts = Vec<Region>;

/// Passes every position after one move to `sink`, without simplification, some more than once.
pub(super) fn each(
    land: &[Region],
    sink: &mut dyn FnMut(Vec<Region>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let letters = letters(land);
    for (at, region) in land.iter().enumerate() {
        let surface = region.surface;
        let kinds = kinds(region);
        let mut play = |joined: [Spot; 2], left: Vec<Parts>, others: &[Kind<'_>]| {
            left.into_iter().try_for_each(|mut parts| {
                share_out(surface, others, 0, &mut parts, &mut |after| {
                    let unchanged = land[..at].iter().chain(&land[at + 1..]);
                    let mut regions: Vec<Region> = unchanged.chain(after).cloned().collect();
                    let spots = regions.iter_mut().flat_map(|region| &mut region.boundaries);
                    let is_dead = |spot: &Spot| spot.number().is_some() && joined.contains(spot);
                    for spot in spots.flatten().filter(|spot| is_dead(spot)) {
                        *spot = Spot::DEAD;
                    }
                    sink(regions)
                })
            })
        };
        for i in 0..kinds.len() {
            let one = kinds[i][0];
            let mut others: Vec<Kind<'_>> = kinds.iter().map(|kind| &kind[..]).collect();
            others[i] = &kinds[i][1..];
            for a in 0..one.len() {
                for b in (a..one.len()).filter(|&b| can_join(one, a, b)) {
                    let left = within(surface, one, [a, b], letters);
                    play([one[a], one[b]], left, &others)?;
                }
            }
            for j in (i..kinds.len()).filter(|&j| !others[j].is_empty()) {
                let two = others[j][0];
                let mut others = others.clone();
                others[j] = &others[j][1..];
                for a in 0..one.len() {
                    for b in (0..two.len()).filter(|&b| !is_one_letter(one[a], two[b])) {
                        let left = between(surface, [(one, a), (two, b)], letters);
                        play([one[a], two[b]], left, &others)?;
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

fn kinds(region: &Region) -> Vec<Vec<&Boundary>> {
    let mut kinds: Vec<Vec<&Boundary>> = Vec::new();
    for boundary in &region.boundaries {
        match kinds.iter_mut().find(|kind| is_alike(kind[0], boundary)) {
            Some(kind) => kind.push(boundary),
            None => kinds.push(vec![boundary]),
        }
    }
    kinds
}

/// Whether a curve can join two places of a boundary.
fn can_join(boundary: &Boundary, a: usize, b: usize) -> bool {
    match a == b {
        true => boundary[a].lives() >= 2,
        false => !is_one_letter(boundary[a], boundary[b]),
    }
}

/// Whether two places have copies of one letter, which has one life.
fn is_one_letter(one: Spot, other: Spot) -> bool {
    one == other && one.number().is_some()
}

/// A spot after some more lines. If it can be on two sides of them, it becomes the letter.
fn after(spot: Spot, lines: u32, letter: Spot) -> Spot {
    match (spot, lines) {
        (Spot::ISOLATED, 1) => Spot::END,
        (Spot::ISOLATED, 2) | (Spot::END, 1) => letter,
        _ => Spot::DEAD,
    }
}

/// What curves from place `a` of a boundary to place `b` leave.
fn within(surface: Surface, boundary: &Boundary, [a, b]: [usize; 2], letters: usize) -> Vec<Parts> {
    let [one, two, new] = [0, 1, 2].map(|k| Spot::letter(letters + k));
    let (from, to) = match a == b {
        true => (after(boundary[a], 2, one), after(boundary[a], 2, one)),
        false => (after(boundary[a], 1, one), after(boundary[b], 1, two)),
    };
    // The two parts of the boundary, each read in its direction and closed along the curve.
    let outer = [&[to], &boundary[b + 1..], &boundary[..a], &[from, new]].concat();
    let inner = match a == b {
        true => vec![to, new],
        false => [&[from], &boundary[a + 1..b], &[to, new]].concat(),
    };
    let mirrored: Boundary = inner.iter().rev().copied().collect();
    let region = |surface, boundaries: &[&Boundary]| {
        let boundaries = boundaries.iter().copied().cloned().collect();
        Region {
            surface,
            boundaries,
        }
    };
    let separated = surface.parts();
    let separated =
        separated.map(|(one, other)| vec![region(one, &[&outer]), region(other, &[&inner])]);
    let two_sided = surface.cut_two_sided().map(|left| {
        // Mirrored, for else the surface would have had an orientation as well.
        let gains_orientation = left.is_orientable() && !surface.is_orientable();
        let other = if gains_orientation { &mirrored } else { &inner };
        vec![region(left, &[&outer, other])]
    });
    // Twice along the curve, each time with the new spot, which `mirrored` begins with.
    let twice = [&outer[..], &mirrored[1..], &[new]].concat();
    let one_sided = surface.cut_one_sided();
    let one_sided = one_sided.map(|left| vec![region(left, &[&twice])]);
    separated.chain(two_sided).chain(one_sided).collect()
}

/// What curves from a place of a boundary to a place of another leave.
fn between(surface: Surface, places: [(&Boundary, usize); 2], letters: usize) -> Vec<Parts> {
    // Around to the other side of the curve. An isolated spot has only one side.
    let around = |k: usize| {
        let (boundary, at) = places[k];
        let end = after(boundary[at], 1, Spot::letter(letters + k));
        match boundary[at] {
            Spot::ISOLATED => vec![end],
            _ => [&[end], &boundary[at + 1..], &boundary[..at], &[end]].concat(),
        }
    };
    let (one, two, new) = (around(0), around(1), [Spot::letter(letters + 2)]);
    let mirrored = two.iter().rev().copied().collect();
    let ways = if surface.is_orientable() { 1 } else { 2 };
    let joined = [two, mirrored].into_iter().take(ways).map(|two| {
        let boundaries = vec![[&one[..], &new, &two, &new].concat()];
        vec![Region {
            surface,
            boundaries,
        }]
    });
    joined.collect()
}

/// Passes the parts with the other boundaries to `sink`, shared out in all ways.
///
/// Even places are the parts. Odd ones are the parts once more, for boundaries that go there mirrored: if the surface has no
/// orientation, the curve can be drawn so that each arrives as one likes.
fn share_out(
    surface: Surface,
    others: &[Kind<'_>],
    place: usize,
    parts: &mut Parts,
    sink: &mut dyn FnMut(&Parts) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((kind, rest)) = others.split_first() else {
        return sink(parts);
    };
    if kind.is_empty() {
        return share_out(surface, rest, 0, parts, sink);
    }
    let (part, is_mirrored) = (place / 2, place % 2 == 1);
    if part == parts.len() {
        return ControlFlow::Continue(());
    }
    let gains_orientation = parts[part].surface.is_orientable() && !surface.is_orientable();
    let is_place = !is_mirrored || gains_orientation && is_chiral(kind[0]);
    let before = parts[part].boundaries.len();
    for taken in 0..=if is_place { kind.len() } else { 0 } {
        if let Some(last) = taken.checked_sub(1) {
            let mut boundary = kind[last].clone();
            if is_mirrored {
                boundary.reverse();
            }
            parts[part].boundaries.push(boundary);
        }
        let left = [&[&kind[taken..]], rest].concat();
        share_out(surface, &left, place + 1, parts, sink)?;
    }
    parts[part].boundaries.truncate(before);
    ControlFlow::Continue(())
}
