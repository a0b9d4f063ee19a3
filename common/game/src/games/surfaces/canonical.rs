//! One form for all lands that are equal up to the rotation and order of boundaries, the order of regions, the names of
//! letters, and orientation: a region that has one is mirrored as a whole, in others each boundary by itself.
//!
//! What remains is to number the *links*, the letters that join two boundaries. They get different colours if the views
//! from their places differ. A tie is broken by trying each of the tied links and keeping the smallest form.

use sproutnet_notation::raw::Spot;

use super::encoding::{self, END, END_OF_BOUNDARY, END_OF_REGION, FIRST_LETTER, ISOLATED, MID};
use super::region::{Boundary, Region, Surface, letters};
use crate::sprouts::links::{MULTIPLIER, count_distinct, individualised, mix, smallest_tie};

/// A boundary as codes that do not depend on where it is read from, except for its links. A letter with both copies there
/// is told by the distance to the other one.
type Word = Vec<u16>;

/// Codes of links begin here, those of pairs below other spots.
const LINK: u16 = 0x8000;
const PAIR: u16 = 0x100;

/// The codes of a boundary. `link` tells those of links.
fn word(boundary: &[Spot], link: impl Fn(usize) -> u16) -> Word {
    let length = boundary.len();
    let code = |(at, spot): (usize, &Spot)| match *spot {
        Spot::ISOLATED => ISOLATED.into(),
        Spot::END => END.into(),
        Spot::MID => MID.into(),
        letter => {
            let distance = (1..length).find(|far| boundary[(at + far) % length] == letter);
            let number = letter.number().expect("dead spots are left out");
            distance.map_or_else(|| link(number), |far| PAIR + far as u16)
        }
    };
    boundary.iter().enumerate().map(code).collect()
}

/// The smallest of the readings of a word from each place.
fn smallest_rotation(word: &[u16]) -> Word {
    let rotated = |start: usize| [&word[start..], &word[..start]].concat();
    let rotations = (0..word.len()).map(rotated);
    rotations.min().expect("a boundary is not empty")
}

/// Whether two boundaries without links are equal except for the names of letters.
pub(super) fn is_alike(one: &Boundary, other: &Boundary) -> bool {
    let [one, other] = [one, other].map(|boundary| word(boundary, |_| LINK));
    one == other && !one.contains(&LINK)
}

/// Whether the mirror image of a boundary differs from it, or may differ.
pub(super) fn is_chiral(boundary: &Boundary) -> bool {
    let read =
        |boundary: &[Spot]| smallest_rotation(&word(boundary, |number| LINK + number as u16));
    let mirrored: Boundary = boundary.iter().rev().copied().collect();
    read(boundary) != read(&mirrored)
}

/// The canonical bytes of a land.
pub(super) fn form(land: &[Region]) -> Vec<u8> {
    let mut copies = vec![None; letters(land)];
    let mut links = 0;
    for boundary in land.iter().flat_map(|region| &region.boundaries) {
        let seen = word(boundary, |_| LINK);
        for (spot, _) in boundary.iter().zip(seen).filter(|&(_, code)| code == LINK) {
            let link = &mut copies[spot.number().expect("a link is a letter")];
            links += usize::from(link.is_none());
            link.get_or_insert(links - 1);
        }
    }
    let regions = land.iter().map(|region| {
        let link = |number: usize| LINK + copies[number].unwrap_or(0) as u16;
        let boundaries = region.boundaries.iter().map(|boundary| {
            let mirrored: Boundary = boundary.iter().rev().copied().collect();
            [word(boundary, link), word(&mirrored, link)]
        });
        (region.surface, boundaries.collect())
    });
    let regions = regions.collect();
    Labelling { regions }.smallest(vec![0; links]).1
}

/// A boundary in both directions.
type Readings = [Word; 2];

/// The colours of links when all differ, sorted, and the bytes that they give. With both equal, two leaves show a symmetry
/// that maps the links that were given colours of their own to each other.
type Leaf = (Vec<u64>, Vec<u8>);

/// The search for the smallest leaf of a land.
struct Labelling {
    regions: Vec<(Surface, Vec<Readings>)>,
}

impl Labelling {
    /// The smallest leaf that agrees with the colours.
    fn smallest(&self, mut colours: Vec<u64>) -> Leaf {
        self.refine(&mut colours);
        let Some(tied) = smallest_tie(&colours) else {
            return self.leaf(&colours);
        };
        let mut best = self.smallest(individualised(&colours, tied[0]));
        for &link in &tied[1..] {
            // A symmetry maps all leaves below this link to those below one that was tried.
            if self.any(individualised(&colours, link)) != best {
                best = best.min(self.smallest(individualised(&colours, link)));
            }
        }
        best
    }

    /// The leaf when each tie is broken in favour of the first link.
    fn any(&self, mut colours: Vec<u64>) -> Leaf {
        loop {
            self.refine(&mut colours);
            match smallest_tie(&colours) {
                None => return self.leaf(&colours),
                Some(tied) => colours = individualised(&colours, tied[0]),
            }
        }
    }

