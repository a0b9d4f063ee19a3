use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;

use super::*;
use sproutnet_game::sprouts::planar::PlanarMap;
use sproutnet_game::{self as game, Sprouts};

fn counted(text: &str, positions: usize) -> Count {
    let (game, position) = game::parse(text).expect("a position");
    let limits = CountLimits {
        positions,
        until: Instant::now() + Duration::from_mins(2),
    };
    count(&Lands::new(game), &position, limits)
}

/// All positions below some, and what can be reached from each in one move.
#[derive(Default)]
struct BruteForce {
    options: BTreeMap<Position, BTreeSet<Position>>,
}

impl BruteForce {
    fn wins(&self, position: &Position, play: Play) -> bool {
        let options = &self.options[position];
        if options.is_empty() {
            return play == Play::Misere;
        }
        options.iter().any(|option| !self.wins(option, play))
    }

    fn lost<'a>(&self, positions: impl Iterator<Item = &'a Position>) -> Lost {
        let positions: Vec<&Position> = positions.collect();
        let lost = |play| {
            let lost = positions
                .iter()
                .filter(|position| !self.wins(position, play));
            lost.count() as u64
        };
        Lost {
            normal: lost(Play::Normal),
            misere: lost(Play::Misere),
        }
    }

    /// The count from the definitions.
    fn count(&self, plies: &[BTreeSet<Position>]) -> Count {
        let is_over = |position: &Position| self.options[position].is_empty();
        let shortest = plies.iter().position(|ply| ply.iter().any(is_over));
        Count {
            is_complete: true,
            positions: self.options.len() as u64,
            options: Some(plies.get(1).map_or(0, BTreeSet::len) as u64),
            shortest: shortest.map(|moves| moves as u32),
            longest: plies.len() as u32 - 1,
            lost: Some(self.lost(self.options.keys())),
            plies: plies
                .iter()
                .map(|ply| Ply {
                    positions: ply.len() as u64,
                    lost: Some(self.lost(ply.iter())),
                })
                .collect(),
        }
    }
}

/// The count of a start of Sprouts, played on the drawing.
fn drawn(spots: usize) -> Count {
    let mut found = BruteForce::default();
    let start = PlanarMap::start(spots);
    let mut ply = BTreeMap::from([(Sprouts::on_map(&start), start)]);
    let mut plies = Vec::new();
    while !ply.is_empty() {
        let mut next = BTreeMap::new();
        for (position, map) in &ply {
            let options = map.moves().into_iter();
            let options = options.map(|map| (Sprouts::on_map(&map), map));
            let options: BTreeMap<_, _> = options.collect();
            let positions = options.keys().cloned().collect();
            found.options.insert(position.clone(), positions);
            next.extend(options);
        }
        plies.push(ply.into_keys().collect());
        ply = next;
    }
    found.count(&plies)
}

/// The count of a position of any game, from whole positions.
fn played(text: &str) -> Count {
    let (game, position) = game::parse(text).expect("a position");
    let mut found = BruteForce::default();
    let mut ply = BTreeSet::from([position]);
    let mut plies = Vec::new();
    while !ply.is_empty() {
        let mut next = BTreeSet::new();
        for position in &ply {
            let mut options = BTreeSet::new();
            let _ = game.moves(position, &mut |option| {
                options.insert(option);
                ControlFlow::Continue(())
            });
            next.extend(options.iter().cloned());
            found.options.insert(position.clone(), options);
        }
        plies.push(ply);
        ply = next;
    }
    found.count(&plies)
}

#[test]
fn sprouts_as_on_the_drawing() {
    for spots in 0..=3 {
        let text = Sprouts::start(spots as u32);
        assert_eq!(counted(&text, usize::MAX), drawn(spots), "{text}");
    }
}

#[test]
fn all_games_as_by_the_definitions() {
    for game in game::all() {
        for example in game.info().examples {
            let text = game::qualified(&*game, example);
            if counted(&text, 3_000).is_complete {
                assert_eq!(counted(&text, usize::MAX), played(&text), "{text}");
            }
        }
    }
}

#[test]
fn known_numbers() {
    // One heap of n tokens has n + 1 positions, of which n - k + 1 are reached by k moves.
    let count = counted("nim:9", usize::MAX);
    assert_eq!((count.positions, count.options), (10, Some(9)));
    assert_eq!((count.shortest, count.longest), (Some(1), 9));
    let plies: Vec<u64> = count.plies.iter().map(|ply| ply.positions).collect();
    assert_eq!(plies, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    let lost = Lost {
        normal: 1,
        misere: 1,
    };
    assert_eq!(count.lost, Some(lost));
    // Multisets of three heaps of up to 3 tokens: 6 over 3.
    assert_eq!(counted("nim:3+3+3", usize::MAX).positions, 20);
    // Conway and Mollison: a game of n spots takes at least 2n and at most 3n - 1 moves.
    for spots in 2..=4 {
        let count = counted(&Sprouts::start(spots), usize::MAX);
        assert_eq!(count.shortest, Some(2 * spots));
        assert_eq!(count.longest, 3 * spots - 1);
    }
}

#[test]
fn a_limit_gives_a_lower_bound() {
    let whole = counted("0*4", usize::MAX);
    let part = counted("0*4", 200);
    assert!(!part.is_complete);
    assert_eq!(part.positions, 200);
    assert_eq!(part.options, whole.options);
    assert_eq!(part.lost, None);
    assert!(part.plies.len() > 1 && part.plies.len() < whole.plies.len());
    for (part, whole) in part.plies.iter().zip(&whole.plies) {
        assert_eq!(part.positions, whole.positions);
    }
    assert!(part.longest <= whole.longest);
}
