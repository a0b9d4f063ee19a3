//! Positions of random games.

use std::ops::ControlFlow;

use sproutnet_game::{Game, Position, Sprouts};

/// Xorshift64: reproducible randomness without a dependency.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % bound
    }
}

/// The number of options from which a move is chosen.
const MOST: usize = 2000;

/// The positions of a random game, including the start.
pub(crate) fn game(spots: usize, random: &mut Random) -> Vec<Position> {
    let mut positions = vec![position(&format!("0*{spots}"))];
    loop {
        let mut options = Vec::new();
        let last = positions.last().expect("the start at least");
        let _ = Sprouts.moves(last, &mut |option| {
            options.push(option);
            match options.len() {
                MOST => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        if options.is_empty() {
            return positions;
        }
        positions.push(options.swap_remove(random.below(options.len())));
    }
}

/// A position by its text.
pub(crate) fn position(text: &str) -> Position {
    Sprouts.parse(text).expect("a position")
}

/// `count` positions of random games with the given numbers of spots.
pub(crate) fn met(
    count: usize,
    spots: std::ops::RangeInclusive<usize>,
    seed: u64,
) -> Vec<Position> {
    let mut random = Random(seed);
    let mut met = Vec::new();
    let mut each = spots.clone().cycle();
    while met.len() < count {
        let spots = each.next().expect("a range of spots");
        met.extend(game(spots, &mut random));
    }
    met.truncate(count);
    met
}

/// A free end has one line, unlike a spot with two lines in Sprouts, and the four ends of a cross have one middle.
#[test]
fn crosses_are_drawn_as_crosses() {
    for (text, ends, lines) in [("x", 4, 4), ("x*2", 8, 8), ("22}", 2, 1), ("222.2", 4, 4)] {
        let (game, position) = sproutnet_game::parse(&format!("brussels:{text}")).expect(text);
        let svg =
            sproutnet_drawing::svg(&*game, &position, &sproutnet_drawing::SvgOptions::default())
                .expect(text);
        let count = |class: &str| svg.matches(&format!("class=\"{class}")).count();
        assert_eq!(
            (count("live "), count("line")),
            (ends, lines),
            "{text}: {svg}"
        );
    }
}
