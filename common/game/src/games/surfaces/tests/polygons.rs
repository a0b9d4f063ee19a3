//! Sprouts on surfaces made of polygons: a slow rules engine that checks the fast one.
//!
//! A region is cut into polygons, whose sides are glued in pairs. A curve runs through polygons: it begins at a spot, crosses
//! sides, and ends at a spot. It cuts each polygon that it crosses in two. What is left is found by counting: the Euler
//! characteristic tells the genus, the way in which sides are glued tells whether there is an orientation, and a walk along
//! the rim of polygons tells the boundaries. Curves that cross more sides than a limit are left out.
//!
//! All corners of polygons lie on boundaries of the region. So a polygon is contractible, two polygons meet along their
//! sides alone, and the Euler characteristic of a region is the number of its polygons less that of its sides.
//!
//! This engine shares neither code nor ideas with the other one. It knows no theorem about moves.

use std::collections::BTreeSet;

/// What is met on the rim of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A spot, as seen from here. Neighbouring copies on the rim may be the same place.
    Spot(usize),
    /// A side, and whether it is met in its direction. There are two places with it.
    Side(usize, bool),
    /// Where a curve begins and ends that is about to be drawn in this polygon.
    Begin,
    End,
}

type Polygon = Vec<Item>;

/// A region as it is seen: its Euler genus, whether it has an orientation, and the spots on its boundaries.
type Seen = (usize, bool, Vec<Vec<usize>>);

/// A position, as a drawing.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// The lines at each spot.
    lines: Vec<usize>,
    regions: Vec<Seen>,
}

impl Drawing {
    /// Spots on a surface with so many handles, or with crosscaps if the number is negative.
    pub(super) fn start(spots: usize, surface: i32) -> Self {
        let spots: Vec<[usize; 1]> = (0..spots).map(|spot| [spot]).collect();
        let boundaries: Vec<&[usize]> = spots.iter().map(|spot| &spot[..]).collect();
        Self::of(&vec![0; spots.len()], &[(surface, &boundaries)])
    }

    /// Spots with so many lines, on the boundaries of regions.
    pub(super) fn of(lines: &[usize], regions: &[(i32, &[&[usize]])]) -> Self {
        let regions = regions.iter().map(|&(surface, boundaries)| {
            let genus = if surface < 0 { -surface } else { 2 * surface };
            let boundaries = boundaries.iter().map(|word| word.to_vec());
            (genus as usize, surface >= 0, boundaries.collect())
        });
        Self {
            lines: lines.to_vec(),
            regions: regions.collect(),
        }
    }

    /// The position in the usual notation.
    pub(super) fn text(&self) -> String {
        let regions = self.regions.iter();
        let words = regions
            .clone()
            .map(|(_, _, boundaries)| boundaries.iter().map(|word| self.places(word)));
        let words: Vec<Vec<Vec<usize>>> = words.map(Iterator::collect).collect();
        let mut letters: Vec<usize> = Vec::new();
        let mut symbol = |spot: usize| {
            let met = words
                .iter()
                .flatten()
                .flatten()
                .filter(|&&other| other == spot)
                .count();
            match (self.lines[spot], met) {
                (2, 2) => {
                    let at = letters.iter().position(|&other| other == spot);
                    let at = at.unwrap_or_else(|| {
                        letters.push(spot);
                        letters.len() - 1
                    });
                    char::from(b'A' + at as u8).to_string()
                }
                (lines, 1) => lines.to_string(),
                wrong => panic!("a spot with so many lines and places: {wrong:?}"),
            }
        };
        let texts = regions
            .zip(&words)
            .map(|((genus, is_orientable, _), words)| {
                let words = words
                    .iter()
                    .map(|word| word.iter().map(|&spot| symbol(spot)).collect());
                let text = words.collect::<Vec<String>>().join(".");
                let surface = if *is_orientable {
                    *genus as i64 / 2
                } else {
                    -(*genus as i64)
                };
                (text, surface)
            });
        let texts: Vec<(String, i64)> = texts.filter(|(text, _)| !text.is_empty()).collect();
        match &texts[..] {
            [] => "!".to_owned(),
            [(text, surface)] if text.bytes().all(|byte| byte.is_ascii_digit()) && text != "0" => {
                format!("{text}}}@{surface}")
            }
            [(text, surface)] if text == "0" => format!("0*1@{surface}"),
            _ => {
                let texts: Vec<String> = texts
                    .iter()
                    .map(|(text, surface)| format!("{text}@{surface}"))
                    .collect();
                texts.join("|")
            }
        }
    }

    /// A boundary with one copy of a spot for each place.
    fn places(&self, word: &[usize]) -> Vec<usize> {
        let mut word = word.to_vec();
        word.dedup();
        if word.len() > 1 && word.first() == word.last() {
            word.pop();
        }
        word
    }

