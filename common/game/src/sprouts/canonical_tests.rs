//! Canonical bytes are the keys of stored records and of certificates, so they must never change within one
//! version of the encoding. Tens of thousands of positions of all sizes are compared with digests.

use std::collections::HashSet;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::random::Random;
use super::{Rules, canonical, moves};
use sproutnet_notation::raw::{RawPosition, Spot};

/// A line for each family of positions: its name, and a digest of the bytes of every [`BATCH`] positions.
const DIGESTS: &str = include_str!("canonical_digests.txt");

/// The number of positions that share a digest.
const BATCH: usize = 100;

/// Regions of boundaries of spots.
type Regions = Vec<Vec<Vec<Spot>>>;

fn raw(regions: &Regions) -> RawPosition {
    let mut raw = RawPosition::default();
    let spots = regions.iter().flatten().flatten();
    let letters = spots.filter_map(|spot| spot.number()).max();
    raw.reserve_letters(letters.map_or(0, |most| most + 1));
    for region in regions {
        for boundary in region {
            raw.push_boundary(boundary);
        }
        raw.end_region();
    }
    raw
}

fn regions(raw: &RawPosition) -> Regions {
    let boundaries = |region| raw.boundaries(region).map(<[Spot]>::to_vec).collect();
    (0..raw.regions()).map(boundaries).collect()
}

/// The number of letters in two regions.
fn links(raw: &RawPosition) -> usize {
    let mut met = vec![HashSet::new(); raw.letters()];
    for (region, boundaries) in regions(raw).iter().enumerate() {
        for letter in boundaries.iter().flatten().filter_map(|spot| spot.number()) {
            met[letter].insert(region);
        }
    }
    met.iter().filter(|regions| regions.len() == 2).count()
}

/// A drawing, hardly ever of a plane: spots on boundaries, and letters with copies on one boundary or in two
/// regions.
fn scattered(random: &mut Random, most: [usize; 3]) -> RawPosition {
    let [count, boundaries, spots] = most;
    let mut regions: Regions = Vec::new();
    let mut open = Vec::new();
    for region in 0..=random.below(count) {
        let mut all = vec![vec![Spot::ISOLATED]; random.below(4)];
        for boundary in all.len()..=all.len() + random.below(boundaries) {
            let mut its = vec![Spot::END; random.below(spots) + 1];
            for (place, spot) in its.iter_mut().enumerate() {
                match random.below(6) {
                    0 => {}
                    1 => *spot = Spot::MID,
                    _ => open.push((region, boundary, place)),
                }
            }
            all.push(its);
        }
        regions.push(all);
    }
    let mut letters = 0;
    random.shuffle(&mut open);
    while let Some(first) = open.pop() {
        let fits = |other: &(usize, usize, usize)| other.0 != first.0 || other.1 == first.1;
        let second = open
            .iter()
            .position(fits)
            .map(|place| open.swap_remove(place));
        let spot = second.map_or(Spot::MID, |_| Spot::letter(letters));
        letters += usize::from(second.is_some());
        for (region, boundary, place) in second.into_iter().chain([first]) {
            regions[region][boundary][place] = spot;
        }
    }
    raw(&regions)
}

/// A graph: its edges are letters, its vertices regions. All places of most of these graphs look alike.
fn graph(random: &mut Random, most: usize) -> RawPosition {
    let count = 3 + random.below(most);
    let mut edges: Vec<[usize; 2]> = Vec::new();
    let kind = random.below(6);
    let step = 1 + random.below(count / 2);
    for one in 0..count {
        match kind {
            // A ring with chords, a star of rays, a wheel, two rings and their rungs, a cube, a shuffled ring.
            0 => edges.extend([[one, (one + 1) % count], [one, (one + step) % count]]),
            1 => edges.push([one, one.saturating_sub(step)]),
            2 => edges.extend([[one, (one + 1) % count], [one, count]]),
            3 => edges.extend([
                [one, (one + 1) % count],
                [one + count, (one + 1) % count + count],
                [one, one + count],
            ]),
            4 => edges.extend((0..8).map(|bit| [one, one ^ 1 << bit])),
            _ => edges.push([one, (one + step) % count]),
        }
    }
    edges.retain(|[a, b]| a != b && (kind != 4 || a < b && *b < count));
    edges.truncate(300);
    let vertices = edges.iter().flatten().max().map_or(0, |most| most + 1);
    let mut ends = vec![Vec::new(); vertices];
    for (letter, edge) in edges.iter().enumerate() {
        for &end in edge {
            ends[end].push(Spot::letter(letter));
        }
    }
    let (size, spots, odd) = (
        random.below(4),
        random.below(3),
        random.below(3 * vertices.max(1)),
    );
    let region = |(vertex, mut letters): (usize, Vec<Spot>)| {
        if random.below(3) == 0 {
            random.shuffle(&mut letters);
        }
        let size = if size == 0 { letters.len() } else { size };
        let mut all: Vec<Vec<Spot>> = letters.chunks(size.max(1)).map(<[Spot]>::to_vec).collect();
        all.extend(vec![
            vec![Spot::ISOLATED];
            1 + spots + usize::from(vertex == odd)
        ]);
        all
    };
    raw(&ends.into_iter().enumerate().map(region).collect())
}

