//! One form for all lands that are equal up to the names of letters, the order of regions and boundaries,
//! rotation of boundaries and mirroring of regions.
//!
//! Only the spots between two regions need names. They get colours: first all the same, then each is told
//! apart by what is met from it in its two regions, until that tells no more apart. Where some still look
//! alike, each of them in turn is given a colour of its own, and the least land that comes out is the form.
//! A spot from which a land comes out that was seen before is skipped with all that follows from it: there is
//! a symmetry that leads there.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::land::{self, BOUNDARY, Land, Mark, PAIR, REGION, SHARED};

/// Finds canonical forms, and remembers the last of them: most moves lead to what others led to before.
#[derive(Default)]
pub(crate) struct Canoniser {
    known: FxHashMap<Box<[Mark]>, Land>,
    bytes: usize,
    most_bytes: usize,
    key: Vec<Mark>,
    mirrored: Vec<Mark>,
    scratch: Vec<Mark>,
}

/// What takes the place of a spot between two regions.
type Colours = Vec<Mark>;

impl Canoniser {
    /// With room to remember in, in bytes, about; by default there is none.
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
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
        if self.bytes > self.most_bytes {
            self.known.clear();
            self.bytes = 0;
        }
        if self.most_bytes > 0 {
            self.known.insert(marks.into(), land.clone());
        }
        land
    }

    fn find(&mut self, marks: &[Mark]) -> Land {
        let shared = marks.iter().filter(|&&mark| mark >= SHARED).count() / 2;
        let mut colours = vec![0; shared];
        refine(marks, &mut colours);
        let mut seen = BTreeSet::new();
        self.search(marks, &colours, &mut seen);
        let least = seen.pop_first().unwrap_or_default();
        Land::from_canonical(&least)
    }

    /// Adds the lands that come out when all spots are told apart.
    fn search(&mut self, marks: &[Mark], colours: &Colours, seen: &mut BTreeSet<Vec<Mark>>) {
        let Some(alike) = first_alike(colours) else {
            seen.insert(self.written(marks, colours));
            return;
        };
        let mut below = BTreeSet::new();
        for &spot in &alike {
            let chosen = chosen(marks, colours, spot, &alike);
            if !below.is_empty() {
                let mut colours = chosen.clone();
                while let Some(alike) = first_alike(&colours) {
                    colours = self::chosen(marks, &colours, alike[0], &alike);
                }
                if below.contains(&self.written(marks, &colours)) {
                    continue;
                }
            }
            self.search(marks, &chosen, &mut below);
        }
        seen.append(&mut below);
    }

    /// The land with colours for names.
    fn written(&mut self, marks: &[Mark], colours: &Colours) -> Vec<Mark> {
        let mut regions: Vec<Vec<Mark>> = land::regions(marks)
            .map(|region| self.region(region, colours))
            .collect();
        regions.sort_unstable();
        let mut written = Vec::with_capacity(marks.len());
        for region in regions {
            written.extend(region);
            written.push(REGION);
        }
        written
    }

    /// The lesser of a region and its mirror image, its boundaries sorted.
    fn region(&mut self, region: &[Mark], colours: &Colours) -> Vec<Mark> {
        self.side(region, colours, false);
        std::mem::swap(&mut self.key, &mut self.mirrored);
        self.side(region, colours, true);
        std::cmp::min(&self.key, &self.mirrored).clone()
    }

    /// Writes a region to `key`, or its mirror image.
    fn side(&mut self, region: &[Mark], colours: &Colours, mirror: bool) {
        let mut boundaries: Vec<Vec<Mark>> = Vec::new();
        for boundary in land::boundaries(region) {
            self.scratch.clear();
            let length = boundary.len() as Mark;
            let coloured = boundary.iter().map(|&mark| match mark {
                SHARED.. => SHARED + colours[usize::from(mark - SHARED)],
                PAIR.. if mirror => PAIR + (length - (mark - PAIR)),
                _ => mark,
            });
            self.scratch.extend(coloured);
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

/// Where the least rotation of a cycle starts.
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

/// The first spots that have one colour, if there are two of that colour.
fn first_alike(colours: &Colours) -> Option<Vec<usize>> {
    let mut counts = vec![0; colours.len()];
    for &colour in colours {
        counts[usize::from(colour)] += 1;
    }
    let colour = counts.iter().position(|&count| count > 1)?;
    let has_it = |&spot: &usize| usize::from(colours[spot]) == colour;
    Some((0..colours.len()).filter(has_it).collect())
}

/// Colours in which one of the spots that look alike comes before the others.
fn chosen(marks: &[Mark], colours: &Colours, spot: usize, alike: &[usize]) -> Colours {
    let mut colours = colours.clone();
    for &other in alike {
        colours[other] += Mark::from(other != spot);
    }
    refine(marks, &mut colours);
    colours
}

/// Tells spots apart by what is met from them until that tells no more apart. A colour is the number of
/// spots with a lesser one.
fn refine(marks: &[Mark], colours: &mut Colours) {
    let mut count = distinct(colours);
    while count < colours.len() {
        let mut views: Vec<(Mark, [u64; 2], usize)> = Vec::with_capacity(colours.len());
        let seen = views_of(marks, colours);
        for (spot, mut view) in seen.into_iter().enumerate() {
            view.sort_unstable();
            views.push((colours[spot], view, spot));
        }
        views.sort_unstable();
        let mut colour = 0;
        for i in 0..views.len() {
            if i > 0 && (views[i].0, views[i].1) != (views[i - 1].0, views[i - 1].1) {
                colour = i as Mark;
            }
            colours[views[i].2] = colour;
        }
        let refined = distinct(colours);
        if refined == count {
            return;
        }
        count = refined;
    }
}

fn distinct(colours: &Colours) -> usize {
    let mut has = vec![false; colours.len()];
    for &colour in colours {
        has[usize::from(colour)] = true;
    }
    has.into_iter().filter(|&has| has).count()
}

/// For each spot what is met from it in its two regions, as hashes. Two that are equal by chance only make
/// the search for the form longer.
fn views_of(marks: &[Mark], colours: &Colours) -> Vec<[u64; 2]> {
    let mut views = vec![[u64::MAX; 2]; colours.len()];
    let mut met: Vec<(usize, u64)> = Vec::new();
    for region in land::regions(marks) {
        let mut best: Vec<(usize, u64)> = Vec::new();
        for mirror in [false, true] {
            met.clear();
            let mut sum = 0_u64;
            for boundary in land::boundaries(region) {
                let mut around = 0_u64;
                for at in 0..boundary.len() {
                    let hash = walk(boundary, at, mirror, colours);
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

/// A hash of what is met when walking around a boundary from a place.
fn walk(boundary: &[Mark], at: usize, mirror: bool, colours: &Colours) -> u64 {
    let length = boundary.len();
    let mut hash = 0;
    let mut place = at;
    for _ in 0..length {
        let mark = match boundary[place] {
            mark @ SHARED.. => SHARED + colours[usize::from(mark - SHARED)],
            mark @ PAIR.. if mirror => PAIR + (length as Mark - (mark - PAIR)),
            mark => mark,
        };
        hash = mix(hash ^ u64::from(mark));
        place = match mirror {
            false if place + 1 == length => 0,
            false => place + 1,
            true => place.checked_sub(1).unwrap_or(length - 1),
        };
    }
    hash
}

/// Scatters the bits of a number (Stafford's variant 13 of the finaliser of MurmurHash3).
fn mix(number: u64) -> u64 {
    let mut hash = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// A number that equal lands share in any form, found far sooner than their form. Most others differ.
pub(crate) fn sign(marks: &[Mark]) -> u64 {
    let mut sign = 0_u64;
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
                // The same both ways round.
                let pair = u64::from(last * mark) << 16 | u64::from(last + mark);
                around = around.wrapping_add(mix(pair));
                last = mark;
            }
            sum = sum.wrapping_add(mix(around));
        }
        sign = sign.wrapping_add(mix(sum));
    }
    sign
}
