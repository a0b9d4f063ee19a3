//! The places of the names of spots: beside the spots, where there is room.

use crate::drawing::{Drawing, Panel};
use crate::point::Point;

/// The labels of spots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Nothing, for small pictures.
    None,
    /// The lives of each spot, as dots inside it.
    #[default]
    Lives,
    /// The same, and the number of each spot beside it.
    Names,
}

pub(super) const NAME: f64 = 9.0;

/// Half the width and half the height of a name.
fn extent(number: usize) -> Point {
    let digits = number.to_string().len() as f64;
    Point::new(0.3 * NAME * digits + 0.8, 0.42 * NAME)
}

/// The number of each spot that has room for a name beside it, with the place of the name.
pub(super) fn names(drawing: &Drawing) -> Vec<(usize, Point)> {
    let mut circles: Vec<(Point, f64)> = Vec::new();
    let mut segments: Vec<[Point; 2]> = Vec::new();
    for panel in &drawing.panels {
        let spots = panel.picture.spots.iter().copied();
        circles.extend(spots.zip(panel.radii.iter().copied()));
        for line in &panel.picture.lines {
            let points = line.points(4);
            segments.extend(points.windows(2).map(|step| [step[0], step[1]]));
        }
    }
    let mut names: Vec<(usize, Point)> = Vec::new();
    for (number, place, radius) in drawing.panels.iter().flat_map(Panel::spots) {
        let half = extent(number);
        let mut best: Option<(f64, Point)> = None;
        for (ring, turn) in (0..3).flat_map(|ring| (0..16).map(move |turn| (ring, turn))) {
            let direction =
                Point::at_angle(std::f64::consts::TAU * (f64::from(turn) / 16.0 - 0.125));
            let away = radius + 1.0 + 3.0 * f64::from(ring);
            let at =
                place + direction * away + Point::new(direction.x * half.x, direction.y * half.y);
            let inside = at.x > half.x
                && at.y > half.y
                && at.x < drawing.width - half.x
                && at.y < drawing.height - half.y;
            let hits_spot = circles
                .iter()
                .any(|&(centre, radius)| gap(at, half, centre) < radius + 0.4);
            let hits_name = names.iter().any(|&(number, name)| {
                let both = half + extent(number);
                (at.x - name.x).abs() < both.x && (at.y - name.y).abs() < both.y
            });
            if !inside || hits_spot || hits_name {
                continue;
            }
            let reach = half.length();
            let crossed = segments
                .iter()
                .filter(|[a, b]| at.distance_to_segment(*a, *b) < reach);
            let cost = crossed.count() as f64 * 3.0 + f64::from(ring) + f64::from(turn) * 0.01;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, at));
            }
        }
        names.extend(best.map(|(_, at)| (number, at)));
    }
    names
}

/// The distance of a point from a box around `centre`.
fn gap(centre: Point, half: Point, point: Point) -> f64 {
    let away = Point::new(
        ((point.x - centre.x).abs() - half.x).max(0.0),
        ((point.y - centre.y).abs() - half.y).max(0.0),
    );
    away.length()
}
