//! Writes lands.

use crate::raw::{RawPosition, Spot};

/// The text of a land, with its regions, boundaries and spots in their order, except that the isolated
/// spots of a region come first.
pub fn print_land(land: &RawPosition) -> String {
    print(land, false)
}

/// The boundary of a cross without lines: its four ends.
pub(super) const CROSS: [Spot; 4] = [Spot::MID; 4];

/// The text of a land. With `crosses`, a boundary of four free ends is written as `x`.
pub(super) fn print(land: &RawPosition, crosses: bool) -> String {
    let mut capitals = Vec::new();
    let regions = (0..land.regions()).map(|region| {
        let boundaries = land.boundaries(region);
        let (isolated, others): (Vec<_>, Vec<_>) =
            boundaries.partition(|boundary| *boundary == [Spot::ISOLATED]);
        let (alone, others): (Vec<_>, Vec<_>) = others
            .into_iter()
            .partition(|boundary| crosses && *boundary == CROSS);
        let some = |symbol: char, count: usize| match count {
            0 => None,
            1 => Some(symbol.to_string()),
            count => Some(format!("{symbol}*{count}")),
        };
        let first = [some('0', isolated.len()), some('x', alone.len())];
        let others = others.into_iter();
        let others = others.map(|boundary| print_boundary(boundary, &mut capitals));
        let boundaries: Vec<String> = first.into_iter().flatten().chain(others).collect();
        boundaries.join(".")
    });
    regions.collect::<Vec<_>>().join("|")
}

fn print_boundary(boundary: &[Spot], capitals: &mut Vec<Spot>) -> String {
    let mut text = String::new();
    let mut small = Vec::new();
    for &spot in boundary {
        match spot {
            Spot::END => text.push('1'),
            Spot::MID => text.push('2'),
            letter if boundary.iter().filter(|&&other| other == letter).count() == 2 => {
                text.push_str(&letter_name('a', 'm', index_of(letter, &mut small)));
            }
            letter => text.push_str(&letter_name('A', 'n', index_of(letter, capitals))),
        }
    }
    text
}

/// The index of a letter among those in `met`. Adds it if it is new.
fn index_of(letter: Spot, met: &mut Vec<Spot>) -> usize {
    let known = met.iter().position(|&other| other == letter);
    known.unwrap_or_else(|| {
        met.push(letter);
        met.len() - 1
    })
}

/// The name of a letter, by its index from 0; beyond the alphabet its number in brackets.
pub(super) fn letter_name(first: char, beyond: char, index: usize) -> String {
    match (first..).nth(index) {
        Some(letter) if index < 26 => letter.to_string(),
        _ => format!("{beyond}({})", index - 25),
    }
}
