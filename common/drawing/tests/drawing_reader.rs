//! Reads a picture as a person does: only from the places of curves and spots in the SVG.

use std::collections::HashMap;

use sproutnet_drawing::Point;

/// The number of segments that approximate a quadratic curve.
const FLAT: usize = 8;

/// The circle of a spot.
#[derive(Debug)]
pub(crate) struct Circle {
    pub(crate) class: String,
    pub(crate) at: Point,
    pub(crate) radius: f64,
}

/// The picture of a land.
#[derive(Debug, Default)]
pub(crate) struct Land {
    pub(crate) circles: Vec<Circle>,
    /// The curves as points.
    pub(crate) curves: Vec<Vec<Point>>,
    pub(crate) regions: usize,
}

/// A text beside a spot.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) at: Point,
    pub(crate) size: f64,
}

/// The contents of a picture.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) lands: Vec<Land>,
    pub(crate) names: Vec<Name>,
}

fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let marked = format!(" {name}=\"");
    let start = element.find(&marked).expect("the attribute is there") + marked.len();
    element[start..].split('"').next().expect("it is closed")
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().expect("a number")
}

/// Reads the elements of a document.
pub(crate) fn read(svg: &str) -> Seen {
    let mut seen = Seen::default();
    for element in svg.split('<').skip(1) {
        let land = seen.lands.last_mut();
        if element.starts_with("g class=\"land\"") {
            seen.lands.push(Land::default());
        } else if element.starts_with("circle class=\"live")
            || element.starts_with("circle class=\"dead-spot")
        {
            land.expect("spots are in lands").circles.push(Circle {
                class: attribute(element, "class").to_owned(),
                at: Point::new(number(element, "cx"), number(element, "cy")),
                radius: number(element, "r"),
            });
        } else if element.starts_with("path class=\"line\"") {
            land.expect("lines are in lands")
                .curves
                .push(points(attribute(element, "d")));
        } else if element.starts_with("path class=\"region") {
            land.expect("regions are in lands").regions += 1;
        } else if element.starts_with("text class=\"name\"") {
            seen.names.push(Name {
                text: element.split('>').nth(1).expect("a text").to_owned(),
                at: Point::new(number(element, "x"), number(element, "y")),
                size: number(element, "font-size"),
            });
        }
    }
    seen
}

/// The points of a path of straight lines and quadratic curves.
pub(crate) fn points(path: &str) -> Vec<Point> {
    let spaced = path
        .replace('M', " M ")
        .replace('L', " L ")
        .replace('Q', " Q ");
    let mut words = spaced.split_whitespace();
    let mut points: Vec<Point> = Vec::new();
    while let Some(letter) = words.next() {
        let mut point = || {
            let mut number = || words.next().expect("a number").parse().expect("a number");
            Point::new(number(), number())
        };
        match letter {
            "M" | "L" => points.push(point()),
            "Q" => {
                let (from, by, to) = (*points.last().expect("a start"), point(), point());
                points.extend((1..=FLAT).map(|i| {
                    let t = i as f64 / FLAT as f64;
                    from * ((1.0 - t) * (1.0 - t)) + by * (2.0 * t * (1.0 - t)) + to * (t * t)
                }));
            }
            other => panic!("unexpected {other} in {path}"),
        }
    }
    // The end of a quadratic curve is computed, so it may differ from the same point as written.
    points.dedup_by(|a, b| a.distance(*b) < 1e-9);
    points
}

impl Land {
    /// The spots at both ends of a curve.
    pub(crate) fn ends(&self, curve: usize) -> [usize; 2] {
        let points = &self.curves[curve];
        [points[0], points[points.len() - 1]].map(|end| {
            let is_there = |circle: &Circle| circle.at.distance(end) < 0.03;
            self.circles
                .iter()
                .position(is_there)
                .expect("a curve ends in spots")
        })
    }

