//! The canonical form: one sequence of bytes for all sketches that are equal up to the
//! equivalences of [`simplify`](super::simplify) and up to
//!
//! - the rotation of a boundary, and the mirroring of all boundaries of a region together;
//! - the order of boundaries in a region, of regions in a land, of lands in a position;
//! - the names of letters;
//! - the shape of a land with two lives, which is exactly one move and is written `1`. (Without this
//!   rule, merging the boundaries of a region with three lives could show in an option: `1`, `22`
//!   and `AB|AB` are one game, in either convention.)
//!
//! Once the letters that join regions are told apart, the form of a land follows: the smallest
//! rotation of each boundary, the smaller orientation of each region, everything sorted. Telling
//! them apart is canonical labelling: colours are refined by what is seen from both copies of a
//! letter until nothing changes; a tie is broken by trying each of the tied letters and keeping
//! the smallest form. Two trials that end in one form show an automorphism, which spares the trials
//! that it maps onto each other (McKay, *Practical graph isomorphism*, 1981).
//!
//! Colours are hashes. Two that collide make a tie, never a wrong form.

use std::ops::Range;

use super::encoding;
use super::simplify::simplify;
use super::sketch::{Sketch, Spot};
use crate::game::{Land, Position};

/// The canonical position of a sketch: simplified, split in lands, each in canonical form.
pub(super) fn position(sketch: &Sketch) -> Position {
    let mut simple = Sketch::default();
    simplify(sketch, &mut simple);
    let lands = split(&simple);
    Position::new(
        lands
            .iter()
            .map(|regions| Labelling::new(&simple, regions).land())
            .collect(),
    )
}

/// The lands of a simplified sketch, as lists of regions: regions that share a letter belong
/// together.
fn split(sketch: &Sketch) -> Vec<Vec<usize>> {
    let mut land_of: Vec<usize> = (0..sketch.regions()).collect();
    let mut first_met = vec![usize::MAX; sketch.letters()];
    for region in 0..sketch.regions() {
        for number in sketch
            .boundaries(region)
            .flatten()
            .filter_map(|s| s.number())
        {
            let other = first_met[number];
            if other == usize::MAX {
                first_met[number] = region;
            } else {
                let (from, to) = (land_of[other], land_of[region]);
                land_of
                    .iter_mut()
                    .filter(|l| **l == from)
                    .for_each(|l| *l = to);
            }
        }
    }
    let mut lands: Vec<Vec<usize>> = vec![Vec::new(); sketch.regions()];
    for (region, &land) in land_of.iter().enumerate() {
        lands[land].push(region);
    }
    lands.retain(|regions| !regions.is_empty());
    lands
}

/// What stands at a place of a boundary, told without names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// Closes a boundary in a [`Form`].
    End,
    /// A spot met once.
    Spot(Spot),
    /// A letter whose other copy is that many places further on the same boundary.
    Pair(u16),
    /// The letter of that index whose other copy is on another boundary.
    Link(u16),
}

/// A land for given colours of its links: its regions, sorted, each as the number of lone isolated
/// spots and the marks of the other boundaries.
type Form = Vec<(u16, Vec<Mark>)>;

/// A form together with the rank of every link in it.
struct Leaf {
    form: Form,
    rank: Vec<u16>,
}

struct Region {
    isolated: u16,
    boundaries: Range<usize>,
}

/// One land on its way to the canonical form.
struct Labelling {
    regions: Vec<Region>,
    /// Both orientations of every boundary: as met, and mirrored.
    boundaries: Vec<[Vec<Mark>; 2]>,
    links: usize,
    /// Automorphisms found, as permutations of the links.
    automorphisms: Vec<Vec<u16>>,
}

impl Labelling {
    fn new(sketch: &Sketch, regions: &[usize]) -> Self {
        let mut labelling = Self {
            regions: Vec::with_capacity(regions.len()),
            boundaries: Vec::new(),
            links: 0,
            automorphisms: Vec::new(),
        };
        let mut link_of = vec![u16::MAX; sketch.letters()];
        for &region in regions {
            let first = labelling.boundaries.len();
            let mut isolated = 0;
            for boundary in sketch.boundaries(region) {
                if boundary == [Spot::ISOLATED] {
                    isolated += 1;
                } else {
                    labelling.push_boundary(boundary, &mut link_of);
                }
            }
            labelling.regions.push(Region {
                isolated,
                boundaries: first..labelling.boundaries.len(),
            });
        }
        labelling
    }

    fn push_boundary(&mut self, boundary: &[Spot], link_of: &mut [u16]) {
        let size = boundary.len();
        let mut forward = Vec::with_capacity(size);
        for (i, &spot) in boundary.iter().enumerate() {
            forward.push(match spot.number() {
                None => Mark::Spot(spot),
                Some(number) => {
                    let distance = (1..size).find(|d| boundary[(i + d) % size] == spot);
                    match distance {
                        Some(distance) => Mark::Pair(distance as u16),
                        None => {
                            if link_of[number] == u16::MAX {
                                link_of[number] = self.links as u16;
                                self.links += 1;
                            }
                            Mark::Link(link_of[number])
                        }
                    }
                }
            });
        }
        let mirrored = forward.iter().rev().map(|&mark| match mark {
            Mark::Pair(distance) => Mark::Pair(size as u16 - distance),
            other => other,
        });
        let mirrored = mirrored.collect();
        self.boundaries.push([forward, mirrored]);
    }

