//! Canonical forms: one form for all lands that are equal up to the names of letters, the order of regions and
//! boundaries, rotation of boundaries and mirroring of regions.
//!
//! Only the spots between two regions need names. They get colors: first all the same, then different ones if
//! their two regions look different from them, until no more can be distinguished. If some spots still have
//! the same color, each of them in turn gets a color of its own, and the form is the least land that results.
//! If a spot leads to a land found before, it is skipped with all that follows: there is a symmetry.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::land::{self, BOUNDARY, Land, Mark, PAIR, REGION, SHARED};
use crate::check::halt::{Halt, Stop};

/// Finds canonical forms. It caches recent ones, because most moves lead to lands that other moves led to.
#[derive(Clone, Default)]
pub(crate) struct Canoniser {
    known: FxHashMap<Box<[Mark]>, Land>,
    bytes: usize,
    max_bytes: usize,
    stop: Stop,
}

impl Canoniser {
    /// With a cache of about `max_bytes` bytes; the default has none. It ends when `stop` says so.
    pub(crate) fn new(max_bytes: usize, stop: &Stop) -> Self {
        Self {
            max_bytes,
            stop: stop.clone(),
            ..Self::default()
        }
    }

    /// The canonical form of a land given in any form.
    ///
    /// # Errors
    /// It was stopped. Finding a form can take for ever.
    pub(crate) fn land(&mut self, marks: &[Mark]) -> Result<Land, Halt> {
        if let Some(known) = self.known.get(marks) {
            return Ok(known.clone());
        }
        let land = Land::from_canonical(&canonical(marks, &self.stop)?);
        self.bytes += 2 * land.bytes() + 4 * size_of::<(Box<[Mark]>, Land)>();
        if self.bytes > self.max_bytes {
            self.known.clear();
            self.bytes = 0;
        }
        if self.max_bytes > 0 {
            self.known.insert(marks.into(), land.clone());
        }
        Ok(land)
    }
}

/// The maximum number of kept lands: enough for all symmetries of lands in play. A land made to have more takes longer,
/// but no more memory.
const MAX_FOUND: usize = 1 << 12;

/// The color of each spot between two regions.
type Colors = Vec<Mark>;

fn canonical(marks: &[Mark], stop: &Stop) -> Result<Vec<Mark>, Halt> {
    let shared = marks.iter().filter(|&&mark| mark >= SHARED).count() / 2;
    let mut colors = vec![0; shared];
    refine(marks, &mut colors, stop)?;
    if first_alike(&colors).is_none() {
        return Ok(written(marks, &colors));
    }
    let mut found = BTreeSet::new();
    search(marks, &colors, &mut found, stop)?;
    Ok(found.pop_first().unwrap_or_default())
}

/// Adds the lands of all ways to distinguish the spots.
fn search(
    marks: &[Mark],
    colors: &Colors,
    found: &mut BTreeSet<Vec<Mark>>,
    stop: &Stop,
) -> Result<(), Halt> {
    let Some(alike) = first_alike(colors) else {
        found.insert(written(marks, colors));
        if found.len() > MAX_FOUND {
            found.pop_last();
        }
        return Ok(());
    };
    for (place, &spot) in alike.iter().enumerate() {
        let chosen = chosen(marks, colors, spot, &alike, stop)?;
        if place > 0 {
            let mut colors = chosen.clone();
            while let Some(alike) = first_alike(&colors) {
                colors = self::chosen(marks, &colors, alike[0], &alike, stop)?;
            }
            if found.contains(&written(marks, &colors)) {
                continue;
            }
        }
        search(marks, &chosen, found, stop)?;
    }
    Ok(())
}

/// The land with colors as names: its regions sorted, each the lesser of itself and its mirror image.
fn written(marks: &[Mark], colors: &Colors) -> Vec<Mark> {
    let least = |region| {
        let [there, back] = [false, true].map(|mirror| side(region, colors, mirror));
        there.min(back)
    };
    let mut regions: Vec<Vec<Mark>> = land::regions(marks).map(least).collect();
    regions.sort_unstable();
    regions.concat()
}

/// A region or its mirror image, with sorted boundaries.
fn side(region: &[Mark], colors: &Colors, mirror: bool) -> Vec<Mark> {
    let cycle = |boundary: &[Mark]| {
        let length = boundary.len();
        let colored = |&mark| colored(mark, length, mirror, colors);
        let mut cycle: Vec<Mark> = boundary.iter().map(colored).collect();
        if mirror {
            cycle.reverse();
        }
        let start = least_rotation(&cycle);
        cycle.rotate_left(start);
        cycle
    };
    let mut cycles: Vec<Vec<Mark>> = land::boundaries(region).map(cycle).collect();
    cycles.sort_unstable();
    let mut side = Vec::with_capacity(region.len() + 1);
    for cycle in cycles {
        side.extend(cycle);
        side.push(BOUNDARY);
    }
    side.push(REGION);
    side
}

/// A mark on a boundary of that length, with the color of a shared spot. In a mirror image, the distance of a
/// pair is measured the other way round.
fn colored(mark: Mark, length: usize, mirror: bool, colors: &Colors) -> Mark {
    match mark {
        SHARED.. => SHARED + colors[usize::from(mark - SHARED)],
        PAIR.. if mirror => PAIR + (length as Mark - (mark - PAIR)),
        _ => mark,
    }
}