/// Two regions that share all letters, in different orders.
fn paired(random: &mut Random, most: usize) -> RawPosition {
    let mut letters: Vec<Spot> = (0..4 + random.below(most)).map(Spot::letter).collect();
    let size = 1 + random.below(letters.len());
    let mut side = |spot: Spot| {
        let mut all: Vec<Vec<Spot>> = letters.chunks(size).map(<[Spot]>::to_vec).collect();
        all.push(vec![spot]);
        random.shuffle(&mut letters);
        all
    };
    raw(&vec![side(Spot::ISOLATED), side(Spot::ISOLATED)])
}

/// The positions of a random game, with regions in random order.
fn game(random: &mut Random, spots: usize, met: &mut Vec<RawPosition>) {
    let mut now = raw(&vec![vec![vec![Spot::ISOLATED]; spots]]);
    loop {
        // Of three moves, the one that leaves the most letters, so that lands become large.
        let chosen = [(); 3].map(|()| random.below(300));
        let mut options = Vec::new();
        let mut place = 0;
        let _ = moves::each(&now, Rules::SPROUTS, &mut |option| {
            if place == 0 || chosen.contains(&place) {
                options.push(option.clone());
            }
            place += 1;
            if place == 300 {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        let Some(after) = options.into_iter().max_by_key(links) else {
            return;
        };
        met.push(after.clone());
        let mut all = regions(&after);
        random.shuffle(&mut all);
        for region in &mut all {
            random.shuffle(region);
        }
        now = raw(&all);
    }
}

/// The positions of a family.
fn family(name: &str) -> Vec<RawPosition> {
    let mut random = Random(xxh3_64(name.as_bytes()));
    let mut met = Vec::new();
    let many = |count: usize, mut make: Box<dyn FnMut() -> RawPosition + '_>| {
        (0..count).map(|_| make()).collect()
    };
    match name {
        "small" => many(20_000, Box::new(|| scattered(&mut random, [4, 3, 5]))),
        "medium" => many(10_000, Box::new(|| scattered(&mut random, [12, 4, 6]))),
        "large" => many(5_000, Box::new(|| scattered(&mut random, [30, 4, 6]))),
        "huge" => many(1_000, Box::new(|| scattered(&mut random, [60, 4, 7]))),
        "graphs" => many(10_000, Box::new(|| graph(&mut random, 12))),
        "large-graphs" => many(800, Box::new(|| graph(&mut random, 60))),
        "pairs" => many(1_500, Box::new(|| paired(&mut random, 11))),
        "large-pairs" => many(500, Box::new(|| paired(&mut random, 50))),
        "games" => {
            let spots = [6, 9, 14, 20, 30, 50, 80, 120, 200, 333];
            for spots in spots {
                game(&mut random, spots, &mut met);
            }
            met
        }
        _ => panic!("there is no family {name}"),
    }
}

#[test]
fn bytes_of_positions_of_all_sizes_stay_what_they_are() {
    for line in DIGESTS.lines() {
        let mut words = line.split(' ');
        let name = words.next().expect("a name");
        let digest = |batch: &[RawPosition]| {
            let bytes = batch.iter().flat_map(|raw| {
                let lands = canonical::position(raw, Rules::SPROUTS);
                let lands = lands.lands().iter();
                lands
                    .flat_map(|land| [land.as_bytes(), &[u8::MAX]].concat())
                    .collect::<Vec<u8>>()
            });
            format!("{:08x}", xxh3_64(&bytes.collect::<Vec<u8>>()) as u32)
        };
        let found: Vec<String> = family(name).chunks(BATCH).map(digest).collect();
        let expected: Vec<&str> = words.collect();
        assert_eq!(found, expected, "{name} {}", found.join(" "));
    }
}
