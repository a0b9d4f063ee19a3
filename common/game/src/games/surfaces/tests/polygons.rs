//! Sprouts on surfaces made of polygons: a slow rules engine that checks the fast one.
//!
//! A region is cut into polygons, whose sides are glued in pairs. A curve runs through polygons: it begins at a spot,
//! crosses sides, and ends at a spot. It cuts each crossed polygon in two. The remains are found by counting: the Euler
//! characteristic gives the genus, the gluing of sides gives the orientation, and a walk along the rims of polygons
//! gives the boundaries. Curves that cross more sides than a limit are left out.
//!
//! All corners of polygons lie on boundaries of the region. So a polygon is contractible, two polygons meet along their
//! sides alone, and the Euler characteristic of a region is the number of its polygons less that of its sides.
//!
//! This engine shares neither code nor ideas with the other one. It knows no theorem about moves.

mod glued;

use std::collections::BTreeSet;

use self::glued::Glued;

/// An item on the rim of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A spot, as seen from here. Neighbouring copies on the rim may be the same place.
    Spot(usize),
    /// A side, and whether it is met in its direction. There are two places with it.
    Side(usize, bool),
    /// The two ends of the part of a curve in this polygon, before the polygon is cut.
    Begin,
    End,
    /// The start of the next part of the curve, beyond a side.
    Next,
}

type Polygon = Vec<Item>;

/// The description of a region: its Euler genus, whether it has an orientation, and the spots on its boundaries.
type Seen = (usize, bool, Vec<Vec<usize>>);

/// A position, as a drawing.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    /// The number of lines at each spot.
    lines: Vec<usize>,
    regions: Vec<Seen>,
}

impl Drawing {
    /// Isolated spots on a surface with `surface` handles or, if negative, `-surface` crosscaps.
    pub(super) fn start(spots: usize, surface: isize) -> Self {
        let spots: Vec<[usize; 1]> = (0..spots).map(|spot| [spot]).collect();
        let boundaries: Vec<&[usize]> = spots.iter().map(|spot| &spot[..]).collect();
        Self::of(&vec![0; spots.len()], &[(surface, &boundaries)])
    }

    /// Spots with these numbers of lines, on the boundaries of regions.
    pub(super) fn of(lines: &[usize], regions: &[(isize, &[&[usize]])]) -> Self {
        let regions = regions.iter().map(|&(surface, boundaries)| {
            let genus = if surface < 0 { 1 } else { 2 } * surface.unsigned_abs();
            let boundaries = boundaries.iter().map(|word| word.to_vec());
            (genus, surface >= 0, boundaries.collect())
        });
        Self {
            lines: lines.to_vec(),
            regions: regions.collect(),
        }
    }

    /// The position in the usual notation.
    pub(super) fn text(&self) -> String {
        let places =
            |(_, _, boundaries): &Seen| boundaries.iter().map(|word| places(word)).collect();
        let words: Vec<Vec<Vec<usize>>> = self.regions.iter().map(places).collect();
        let mut letters: Vec<usize> = Vec::new();
        let mut symbol = |spot: usize| {
            let all = words.iter().flatten().flatten();
            match (
                self.lines[spot],
                all.filter(|&&other| other == spot).count(),
            ) {
                (2, 2) => {
                    let at = letters.iter().position(|&other| other == spot);
                    let at = at.unwrap_or_else(|| {
                        letters.push(spot);
                        letters.len() - 1
                    });
                    char::from(b'A' + at as u8)
                }
                (lines, 1) => char::from(b'0' + lines as u8),
                wrong => panic!("a spot with so many lines and places: {wrong:?}"),
            }
        };
        let texts = self
            .regions
            .iter()
            .zip(&words)
            .map(|((genus, is_orientable, _), words)| {
                let words = words
                    .iter()
                    .map(|word| word.iter().map(|&spot| symbol(spot)).collect());
                let mut text = words.collect::<Vec<String>>().join(".");
                let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
                if self.regions.len() == 1 && is_number {
                    text = if text == "0" {
                        "0*1".to_owned()
                    } else {
                        text + "}"
                    };
                }
                if *is_orientable {
                    format!("{text}@{}", genus / 2)
                } else {
                    format!("{text}@-{genus}")
                }
            });
        let texts: Vec<String> = texts.collect();
        if texts.is_empty() {
            "!".to_owned()
        } else {
            texts.join("|")
        }
    }

    /// The drawings, without repeats, after one move whose curve crosses at most `most_crossed` sides.
    pub(super) fn moves(&self, most_crossed: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for at in 0..self.regions.len() {
            let mut curve = Curve {
                lines: &self.lines,
                from: 0,
                found: BTreeSet::new(),
            };
            let (polygon, sides) = polygon(&self.regions[at]);
            for (place, item) in polygon.iter().enumerate() {
                let Item::Spot(spot) = *item else { continue };
                let mut polygon = polygon.clone();
                polygon.splice(
                    place..=place,
                    [Item::Spot(spot), Item::Begin, Item::Spot(spot)],
                );
                curve.from = spot;
                curve.go_on(&[polygon], 0, sides, most_crossed);
            }
            let found = curve.found.into_iter();
            all.extend(found.map(|(ends, after)| self.after(at, ends, after)));
        }
        all
    }