    fn land(mut self) -> Land {
        if self.is_one_move() {
            return Land::from_canonical(&encoding::ONE_MOVE);
        }
        let leaf = self.smallest(vec![0; self.links]);
        Land::from_canonical(&encoding::encode(&named(&leaf.form)))
    }

    /// Whether the land has two lives.
    fn is_one_move(&self) -> bool {
        // Every copy of a letter counts half.
        let halves = |mark: &Mark| match mark {
            Mark::Spot(spot) => 2 * spot.lives(),
            _ => 1,
        };
        let marks = self.boundaries.iter().flat_map(|[marks, _]| marks);
        let isolated: u32 = self
            .regions
            .iter()
            .map(|region| u32::from(region.isolated))
            .sum();
        isolated == 0 && marks.map(halves).sum::<u32>() == 4
    }

    /// The smallest form among those that the given colours allow.
    fn smallest(&mut self, mut colours: Vec<u64>) -> Leaf {
        self.refine(&mut colours);
        let Some(tied) = smallest_tie(&colours) else {
            return self.leaf(&colours);
        };
        let known = self.automorphisms.len();
        let mut best = self.smallest(individualised(&colours, tied[0]));
        for (tried, &link) in tied.iter().enumerate().skip(1) {
            // All automorphisms found below this node fix the links told apart above it.
            if self.maps_to_any(link, &tied[..tried], known) {
                continue;
            }
            let mut leaf = self.any_leaf(individualised(&colours, link));
            if leaf.form != best.form {
                leaf = self.smallest(individualised(&colours, link));
            }
            match leaf.form.cmp(&best.form) {
                std::cmp::Ordering::Less => best = leaf,
                std::cmp::Ordering::Equal => self.automorphisms.push(mapping(&best, &leaf)),
                std::cmp::Ordering::Greater => {}
            }
        }
        best
    }

    /// The form that comes of breaking every tie in favour of the first link.
    fn any_leaf(&self, mut colours: Vec<u64>) -> Leaf {
        loop {
            self.refine(&mut colours);
            match smallest_tie(&colours) {
                None => return self.leaf(&colours),
                Some(tied) => colours = individualised(&colours, tied[0]),
            }
        }
    }

