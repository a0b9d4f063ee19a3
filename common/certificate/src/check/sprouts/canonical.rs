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

/// Finds canonical forms. It caches recent ones, because most moves lead to lands that other moves led to.
#[derive(Clone, Default)]
pub(crate) struct Canoniser {
    known: FxHashMap<Box<[Mark]>, Land>,
    bytes: usize,
    max_bytes: usize,
    key: Vec<Mark>,
    mirrored: Vec<Mark>,
    scratch: Vec<Mark>,
}

/// The color of each spot between two regions.
type Colors = Vec<Mark>;

impl Canoniser {
    /// With a cache of about this many bytes. By default there is none.
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            ..Self::default()
        }
    }

    /// The canonical form of a land given in any form.
    pub(crate) fn land(&mut self, marks: &[Mark]) -> Land {
        if let Some(known) = self.known.get(marks) {
            return known.clone();
        }
        let land = self.find(marks);
        self.bytes += 2 * land.bytes() + 4 * size_of::<(Box<[Mark]>, Land)>();
        if self.bytes > self.max_bytes {
            self.known.clear();
            self.bytes = 0;
        }
        if self.max_bytes > 0 {
            self.known.insert(marks.into(), land.clone());
        }
        land
    }

    fn find(&mut self, marks: &[Mark]) -> Land {
        let shared = marks.iter().filter(|&&mark| mark >= SHARED).count() / 2;
        let mut colors = vec![0; shared];
        refine(marks, &mut colors);
        let mut seen = BTreeSet::new();
        self.search(marks, &colors, &mut seen);
        let least = seen.pop_first().unwrap_or_default();
        Land::from_canonical(&least)
    }

    /// Adds the lands that result when all spots are distinguished.
    fn search(&mut self, marks: &[Mark], colors: &Colors, seen: &mut BTreeSet<Vec<Mark>>) {
        let Some(alike) = first_alike(colors) else {
            seen.insert(self.written(marks, colors));
            return;
        };
        let mut below = BTreeSet::new();
        for &spot in &alike {
            let chosen = chosen(marks, colors, spot, &alike);
            if !below.is_empty() {
                let mut colors = chosen.clone();
                while let Some(alike) = first_alike(&colors) {
                    colors = self::chosen(marks, &colors, alike[0], &alike);
                }
                if below.contains(&self.written(marks, &colors)) {
                    continue;
                }
            }
            self.search(marks, &chosen, &mut below);
        }
        seen.append(&mut below);
    }

    /// The land with colors as names.
    fn written(&mut self, marks: &[Mark], colors: &Colors) -> Vec<Mark> {
        let mut regions: Vec<Vec<Mark>> = land::regions(marks)
            .map(|region| self.region(region, colors))
            .collect();
        regions.sort_unstable();
        let mut written = Vec::with_capacity(marks.len());
        for region in regions {
            written.extend(region);
            written.push(REGION);
        }
        written
    }

    /// The lesser of a region and its mirror image, with sorted boundaries.
    fn region(&mut self, region: &[Mark], colors: &Colors) -> Vec<Mark> {
        self.side(region, colors, false);
        std::mem::swap(&mut self.key, &mut self.mirrored);
        self.side(region, colors, true);
        std::cmp::min(&self.key, &self.mirrored).clone()
    }

    /// Writes a region to `key`, or its mirror image.
    fn side(&mut self, region: &[Mark], colors: &Colors, mirror: bool) {
        let mut boundaries: Vec<Vec<Mark>> = Vec::new();
        for boundary in land::boundaries(region) {
            self.scratch.clear();
            let length = boundary.len();
            let colored = |&mark| colored(mark, length, mirror, colors);
            self.scratch.extend(boundary.iter().map(colored));
            if mirror {
                self.scratch.reverse();
            }
            let start = least_rotation(&self.scratch);
            self.scratch.rotate_left(start);
            self.scratch.push(BOUNDARY);
            boundaries.push(self.scratch.clone());
        }
        boundaries.sort_unstable();
        self.key.clear();
        self.key.extend(boundaries.iter().flatten());
    }
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

/// The spots of the first color that several spots have.
fn first_alike(colors: &Colors) -> Option<Vec<usize>> {
    let mut counts = vec![0; colors.len()];
    for &color in colors {
        counts[usize::from(color)] += 1;
    }
    let color = counts.iter().position(|&count| count > 1)?;
    let has_it = |&spot: &usize| usize::from(colors[spot]) == color;
    Some((0..colors.len()).filter(has_it).collect())
}

