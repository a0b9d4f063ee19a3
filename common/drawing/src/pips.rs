//! Pips: dots that show how many lines a spot can still take. They are no digits, because numbers are the names of spots,
//! and readers see them whatever colours they can tell apart.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use crate::number::Number;
use crate::point::Point;

/// The diameter of a pip inside a spot, as a share of the radius of the spot.
const INSIDE: f64 = 0.46;

/// The radius of a pip on the rim of a spot of a sheet, and the distance of its middle from the rim: it leaves room for
/// the name of the spot.
const ON_RIM: f64 = 4.5;
const OUT: f64 = 3.0;

/// The side of the squares whose pips share a path.
const SQUARE: f64 = 200.0;

/// The pips inside the spots of a land. Those of one diameter in a square of the picture share a path, as pictures have
/// many spots. A path over the whole picture would be slow: browsers draw in tiles, and each tile draws a whole path.
#[derive(Default)]
pub(super) struct Inside(BTreeMap<(String, [i64; 2]), String>);

impl Inside {
    /// Adds the pips of a spot, as on dice.
    pub(super) fn add(&mut self, at: Point, radius: f64, lives: u32) {
        let places: &[(f64, f64)] = match lives {
            1 => &[(0.0, 0.0)],
            2 => &[(-0.42, 0.0), (0.42, 0.0)],
            _ => &[(0.0, -0.46), (-0.42, 0.3), (0.42, 0.3)],
        };
        let dot = |&(x, y): &(f64, f64)| {
            let [x, y] = [at.x + x * radius, at.y + y * radius].map(Number);
            format!("M{x} {y}h0")
        };
        let diameter = Number(INSIDE * radius).to_string();
        let square = [at.x, at.y].map(|place| (place / SQUARE).floor() as i64);
        let dots = self.0.entry((diameter, square)).or_default();
        dots.extend(places.iter().map(dot));
    }

    /// Their paths.
    pub(super) fn paths(&self) -> String {
        let mut out = String::new();
        for ((diameter, _), dots) in &self.0 {
            out += &format!("<path class=\"pips\" d=\"{dots}\" stroke-width=\"{diameter}\"/>\n");
        }
        out
    }
}

/// The pips on the rim of a spot that has a name inside, as the data of a path around the middle of the spot: each is the
/// free end of a line that is still to come. They are where there is room between the lines, which leave the spot in these
/// directions.
pub(super) fn on_rim(radius: f64, lives: usize, lines: Vec<f64>) -> String {
    let dot = |direction: f64| {
        let place = Point::at_angle(direction) * (radius + OUT);
        let (x, y, wide) = (place.x - ON_RIM, place.y, 2.0 * ON_RIM);
        format!("M{x:.1} {y:.1}a{ON_RIM} {ON_RIM} 0 1 0 {wide} 0a{ON_RIM} {ON_RIM} 0 1 0 -{wide} 0")
    };
    free(lives, lines).into_iter().map(dot).collect()
}

/// So many directions in the widest gap between lines.
fn free(lives: usize, mut lines: Vec<f64>) -> Vec<f64> {
    lines.sort_by(f64::total_cmp);
    let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else {
        let each = TAU / lives.max(1) as f64;
        return (0..lives).map(|i| each * i as f64 - FRAC_PI_2).collect();
    };
    let around = (last, first + TAU - last);
    let between = lines.windows(2).map(|pair| (pair[0], pair[1] - pair[0]));
    let (from, wide) = between.fold(around, |best, gap| if gap.1 > best.1 { gap } else { best });
    let part = wide / (lives + 1) as f64;
    (1..=lives).map(|i| from + part * i as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pips_keep_away_from_lines() {
        let near = |directions: Vec<f64>, wanted: &[f64]| {
            assert_eq!(directions.len(), wanted.len());
            let turns = directions.iter().map(|direction| direction.rem_euclid(TAU));
            for (turn, wanted) in turns.zip(wanted) {
                assert!((turn - wanted * TAU).abs() < 1e-9, "{turn}, {wanted}");
            }
        };
        near(free(3, vec![]), &[0.75, 1.0 / 12.0, 5.0 / 12.0]);
        near(free(2, vec![0.0]), &[1.0 / 3.0, 2.0 / 3.0]);
        near(free(1, vec![0.25 * TAU, 0.0]), &[0.625]);
        near(free(1, vec![0.0, -0.25 * TAU]), &[0.375]);
        near(free(1, vec![-0.3 * TAU, 0.45 * TAU]), &[0.075]);
        near(free(0, vec![0.1, 0.2, 0.3]), &[]);
    }
}
