//! Pictures: a ring for each boundary, with its spots in their order.

use std::f64::consts::TAU;

use sproutnet_notation::raw::{RawPosition, Spot};

use crate::picture::{Panel, Shape};

pub(super) const CAPTION: &str = "Each row is a region, below the name of its surface. A ring is a boundary. The digit at a spot is its number of \
                                 lines; a spot without a label has none. Equal letters mark the same spot.";

const SPOT: f64 = 0.22;

/// A land as shapes.
pub(super) fn panel(land: &RawPosition) -> Panel {
    let mut panel = Panel::default();
    for region in 0..land.regions() {
        let name = land.surface(region).to_string();
        panel.width = panel.width.max(0.5 * name.chars().count() as f64);
        panel
            .shapes
            .push(Shape::Text((0.0, panel.height + 0.5), name));
        let radius = |spots: usize| {
            if spots < 2 {
                0.0
            } else {
                0.25 + 0.15 * spots as f64
            }
        };
        let radii = land
            .boundaries(region)
            .map(|boundary| radius(boundary.len()));
        let middle = panel.height + 1.6 + radii.fold(0.0, f64::max);
        let mut left = SPOT;
        for boundary in land.boundaries(region) {
            let radius = radius(boundary.len());
            let place = |i: usize| {
                let angle = TAU * i as f64 / boundary.len() as f64;
                (
                    left + radius * (1.0 + angle.sin()),
                    middle - radius * angle.cos(),
                )
            };
            let ring =
                (0..boundary.len()).map(|i| Shape::Line(place(i), place((i + 1) % boundary.len())));
            panel.shapes.extend(ring.filter(|_| boundary.len() > 1));
            for (i, &spot) in boundary.iter().enumerate() {
                let (x, y) = place(i);
                panel.shapes.push(Shape::Dot((x, y), SPOT));
                let label = label(spot).map(|label| Shape::Text((x + SPOT, y - 1.8 * SPOT), label));
                panel.shapes.extend(label);
            }
            left += 2.0 * radius + 1.0;
        }
        panel.width = panel.width.max(left);
        panel.height = 2.0 * middle - panel.height - 1.2;
    }
    panel
}

/// The label of a spot. One that occurs once has its number of lines, or no label if it has none. One that occurs more
/// often has its letter.
fn label(spot: Spot) -> Option<String> {
    match spot.number() {
        None => Some(3 - spot.lives())
            .filter(|lines| *lines > 0)
            .map(|lines| lines.to_string()),
        Some(number @ 0..26) => Some(char::from(b'A' + number as u8).to_string()),
        Some(number) => Some(format!("n({})", number - 25)),
    }
}