    /// The drawings after one move whose curve crosses at most so many sides, without repeats.
    pub(super) fn moves(&self, most_crossed: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for at in 0..self.regions.len() {
            let mut curve = Curve {
                lines: &self.lines,
                from: 0,
                found: BTreeSet::new(),
            };
            let (polygon, sides) = polygon(&self.regions[at]);
            for (i, item) in polygon.iter().enumerate() {
                let Item::Spot(spot) = *item else { continue };
                if self.lines[spot] < 3 {
                    let copies = [Item::Spot(spot), Item::Begin, Item::Spot(spot)];
                    let mut polygon = polygon.clone();
                    polygon.splice(i..=i, copies);
                    curve.from = spot;
                    curve.go_on(&[polygon], 0, sides, most_crossed, true);
                }
            }
            let found = curve.found.into_iter();
            all.extend(found.map(|(ends, after)| self.after(at, ends, after)));
        }
        all
    }

    fn after(&self, at: usize, ends: [usize; 2], after: Vec<Seen>) -> Self {
        let mut next = self.clone();
        ends.iter().for_each(|&spot| next.lines[spot] += 1);
        next.lines.push(2);
        next.regions.splice(at..=at, after);
        for (_, _, boundaries) in &mut next.regions {
            for word in boundaries.iter_mut() {
                word.retain(|&spot| next.lines[spot] < 3);
            }
            // A boundary without spots is a hole that no move can tell from a disc.
            boundaries.retain(|word| !word.is_empty());
        }
        next.regions
            .retain(|(_, _, boundaries)| !boundaries.is_empty());
        next
    }
}

/// A region as one polygon, and the number of its sides: its first boundary, then two crossed pairs of sides for a handle, a
/// side met twice in one direction for a crosscap, and a side to each other boundary and back.
fn polygon((genus, is_orientable, boundaries): &Seen) -> (Polygon, usize) {
    let mut items: Polygon = boundaries[0].iter().map(|&spot| Item::Spot(spot)).collect();
    let mut sides = 0;
    let mut new_side = || {
        sides += 1;
        sides - 1
    };
    if *is_orientable {
        for _ in 0..genus / 2 {
            let [a, b] = [new_side(), new_side()];
            items.extend(
                [(a, true), (b, true), (a, false), (b, false)]
                    .map(|(side, way)| Item::Side(side, way)),
            );
        }
    } else {
        for _ in 0..*genus {
            items.extend([Item::Side(new_side(), true); 2].map(|item| item));
            let last = items.len() - 1;
            items[last] = items[last - 1];
        }
    }
    for word in &boundaries[1..] {
        let side = new_side();
        items.push(Item::Side(side, true));
        items.extend(word.iter().map(|&spot| Item::Spot(spot)));
        items.push(Item::Side(side, false));
    }
    (items, sides)
}

/// A curve that is being drawn.
struct Curve<'a> {
    lines: &'a [usize],
    from: usize,
    /// The ends of curves, and what each leaves of the region.
    found: BTreeSet<([usize; 2], Vec<Seen>)>,
}

impl Curve<'_> {
    /// Goes on from the beginning that is marked in a polygon, in all ways. The new spot lies in the first polygon.
    fn go_on(
        &mut self,
        polygons: &[Polygon],
        at: usize,
        sides: usize,
        most_crossed: usize,
        is_first: bool,
    ) {
        for i in 0..polygons[at].len() {
            match polygons[at][i] {
                Item::Spot(to) => {
                    // The line takes a life at either end. The new spot is none of its ends.
                    let lives = self.lines.get(to).map_or(0, |lines| 3 - lines);
                    if lives < if to == self.from { 2 } else { 1 } {
                        continue;
                    }
                    let mut polygons = polygons.to_vec();
                    polygons[at].splice(i..=i, [Item::Spot(to), Item::End, Item::Spot(to)]);
                    self.cut(&mut polygons, at, is_first);
                    let mut regions = seen(&polygons);
                    regions.sort();
                    self.found.insert(([self.from, to], regions));
                }
                Item::Side(side, way) if most_crossed > 0 => {
                    let mut polygons = polygons.to_vec();
                    let is_other = |&item: &Item| matches!(item, Item::Side(met, _) if met == side);
                    let places = polygons.iter().enumerate().flat_map(|(polygon, items)| {
                        items
                            .iter()
                            .enumerate()
                            .filter(|(_, item)| is_other(item))
                            .map(move |(place, _)| (polygon, place))
                    });
                    let other = places
                        .into_iter()
                        .find(|&place| place != (at, i))
                        .expect("a side is met twice");
                    let Item::Side(_, other_way) = polygons[other.0][other.1] else {
                        unreachable!()
                    };
                    // Both halves of the side, and the place where it is crossed.
                    let halves = |way: bool, mark: Item| match way {
                        true => [Item::Side(side, true), mark, Item::Side(sides, true)],
                        false => [Item::Side(sides, false), mark, Item::Side(side, false)],
                    };
                    // The later place first, so that the earlier one stays where it is. Beyond the side, the curve begins again.
                    let mut both = [
                        ((at, i), halves(way, Item::End)),
                        (other, halves(other_way, Item::Side(usize::MAX, true))),
                    ];
                    both.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
                    for ((polygon, place), items) in both {
                        polygons[polygon].splice(place..=place, items);
                    }
                    self.cut(&mut polygons, at, is_first);
                    let beyond = |item: &Item| *item == Item::Side(usize::MAX, true);
                    let next = polygons
                        .iter()
                        .position(|items| items.iter().any(beyond))
                        .expect("it was marked");
                    let mark = polygons[next]
                        .iter_mut()
                        .find(|item| beyond(item))
                        .expect("it was marked");
                    *mark = Item::Begin;
                    self.go_on(&polygons, next, sides + 1, most_crossed - 1, false);
                }
                _ => {}
            }
        }
    }

    /// Cuts a polygon from its beginning to its end of a curve. With `is_first`, the new spot is met on both sides.
    fn cut(&self, polygons: &mut Vec<Polygon>, at: usize, is_first: bool) {
        let polygon = &mut polygons[at];
        let begin = polygon
            .iter()
            .position(|&item| item == Item::Begin)
            .expect("it was marked");
        polygon.rotate_left(begin);
        let end = polygon
            .iter()
            .position(|&item| item == Item::End)
            .expect("it was marked");
        let mut other = polygon.split_off(end + 1);
        polygon.pop();
        polygon.remove(0);
        if is_first {
            polygon.push(Item::Spot(self.lines.len()));
            other.push(Item::Spot(self.lines.len()));
        }
        polygons.push(other);
    }
}

