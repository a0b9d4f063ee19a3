//! What the shape of a board tells, against the moves.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sproutnet_game::{self as game, Lands};

use super::*;

/// Whether the player to move wins, from the moves alone.
struct BruteForce {
    lands: Lands,
    known: HashMap<(Position, Play), Outcome>,
}

impl BruteForce {
    fn outcome(&mut self, position: &Position, play: Play) -> Outcome {
        if let Some(&known) = self.known.get(&(position.clone(), play)) {
            return known;
        }
        let mut options = Vec::new();
        let _ = self.lands.moves(position, &mut |option| {
            options.push(option);
            ControlFlow::Continue(())
        });
        let is_over = options.is_empty();
        let wins = is_over && play == Play::Misere
            || options
                .iter()
                .any(|option| self.outcome(option, play) == Outcome::Loss);
        let outcome = Outcome::win_if(wins);
        self.known.insert((position.clone(), play), outcome);
        outcome
    }
}

/// What is told at sight of a position agrees with its moves. Returns it for both conventions.
fn checked(text: &str) -> [Option<Told>; 2] {
    let (game, position) = game::parse(text).expect("a position");
    let told = Play::ALL.map(|play| told_at_sight(&*game, &position, play));
    let mut brute_force = BruteForce {
        lands: Lands::new(game),
        known: HashMap::new(),
    };
    for (play, told) in Play::ALL.into_iter().zip(told) {
        if let Some(told) = told {
            assert_eq!(brute_force.outcome(&position, play), told.outcome, "{text}");
            let is_zero = told.nimber.map(|nimber| nimber == 0);
            assert!(is_zero.is_none_or(|is_zero| is_zero == (told.outcome == Outcome::Loss)));
        }
    }
    told
}

fn normal(text: &str) -> Option<(Outcome, Option<u32>)> {
    let [told, _] = checked(text);
    told.map(|told| (told.outcome, told.nimber))
}

#[test]
fn cram_by_symmetry() {
    for height in 1..=5 {
        for width in height..=5 {
            let expected = match (height * width > 1, height % 2 + width % 2) {
                (true, 0) => Some((Outcome::Loss, Some(0))),
                (true, 1) => Some((Outcome::Win, None)),
                _ => None,
            };
            // The moves of larger boards take long.
            if height * width <= 16 {
                assert_eq!(
                    normal(&format!("cram:{height}x{width}")),
                    expected,
                    "{height}x{width}"
                );
            }
        }
    }
    let lost = Some((Outcome::Loss, Some(0)));
    for (text, expected) in [
        // Without the middle square.
        ("cram:ooo/o-o/ooo", lost),
        ("cram:ooooo/o---o/ooooo", lost),
        // Without the two squares in the middle, and with them.
        ("cram:oooo/o--o/oooo", lost),
        ("cram:oo-/ooo/ooo/-oo", Some((Outcome::Win, None))),
        ("cram:-oo/oo-/ooo", None),
        ("cram:ooo/ooo/oo-", None),
        ("cram:2x2+2x2", None),
    ] {
        assert_eq!(normal(text), expected, "{text}");
    }
}

/// All boards of a size, given by the bits of their squares.
#[test]
fn cram_by_symmetry_on_all_small_boards() {
    let mut told = 0;
    for (height, width) in [(2, 3), (2, 4), (3, 3), (3, 4)] {
        for squares in 1_u32..1 << (height * width) {
            let square = |place: usize| ["-", "o"][squares as usize >> place & 1];
            let row = |row: usize| -> String {
                (0..width)
                    .map(|column| square(row * width + column))
                    .collect()
            };
            let rows: Vec<String> = (0..height).map(row).collect();
            told += usize::from(normal(&format!("cram:{}", rows.join("/"))).is_some());
        }
    }
    println!("{told} of all boards told");
    assert!(told > 50, "{told}");
}

#[test]
fn node_kayles_by_opposite_vertices() {
    let lost = Some((Outcome::Loss, Some(0)));
    for (text, expected) in [
        ("node-kayles:cube(2)", lost),
        ("node-kayles:cube(3)", lost),
        ("node-kayles:cube(4)", lost),
        ("node-kayles:cycle(8)", lost),
        ("node-kayles:cycle(6)*path(2)", lost),
        // Opposite vertices are joined, or there are several.
        ("node-kayles:path(2)", None),
        ("node-kayles:cycle(7)", None),
        ("node-kayles:path(5)", None),
        ("node-kayles:petersen", None),
        ("node-kayles:grid(2,4)", None),
    ] {
        assert_eq!(normal(text), expected, "{text}");
    }
}

#[test]
fn every_play_of_brussels_sprouts_has_as_many_moves() {
    for (text, odd) in [("brussels:x", true), ("brussels:x*2", false)] {
        let told = checked(text).map(|told| told.expect("it is told").outcome);
        assert_eq!(
            told,
            [Outcome::win_if(odd), Outcome::win_if(!odd)],
            "{text}"
        );
    }
    let (game, position) = game::parse("brussels:x*20").expect("a position");
    let told = |play| told(&*game, &position, play, Effort::Look).expect("it is told");
    assert_eq!(
        (told(Play::Normal).outcome, told(Play::Normal).nimber),
        (Outcome::Loss, Some(0))
    );
    assert_eq!(
        (told(Play::Misere).outcome, told(Play::Misere).nimber),
        (Outcome::Win, None)
    );
    for text in [
        "brussels:x+x",
        "brussels:22222.2",
        "mixed:x",
        "mixed:0.x",
        "brussels:!",
    ] {
        assert_eq!(checked(text), [None, None], "{text}");
    }
}

#[test]
fn large_boards_are_told() {
    for (text, expected) in [
        ("cram:6x6", Outcome::Loss),
        ("cram:8x8", Outcome::Loss),
        ("cram:6x7", Outcome::Win),
        ("cram:8x9", Outcome::Win),
        ("node-kayles:cube(6)", Outcome::Loss),
    ] {
        let (game, position) = game::parse(text).expect("a position");
        let told = told(&*game, &position, Play::Normal, Effort::Look).expect("it is told");
        assert_eq!(
            (told.outcome, told.theorem),
            (expected, Theorem::Symmetry),
            "{text}"
        );
        let misere = told_at_sight(&*game, &position, Play::Misere);
        assert_eq!(misere, None, "{text}");
    }
}