    /// The picture as text. Turns around spots give the faces, and nesting gives the pieces.
    pub(crate) fn text(&self) -> String {
        let ends: Vec<[usize; 2]> = (0..self.curves.len())
            .map(|curve| self.ends(curve))
            .collect();
        // Dart 2c follows curve c, and dart 2c + 1 goes back.
        let origin = |dart: usize| ends[dart / 2][dart % 2];
        let way = |dart: usize| -> Vec<Point> {
            let mut points = self.curves[dart / 2].clone();
            if dart % 2 == 1 {
                points.reverse();
            }
            points
        };
        let angle = |dart: usize| {
            let way = way(dart);
            let step = way[1] - way[0];
            step.y.atan2(step.x)
        };
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); self.circles.len()];
        for dart in 0..2 * ends.len() {
            around[origin(dart)].push(dart);
        }
        let mut next = vec![0; 2 * ends.len()];
        for darts in &mut around {
            darts.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
            for (i, &dart) in darts.iter().enumerate() {
                next[dart ^ 1] = darts[(i + darts.len() - 1) % darts.len()];
            }
        }
        // The walks. The area is positive around a place, and zero or negative around a piece.
        let mut walks: Vec<(Vec<usize>, Vec<Point>, f64)> = Vec::new();
        let mut met = vec![false; next.len()];
        for start in 0..next.len() {
            let (mut spots, mut outline, mut dart) = (Vec::new(), Vec::new(), start);
            while !std::mem::replace(&mut met[dart], true) {
                spots.push(origin(dart));
                outline.extend(&way(dart)[1..]);
                dart = next[dart];
            }
            if !spots.is_empty() {
                let area = area(&outline);
                walks.push((spots, outline, area));
            }
        }
        let isolated = (0..self.circles.len()).filter(|&spot| around[spot].is_empty());
        walks.extend(isolated.map(|spot| (vec![spot], Vec::new(), 0.0)));
        let piece = self.pieces(&ends);
        let inner: Vec<usize> = (0..walks.len())
            .filter(|&walk| walks[walk].2 > 1e-3)
            .collect();
        // The faces: the outermost one, and one for each place with its walk.
        let mut faces: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for walk in 0..walks.len() {
            let face = if inner.contains(&walk) {
                Some(walk)
            } else {
                let spot = walks[walk].0[0];
                let at = self.circles[spot].at;
                let holds = |&&other: &&usize| {
                    piece[walks[other].0[0]] != piece[spot] && is_inside(at, &walks[other].1)
                };
                let holders = inner.iter().filter(holds).copied();
                holders.min_by(|&a, &b| walks[a].2.total_cmp(&walks[b].2))
            };
            faces.entry(face).or_default().push(walk);
        }
        let mut names: HashMap<usize, usize> = HashMap::new();
        let mut texts: Vec<String> = Vec::new();
        for boundaries in faces.values() {
            let boundary = |&walk: &usize| -> String {
                let spots = &walks[walk].0;
                spots
                    .iter()
                    .map(|&spot| {
                        let copies = spots.iter().filter(|&&other| other == spot).count();
                        let count = names.len() + 1;
                        match around[spot].len() {
                            2 if copies == 2 => format!("m({})", spot + 1),
                            2 => format!("n({})", names.entry(spot).or_insert(count)),
                            lines => lines.to_string(),
                        }
                    })
                    .collect()
            };
            texts.push(
                boundaries
                    .iter()
                    .map(boundary)
                    .collect::<Vec<_>>()
                    .join("."),
            );
        }
        texts.join("|")
    }

    /// A label for each spot, the same for all connected spots.
    fn pieces(&self, ends: &[[usize; 2]]) -> Vec<usize> {
        let mut piece: Vec<usize> = (0..self.circles.len()).collect();
        for &[a, b] in ends {
            let (kept, lost) = (piece[a], piece[b]);
            piece
                .iter_mut()
                .filter(|label| **label == lost)
                .for_each(|label| *label = kept);
        }
        piece
    }

    /// Panics if two curves meet outside spots.
    pub(crate) fn check_crossings(&self, what: &str) {
        let mut segments: Vec<([Point; 2], usize, usize)> = Vec::new();
        for (curve, points) in self.curves.iter().enumerate() {
            let steps = points.windows(2).enumerate();
            segments.extend(steps.map(|(i, step)| ([step[0], step[1]], curve, i)));
        }
        let left = |segment: &[Point; 2]| segment[0].x.min(segment[1].x);
        let right = |segment: &[Point; 2]| segment[0].x.max(segment[1].x);
        segments.sort_by(|a, b| left(&a.0).total_cmp(&left(&b.0)));
        for (i, (one, curve, step)) in segments.iter().enumerate() {
            for (other, other_curve, other_step) in &segments[i + 1..] {
                if left(other) > right(one) {
                    break;
                }
                let follows = curve == other_curve && step.abs_diff(*other_step) == 1;
                if follows || !meet(*one, *other) {
                    continue;
                }
                // Both begin or end in the same spot.
                let at_end = |point: &Point| {
                    self.circles
                        .iter()
                        .position(|circle| circle.at.distance(*point) < 0.03)
                };
                let shared = one
                    .iter()
                    .filter_map(at_end)
                    .any(|spot| other.iter().filter_map(at_end).any(|end| end == spot));
                assert!(
                    shared,
                    "{what}: {one:?} of curve {curve} meets {other:?} of curve {other_curve}"
                );
            }
        }
    }
}

fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn meet(a: [Point; 2], b: [Point; 2]) -> bool {
    let apart = |low: f64, high: f64, other_low: f64, other_high: f64| {
        low.max(high) < other_low.min(other_high) || other_low.max(other_high) < low.min(high)
    };
    !apart(a[0].y, a[1].y, b[0].y, b[1].y)
        && !apart(a[0].x, a[1].x, b[0].x, b[1].x)
        && cross(a[0], a[1], b[0]) * cross(a[0], a[1], b[1]) <= 0.0
        && cross(b[0], b[1], a[0]) * cross(b[0], b[1], a[1]) <= 0.0
}

fn area(outline: &[Point]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline
        .iter()
        .zip(next)
        .map(|(a, b)| a.x * b.y - a.y * b.x)
        .sum::<f64>()
        / 2.0
}

fn is_inside(point: Point, outline: &[Point]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let crossed = outline.iter().zip(next).filter(|(a, b)| {
        (a.y > point.y) != (b.y > point.y)
            && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    });
    crossed.count() % 2 == 1
}

/// The distance of a point from a segment.
pub(crate) fn distance(point: Point, [from, to]: [Point; 2]) -> f64 {
    let way = to - from;
    let square = (way.x * way.x + way.y * way.y).max(1e-12);
    let part = ((point.x - from.x) * way.x + (point.y - from.y) * way.y) / square;
    point.distance(from + way * part.clamp(0.0, 1.0))
}