/// The start of the least rotation of a cycle.
fn least_rotation(cycle: &[Mark]) -> usize {
    let length = cycle.len();
    let from = |start: usize| (0..length).map(move |i| cycle[(start + i) % length]);
    let mut least = 0;
    for start in 1..length {
        if cycle[start] <= cycle[least] && from(start).lt(from(least)) {
            least = start;
        }
    }
    least
}

/// The spots of the first color with several spots.
fn first_alike(colors: &Colors) -> Option<Vec<usize>> {
    let mut counts = vec![0; colors.len()];
    for &color in colors {
        counts[usize::from(color)] += 1;
    }
    let color = counts.iter().position(|&count| count > 1)?;
    let has_it = |&spot: &usize| usize::from(colors[spot]) == color;
    Some((0..colors.len()).filter(has_it).collect())
}

/// Colors in which one of several like spots comes before the others.
fn chosen(
    marks: &[Mark],
    colors: &Colors,
    spot: usize,
    alike: &[usize],
    stop: &Stop,
) -> Result<Colors, Halt> {
    let mut colors = colors.clone();
    for &other in alike {
        colors[other] += Mark::from(other != spot);
    }
    refine(marks, &mut colors, stop)?;
    Ok(colors)
}

/// Distinguishes spots by their views until no more can be distinguished. A color is the number of spots with
/// a lower color.
fn refine(marks: &[Mark], colors: &mut Colors, stop: &Stop) -> Result<(), Halt> {
    let mut count = colors.iter().collect::<BTreeSet<_>>().len();
    while count < colors.len() {
        stop.check()?;
        let before = count;
        let mut views = views(marks, colors);
        views.sort_unstable();
        let (mut color, mut refined) = (0, 0);
        for alike in views.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for &(_, _, spot) in alike {
                colors[spot] = color;
            }
            color += alike.len() as Mark;
            refined += 1;
        }
        count = refined;
        if count == before {
            break;
        }
    }
    Ok(())
}

/// The color of each spot, the hashes of its two regions as seen from it, and the spot. A collision only makes
/// the search for the form longer.
fn views(marks: &[Mark], colors: &Colors) -> Vec<(Mark, [u64; 2], usize)> {
    let mut seen: Vec<(usize, u64)> = Vec::with_capacity(2 * colors.len());
    for region in land::regions(marks) {
        let first = seen.len();
        for boundary in land::boundaries(region) {
            for (at, &mark) in boundary.iter().enumerate() {
                if mark >= SHARED {
                    let walk = |mirror| walk(boundary, at, mirror, colors);
                    seen.push((usize::from(mark - SHARED), walk(false).min(walk(true))));
                }
            }
        }
        let whole = fingerprint_of_region(region, |mark| match mark {
            SHARED.. => SHARED + colors[usize::from(mark - SHARED)],
            _ => mark.min(PAIR),
        });
        for (_, hash) in &mut seen[first..] {
            *hash = mix(hash.wrapping_add(whole.rotate_left(32)));
        }
    }
    // Each spot is seen twice.
    seen.sort_unstable();
    let view = |pair: &[(usize, u64)]| (colors[pair[0].0], [pair[0].1, pair[1].1], pair[0].0);
    seen.chunks_exact(2).map(view).collect()
}

/// A hash of the marks around a boundary from a place on.
fn walk(boundary: &[Mark], at: usize, mirror: bool, colors: &Colors) -> u64 {
    let length = boundary.len();
    let step = |hash, &mark| mix(hash ^ u64::from(colored(mark, length, mirror, colors)));
    if mirror {
        let hash = boundary[..=at].iter().rev().fold(0, step);
        boundary[at + 1..].iter().rev().fold(hash, step)
    } else {
        let hash = boundary[at..].iter().fold(0, step);
        boundary[..at].iter().fold(hash, step)
    }
}

/// Mixes the bits of a number (Stafford's variant 13 of the finalizer of MurmurHash3).
fn mix(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// A hash that is the same for all forms of a land. It is much cheaper than the canonical form.
pub(crate) fn fingerprint(marks: &[Mark]) -> u64 {
    let kind = |mark: Mark| match mark {
        SHARED.. => PAIR + 1,
        _ => mark.min(PAIR),
    };
    let regions = land::regions(marks).map(|region| fingerprint_of_region(region, kind));
    regions.fold(0, u64::wrapping_add)
}

/// A hash of the kinds of neighbors in a region, the same in both directions.
fn fingerprint_of_region(region: &[Mark], kind: impl Fn(Mark) -> Mark) -> u64 {
    let mut sum = 0_u64;
    for boundary in land::boundaries(region) {
        let mut around = boundary.len() as u64;
        let mut last = u64::from(kind(boundary[boundary.len() - 1]));
        for &mark in boundary {
            let mark = u64::from(kind(mark));
            around = around.wrapping_add(mix((last * mark) << 16 | (last + mark)));
            last = mark;
        }
        sum = sum.wrapping_add(mix(around));
    }
    mix(sum)
}