    /// Whether automorphisms found from the `known`-th on map the link to one of the others.
    fn maps_to_any(&self, link: usize, others: &[usize], known: usize) -> bool {
        let mut orbit = vec![link];
        let mut next = 0;
        while next < orbit.len() {
            for automorphism in &self.automorphisms[known..] {
                let image = usize::from(automorphism[orbit[next]]);
                if others.contains(&image) {
                    return true;
                }
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        false
    }

    /// Gives links different colours that look different from either of their two places, until
    /// the number of colours stands still.
    fn refine(&self, colours: &mut [u64]) {
        let mut distinct = count_distinct(colours);
        while distinct < colours.len() {
            let mut seen = vec![0u64; colours.len()];
            for region in &self.regions {
                self.look_around(region, colours, &mut seen);
            }
            for (colour, seen) in colours.iter_mut().zip(seen) {
                *colour = mix(colour.wrapping_mul(MULTIPLIER) ^ mix(seen));
            }
            let now = count_distinct(colours);
            if now == distinct {
                break;
            }
            distinct = now;
        }
    }

    /// Adds to each link what it sees from its place in the region, the same for the region and
    /// its mirror image.
    fn look_around(&self, region: &Region, colours: &[u64], seen: &mut [u64]) {
        let boundaries = &self.boundaries[region.boundaries.clone()];
        let mut totals = [u64::from(region.isolated); 2];
        // views[orientation]: (link, what is met walking once around from it)
        let mut views: [Vec<(u16, u64)>; 2] = [Vec::new(), Vec::new()];
        for boundary in boundaries {
            for orientation in 0..2 {
                let first = views[orientation].len();
                let mut whole = 0u64;
                walk(&boundary[orientation], colours, |mark, hash| {
                    whole = whole.wrapping_add(mix(hash));
                    if let Mark::Link(link) = mark {
                        views[orientation].push((link, hash));
                    }
                });
                let whole = mix(whole);
                totals[orientation] = totals[orientation].wrapping_add(whole);
                for view in &mut views[orientation][first..] {
                    view.1 = mix(view.1 ^ whole);
                }
            }
        }
        for orientation in 0..2 {
            for &(link, hash) in &views[orientation] {
                let sight = mix(hash.wrapping_add(mix(totals[orientation])));
                let seen = &mut seen[usize::from(link)];
                *seen = seen.wrapping_add(sight);
            }
        }
    }

    /// The form when every link has a colour of its own.
    fn leaf(&self, colours: &[u64]) -> Leaf {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_unstable_by_key(|&link| colours[link]);
        let mut rank = vec![0u16; colours.len()];
        for (position, &link) in order.iter().enumerate() {
            rank[link] = position as u16;
        }
        let mut form: Form = self
            .regions
            .iter()
            .map(|region| {
                let boundaries = &self.boundaries[region.boundaries.clone()];
                let marks = (0..2).map(|orientation| {
                    let mut sorted: Vec<Vec<Mark>> = boundaries
                        .iter()
                        .map(|boundary| smallest_rotation(&boundary[orientation], &rank))
                        .collect();
                    sorted.sort_unstable();
                    sorted.concat()
                });
                (region.isolated, marks.min().unwrap_or_default())
            })
            .collect();
        form.sort_unstable_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        Leaf { form, rank }
    }
}

/// The links that share a colour: the smallest such group, of those the one of least colour.
fn smallest_tie(colours: &[u64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..colours.len()).collect();
    order.sort_by_key(|&link| colours[link]);
    order
        .chunk_by(|&a, &b| colours[a] == colours[b])
        .filter(|group| group.len() > 1)
        .min_by_key(|group| group.len())
        .map(<[usize]>::to_vec)
}

fn individualised(colours: &[u64], link: usize) -> Vec<u64> {
    let mut colours = colours.to_vec();
    colours[link] = mix(!colours[link]);
    colours
}

/// The permutation of links that turns one leaf into another of the same form.
fn mapping(from: &Leaf, to: &Leaf) -> Vec<u16> {
    let mut by_rank = vec![0u16; to.rank.len()];
    for (link, &rank) in to.rank.iter().enumerate() {
        by_rank[usize::from(rank)] = link as u16;
    }
    from.rank
        .iter()
        .map(|&rank| by_rank[usize::from(rank)])
        .collect()
}

/// Calls `visit` at each place of a boundary with a hash of all that is met from there on once
/// around.
fn walk(boundary: &[Mark], colours: &[u64], mut visit: impl FnMut(Mark, u64)) {
    let code = |mark: Mark| match mark {
        Mark::End => 0,
        Mark::Spot(spot) => mix(u64::from(spot.lives())),
        Mark::Pair(distance) => mix(16 + u64::from(distance)),
        Mark::Link(link) => mix(colours[usize::from(link)] ^ MULTIPLIER),
    };
    let mut hash = 0u64;
    let mut top = 1u64;
    for (i, &mark) in boundary.iter().enumerate() {
        hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(code(mark));
        if i > 0 {
            top = top.wrapping_mul(MULTIPLIER);
        }
    }
    for &mark in boundary {
        visit(mark, hash);
        let code = code(mark);
        let rest = hash.wrapping_sub(code.wrapping_mul(top));
        hash = rest.wrapping_mul(MULTIPLIER).wrapping_add(code);
    }
}

/// The least rotation of a boundary with links named by rank, closed by [`Mark::End`].
fn smallest_rotation(boundary: &[Mark], rank: &[u16]) -> Vec<Mark> {
    let size = boundary.len();
    let ranked = |i: usize| match boundary[i % size] {
        Mark::Link(link) => Mark::Link(rank[usize::from(link)]),
        mark => mark,
    };
    let mut best = 0;
    for start in 1..size {
        let differing = (0..size).find(|&i| ranked(start + i) != ranked(best + i));
        if differing.is_some_and(|i| ranked(start + i) < ranked(best + i)) {
            best = start;
        }
    }
    (best..best + size).map(ranked).chain([Mark::End]).collect()
}

/// A form as a sketch whose letters are numbered in the order in which they are met.
fn named(form: &Form) -> Sketch {
    let mut sketch = Sketch::default();
    let mut name_of_link: Vec<Option<Spot>> = Vec::new();
    for (isolated, marks) in form {
        for _ in 0..*isolated {
            sketch.push_boundary(&[Spot::ISOLATED]);
        }
        for boundary in marks.split(|&mark| mark == Mark::End) {
            let mut names: Vec<Spot> = Vec::with_capacity(boundary.len());
            for (i, &mark) in boundary.iter().enumerate() {
                let spot = match mark {
                    Mark::End => unreachable!("split at the ends"),
                    Mark::Spot(spot) => spot,
                    Mark::Pair(distance) => {
                        let other = (i + usize::from(distance)) % boundary.len();
                        match names.get(other) {
                            Some(&name) => name,
                            None => sketch.new_letter(),
                        }
                    }
                    Mark::Link(link) => {
                        let link = usize::from(link);
                        name_of_link.resize(name_of_link.len().max(link + 1), None);
                        *name_of_link[link].get_or_insert_with(|| sketch.new_letter())
                    }
                };
                names.push(spot);
            }
            sketch.push_boundary(&names);
        }
        sketch.end_region();
    }
    sketch
}

fn count_distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64).
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(MULTIPLIER);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