    /// Refines colours until their number stands still. They are hashes: a collision causes a tie, never a wrong form.
    fn refine(&self, colours: &mut [u64]) {
        let mut distinct = count_distinct(colours);
        while distinct < colours.len() {
            let mut seen = vec![0u64; colours.len()];
            for (surface, boundaries) in &self.regions {
                look_around(*surface, boundaries, colours, &mut seen);
            }
            for (colour, seen) in colours.iter_mut().zip(seen) {
                *colour = mix(colour.wrapping_mul(MULTIPLIER) ^ seen);
            }
            let now = count_distinct(colours);
            if now == distinct {
                break;
            }
            distinct = now;
        }
    }

    /// The leaf of colours that all differ.
    fn leaf(&self, colours: &[u64]) -> Leaf {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_unstable_by_key(|&link| colours[link]);
        let mut rank = vec![0; colours.len()];
        for (position, &link) in order.iter().enumerate() {
            rank[link] = LINK + position as u16;
        }
        let ranked = |word: &Word| {
            let ranked = word.iter().map(|&code| match code {
                LINK.. => rank[usize::from(code - LINK)],
                _ => code,
            });
            smallest_rotation(&ranked.collect::<Word>())
        };
        let regions = self.regions.iter().map(|(surface, boundaries)| {
            let read = boundaries
                .iter()
                .map(|both| [ranked(&both[0]), ranked(&both[1])]);
            let mut read: Vec<Readings> = read.collect();
            if !surface.is_orientable() {
                for both in &mut read {
                    both.sort();
                }
            }
            let sorted = [0, 1].map(|direction: usize| {
                let words = read.iter().map(|both| both[direction].clone());
                let mut words: Vec<Word> = words.collect();
                words.sort();
                words
            });
            let [one, other] = sorted;
            match surface.is_orientable() {
                true => (*surface, one.min(other)),
                false => (*surface, one),
            }
        });
        let mut regions: Vec<(Surface, Vec<Word>)> = regions.collect();
        regions.sort();
        let bytes = write(&regions, colours.len());
        (order.iter().map(|&link| colours[link]).collect(), bytes)
    }
}

/// The bytes of regions, with letters numbered in the order of occurrence.
fn write(regions: &[(Surface, Vec<Word>)], links: usize) -> Vec<u8> {
    let mut numbers = vec![None; links];
    let mut bytes = Vec::new();
    let mut letters = FIRST_LETTER..;
    let mut new_letter = || {
        letters
            .next()
            .expect("letters are few, since each has a life")
    };
    for (surface, words) in regions {
        bytes.push(encoding::surface(*surface));
        for word in words {
            let start = bytes.len();
            for (at, &code) in word.iter().enumerate() {
                bytes.push(match code {
                    LINK.. => {
                        *numbers[usize::from(code - LINK)].get_or_insert_with(&mut new_letter)
                    }
                    PAIR.. => match (at + usize::from(code - PAIR)) % word.len() {
                        other if other < at => bytes[start + other],
                        _ => new_letter(),
                    },
                    _ => code as u8,
                });
            }
            bytes.push(END_OF_BOUNDARY);
        }
        bytes.push(END_OF_REGION);
    }
    bytes
}

/// Adds the view of a region to what each link in it has seen. It is the same for the mirror image.
fn look_around(surface: Surface, boundaries: &[Readings], colours: &[u64], seen: &mut [u64]) {
    let views = |word: &Word| -> Vec<u64> {
        let value = |&code: &u16| match code {
            LINK.. => mix(colours[usize::from(code - LINK)] ^ MULTIPLIER),
            _ => mix(u64::from(code)),
        };
        let values: Vec<u64> = word.iter().map(value).collect();
        let view = |start: usize| {
            let from = values[start..].iter().chain(&values[..start]);
            mix(from.fold(0, |hash: u64, value| {
                hash.wrapping_mul(MULTIPLIER).wrapping_add(*value)
            }))
        };
        (0..word.len()).map(view).collect()
    };
    let sum = |hashes: &[u64]| {
        hashes
            .iter()
            .fold(0u64, |sum, &hash| sum.wrapping_add(hash))
    };
    let views = boundaries
        .iter()
        .map(|both| [views(&both[0]), views(&both[1])]);
    let views: Vec<[Vec<u64>; 2]> = views.collect();
    let wholes = views.iter().map(|both| {
        let [one, other] = [mix(sum(&both[0])), mix(sum(&both[1]))];
        match surface.is_orientable() {
            true => [one, other],
            false => [one.wrapping_add(other); 2],
        }
    });
    let wholes: Vec<[u64; 2]> = wholes.collect();
    for direction in [0, 1] {
        let all: Vec<u64> = wholes.iter().map(|whole| mix(whole[direction])).collect();
        let total = mix(sum(&all) ^ surface.0 as u64);
        for ((both, views), whole) in boundaries.iter().zip(&views).zip(&wholes) {
            for (&code, &view) in both[direction].iter().zip(&views[direction]) {
                if let Some(link) = code.checked_sub(LINK) {
                    let seen = &mut seen[usize::from(link)];
                    *seen = seen.wrapping_add(mix(view ^ mix(whole[direction] ^ total)));
                }
            }
        }
    }
}