/// The regions that glued polygons make.
fn seen(polygons: &[Polygon]) -> Vec<Seen> {
    // The two places of each side.
    let other = |at: usize, i: usize| {
        let Item::Side(side, _) = polygons[at][i] else {
            unreachable!()
        };
        let places = polygons.iter().enumerate().flat_map(|(polygon, items)| {
            let is_it = move |item: &Item| matches!(*item, Item::Side(met, _) if met == side);
            items
                .iter()
                .enumerate()
                .filter(move |(_, item)| is_it(item))
                .map(move |(place, _)| (polygon, place))
        });
        let mut places = places.filter(|&place| place != (at, i));
        places.next().expect("a side is met twice")
    };
    let way = |(at, i): (usize, usize)| matches!(polygons[at][i], Item::Side(_, true));
    let mut turned: Vec<Option<bool>> = vec![None; polygons.len()];
    let mut regions = Vec::new();
    for first in 0..polygons.len() {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut region = vec![first];
        let mut is_orientable = true;
        let mut halves_of_sides = 0;
        let mut next = 0;
        while let Some(&at) = region.get(next) {
            next += 1;
            for i in 0..polygons[at].len() {
                if !matches!(polygons[at][i], Item::Side(..)) {
                    continue;
                }
                halves_of_sides += 1;
                let beyond = other(at, i);
                // Both polygons have one orientation if they meet the side in opposite directions.
                let expected = turned[at].expect("it was met") != (way((at, i)) == way(beyond));
                match turned[beyond.0] {
                    None => {
                        turned[beyond.0] = Some(expected);
                        region.push(beyond.0);
                    }
                    Some(found) => is_orientable &= found == expected,
                }
            }
        }
        let mut boundaries = Vec::new();
        let mut met = BTreeSet::new();
        for &at in &region {
            for gap in 0..polygons[at].len().max(1) {
                if met.contains(&(at, gap)) {
                    continue;
                }
                let start = (at, gap, turned[at] == Some(false));
                let mut word = Vec::new();
                let mut place = start;
                loop {
                    let (at, gap, forward) = place;
                    met.insert((at, gap));
                    let length = polygons[at].len();
                    if length == 0 {
                        break;
                    }
                    let i = if forward {
                        gap
                    } else {
                        (gap + length - 1) % length
                    };
                    place = match polygons[at][i] {
                        Item::Spot(spot) => {
                            word.push(spot);
                            (at, if forward { (i + 1) % length } else { i }, forward)
                        }
                        _ => {
                            let beyond = other(at, i);
                            let length = polygons[beyond.0].len();
                            // The same direction along the rim, if both meet the side in opposite directions.
                            let forward = forward == (way((at, i)) != way(beyond));
                            (
                                beyond.0,
                                if forward {
                                    (beyond.1 + 1) % length
                                } else {
                                    beyond.1
                                },
                                forward,
                            )
                        }
                    };
                    if place == start {
                        break;
                    }
                }
                boundaries.push(word);
            }
        }
        let characteristic = region.len() as i64 - halves_of_sides / 2 + boundaries.len() as i64;
        regions.push(((2 - characteristic) as usize, is_orientable, boundaries));
    }
    regions
}
