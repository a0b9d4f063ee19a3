//! Surfaces against Sprouts, and against polygons that are glued to surfaces.

mod polygons;

use std::collections::BTreeSet;

use self::polygons::Drawing;
use super::super::tests::options;
use super::Surfaces;
use crate::{Game, Position};

fn position(drawing: &Drawing) -> Position {
    let text = drawing.text();
    Surfaces
        .parse(&text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Compares the options of a drawing with those of its position, and returns the drawings of the options.
fn checked_moves(drawing: &Drawing, most_crossed: usize) -> Vec<Drawing> {
    let drawings = drawing.moves(most_crossed);
    let drawn: BTreeSet<Position> = drawings.iter().map(position).collect();
    let found = options(&Surfaces, &position(drawing));
    let texts = |positions: &mut dyn Iterator<Item = &Position>| {
        positions
            .map(|position| Surfaces.print(position))
            .collect::<Vec<_>>()
    };
    assert!(
        drawn == found,
        "{}: drawn alone {:?}, found alone {:?}",
        drawing.text(),
        texts(&mut drawn.difference(&found)),
        texts(&mut found.difference(&drawn)),
    );
    drawings
}

#[test]
fn options_are_those_of_polygons_at_every_position_below_small_starts() {
    for (spots, surface, most_crossed) in [
        (1, 0, 2),
        (2, 0, 3),
        (1, 1, 5),
        (1, -1, 3),
        (1, -2, 4),
        (1, -3, 6),
        (1, 2, 6),
        (2, -1, 4),
        (2, 1, 5),
        (2, -2, 5),
    ] {
        let mut met = BTreeSet::new();
        let mut left = vec![Drawing::start(spots, surface)];
        let start = std::time::Instant::now();
        while let Some(drawing) = left.pop() {
            if met.insert(position(&drawing)) {
                left.append(&mut checked_moves(&drawing, most_crossed));
            }
        }
        eprintln!(
            "{spots} {surface} {most_crossed}: {} {:?}",
            met.len(),
            start.elapsed()
        );
    }
}