/// Colors in which one of the spots that are alike comes before the others.
fn chosen(marks: &[Mark], colors: &Colors, spot: usize, alike: &[usize]) -> Colors {
    let mut colors = colors.clone();
    for &other in alike {
        colors[other] += Mark::from(other != spot);
    }
    refine(marks, &mut colors);
    colors
}

/// Distinguishes spots by their views until no more can be distinguished. A color is the number of spots with
/// a lower color.
fn refine(marks: &[Mark], colors: &mut Colors) {
    let mut count = distinct(colors);
    while count < colors.len() {
        let mut views: Vec<(Mark, [u64; 2], usize)> = Vec::with_capacity(colors.len());
        let seen = views_of(marks, colors);
        for (spot, mut view) in seen.into_iter().enumerate() {
            view.sort_unstable();
            views.push((colors[spot], view, spot));
        }
        views.sort_unstable();
        let mut color = 0;
        for i in 0..views.len() {
            if i > 0 && (views[i].0, views[i].1) != (views[i - 1].0, views[i - 1].1) {
                color = i as Mark;
            }
            colors[views[i].2] = color;
        }
        let refined = distinct(colors);
        if refined == count {
            return;
        }
        count = refined;
    }
}

fn distinct(colors: &Colors) -> usize {
    let mut has = vec![false; colors.len()];
    for &color in colors {
        has[usize::from(color)] = true;
    }
    has.into_iter().filter(|&has| has).count()
}

/// The views of each spot: hashes of its two regions as seen from it. A collision only makes the search for
/// the form longer.
fn views_of(marks: &[Mark], colors: &Colors) -> Vec<[u64; 2]> {
    let mut views = vec![[u64::MAX; 2]; colors.len()];
    let mut met: Vec<(usize, u64)> = Vec::new();
    for region in land::regions(marks) {
        let mut best: Vec<(usize, u64)> = Vec::new();
        for mirror in [false, true] {
            met.clear();
            let mut sum = 0_u64;
            for boundary in land::boundaries(region) {
                let mut around = 0_u64;
                for at in 0..boundary.len() {
                    let hash = walk(boundary, at, mirror, colors);
                    around = around.wrapping_add(hash);
                    if boundary[at] >= SHARED {
                        met.push((usize::from(boundary[at] - SHARED), hash));
                    }
                }
                sum = sum.wrapping_add(mix(around));
            }
            for (_, hash) in &mut met {
                *hash = mix(hash.wrapping_add(sum.rotate_left(32)));
            }
            if mirror {
                for (seen, met) in best.iter_mut().zip(&met) {
                    seen.1 = seen.1.min(met.1);
                }
            } else {
                best.clone_from(&met);
            }
        }
        for (spot, hash) in best {
            let [first, second] = &mut views[spot];
            *(if *first == u64::MAX { first } else { second }) = hash;
        }
    }
    views
}

/// A hash of the marks around a boundary from a place on.
fn walk(boundary: &[Mark], at: usize, mirror: bool, colors: &Colors) -> u64 {
    let length = boundary.len();
    let mut hash = 0;
    let mut place = at;
    for _ in 0..length {
        let mark = colored(boundary[place], length, mirror, colors);
        hash = mix(hash ^ u64::from(mark));
        place = match mirror {
            false if place + 1 == length => 0,
            false => place + 1,
            true => place.checked_sub(1).unwrap_or(length - 1),
        };
    }
    hash
}

/// Mixes the bits of a number (Stafford's variant 13 of the finalizer of MurmurHash3).
fn mix(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// A hash that is the same for all forms of a land, and much cheaper than the canonical form.
pub(crate) fn fingerprint(marks: &[Mark]) -> u64 {
    let mut fingerprint = 0_u64;
    for region in land::regions(marks) {
        let mut sum = 0_u64;
        for boundary in land::boundaries(region) {
            let length = boundary.len();
            let kind = |mark: Mark| match mark {
                SHARED.. => PAIR + 1,
                PAIR.. => PAIR,
                _ => mark,
            };
            let mut around = length as u64;
            let mut last = kind(boundary[length - 1]);
            for &mark in boundary {
                let mark = kind(mark);
                // The same in both directions.
                let pair = u64::from(last * mark) << 16 | u64::from(last + mark);
                around = around.wrapping_add(mix(pair));
                last = mark;
            }
            sum = sum.wrapping_add(mix(around));
        }
        fingerprint = fingerprint.wrapping_add(mix(sum));
    }
    fingerprint
}