    fn after(&self, at: usize, ends: [usize; 2], after: Vec<Seen>) -> Self {
        let mut next = self.clone();
        for spot in ends {
            next.lines[spot] += 1;
        }
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

/// A boundary with one copy of a spot for each place.
fn places(word: &[usize]) -> Vec<usize> {
    let mut word = word.to_vec();
    word.dedup();
    if word.len() > 1 && word.first() == word.last() {
        word.pop();
    }
    word
}

/// A region as one polygon, and the number of its sides: its first boundary, then two sides twice in turn for a handle,
/// a side twice in one direction for a crosscap, and a side to each other boundary and back.
fn polygon((genus, is_orientable, boundaries): &Seen) -> (Polygon, usize) {
    let mut items: Polygon = Vec::new();
    let mut sides = 0;
    let mut new_side = || {
        sides += 1;
        sides - 1
    };
    for (k, word) in boundaries.iter().enumerate() {
        let spots = word.iter().map(|&spot| Item::Spot(spot));
        if k == 0 {
            items.extend(spots);
            continue;
        }
        let side = new_side();
        items.push(Item::Side(side, true));
        items.extend(spots);
        items.push(Item::Side(side, false));
    }
    for _ in 0..if *is_orientable { genus / 2 } else { *genus } {
        let side = new_side();
        if *is_orientable {
            let other = new_side();
            let handle = [(side, true), (other, true), (side, false), (other, false)];
            items.extend(handle.map(|(side, way)| Item::Side(side, way)));
        } else {
            items.extend([Item::Side(side, true); 2]);
        }
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
    /// Goes on from the beginning that is marked in a polygon, in all ways.
    fn go_on(&mut self, polygons: &[Polygon], at: usize, sides: usize, most_crossed: usize) {
        for place in 0..polygons[at].len() {
            let mut polygons = polygons.to_vec();
            match polygons[at][place] {
                Item::Spot(to) => {
                    // The line takes a life at either end. The new spot is none of its ends.
                    let lives = self.lines.get(to).map_or(0, |lines| 3 - lines);
                    if lives >= if to == self.from { 2 } else { 1 } {
                        polygons[at]
                            .splice(place..=place, [Item::Spot(to), Item::End, Item::Spot(to)]);
                        self.cut(&mut polygons, at);
                        let mut regions = Glued {
                            polygons: &polygons,
                        }
                        .regions();
                        regions.sort();
                        self.found.insert(([self.from, to], regions));
                    }
                }
                Item::Side(side, _) if most_crossed > 0 => {
                    cross(&mut polygons, (at, place), side, sides);
                    self.cut(&mut polygons, at);
                    let is_next = |items: &Polygon| items.contains(&Item::Next);
                    let next = polygons.iter().position(is_next).expect("it was marked");
                    for item in &mut polygons[next] {
                        if *item == Item::Next {
                            *item = Item::Begin;
                        }
                    }
                    self.go_on(&polygons, next, sides + 1, most_crossed - 1);
                }
                _ => {}
            }
        }
    }

    /// Cuts a polygon along the part of the curve in it. The new spot lies on the first part, and is met on both sides.
    fn cut(&self, polygons: &mut Vec<Polygon>, at: usize) {
        let new = Item::Spot(self.lines.len());
        let is_first = !polygons.iter().flatten().any(|&item| item == new);
        let polygon = &mut polygons[at];
        let place = |polygon: &Polygon, mark: Item| {
            let place = polygon.iter().position(|&item| item == mark);
            place.expect("it was marked")
        };
        let begin = place(polygon, Item::Begin);
        polygon.rotate_left(begin);
        let mut other = polygon.split_off(place(polygon, Item::End) + 1);
        polygon.retain(|item| !matches!(item, Item::Begin | Item::End));
        if is_first {
            polygon.push(new);
            other.push(new);
        }
        polygons.push(other);
    }
}

/// Splits the side at a place into itself and a new one. The curve ends there, and goes on beyond the side.
fn cross(polygons: &mut [Polygon], at: (usize, usize), side: usize, new: usize) {
    for (polygon, items) in polygons.iter_mut().enumerate() {
        for place in (0..items.len()).rev() {
            let Item::Side(met, way) = items[place] else {
                continue;
            };
            if met == side {
                let mark = if (polygon, place) == at {
                    Item::End
                } else {
                    Item::Next
                };
                let mut halves = [Item::Side(side, way), mark, Item::Side(new, way)];
                if !way {
                    halves.reverse();
                }
                items.splice(place..=place, halves);
            }
        }
    }
}
