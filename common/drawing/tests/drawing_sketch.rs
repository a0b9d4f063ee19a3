//! Pictures as text.

use std::ops::ControlFlow;

use sproutnet_drawing::{Drawing, DrawingError, Sketch};
use sproutnet_game::{self as game, Game, Position, Sprouts};

fn sketch(text: &str) -> Result<Sketch, DrawingError> {
    let (game, position) = game::parse(text).expect("a position");
    Sketch::of(&*game, &position)
}

fn lines(text: &str, columns: usize, rows: usize) -> Vec<String> {
    sketch(text).expect("a picture").lines(columns, rows)
}

fn is_dotted(c: char) -> bool {
    ('\u{2801}'..='\u{28ff}').contains(&c)
}

/// The digits of a picture, sorted.
fn digits(lines: &[String]) -> String {
    let letters = lines.iter().flat_map(|line| line.chars());
    let mut digits: Vec<char> = letters.filter(char::is_ascii_digit).collect();
    digits.sort_unstable();
    digits.into_iter().collect()
}

/// Positions of random games of Sprouts from so many spots.
fn played(spots: u32, random: &mut fastrand::Rng) -> Vec<Position> {
    let mut position = Sprouts.parse(&format!("0*{spots}")).expect("a position");
    let mut positions = Vec::new();
    loop {
        let mut options = Vec::new();
        let _ = Sprouts.moves(&position, &mut |option| {
            options.push(option);
            ControlFlow::Continue(())
        });
        positions.push(position);
        match random.choice(options) {
            Some(next) => position = next,
            None => return positions,
        }
    }
}

#[test]
fn every_spot_is_seen_on_a_small_terminal() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut looked_at = 0;
    for spots in 1..7 {
        for position in (0..6).flat_map(|_| played(spots, &mut random)) {
            let drawing = Drawing::of(&position).expect("a drawing");
            let mut lives: Vec<String> = drawing
                .spots()
                .iter()
                .map(|spot| spot.lives.to_string())
                .collect();
            lives.sort_unstable();
            let lines = Sketch::of(&Sprouts, &position)
                .expect("a picture")
                .lines(60, 20);
            let text = Sprouts.print(&position);
            assert_eq!(
                digits(&lines),
                lives.concat(),
                "{text}:\n{}",
                lines.join("\n")
            );
            assert!(lines.len() <= 20 && lines.iter().all(|line| line.chars().count() <= 60));
            looked_at += 1;
        }
    }
    assert!(looked_at > 200, "{looked_at}");
}

#[test]
fn a_loop_around_a_spot() {
    // A line from a spot to itself: the new spot on it has a life, and one spot is inside.
    let lines = lines("0.AB|0.AB", 60, 20);
    let at = |row: usize, column: usize| lines[row].chars().nth(column).unwrap_or(' ');
    let is_inside = |row: usize, column: usize| {
        let has_dots =
            |mut rows: std::ops::Range<usize>| rows.any(|row| is_dotted(at(row, column)));
        has_dots(0..row) && has_dots(row + 1..lines.len())
    };
    let spots = (0..lines.len()).flat_map(|row| (0..60).map(move |column| (row, column)));
    let mut spots = spots.filter(|&(row, column)| at(row, column) == '3');
    assert!(
        spots.any(|(row, column)| is_inside(row, column)),
        "{lines:#?}"
    );
}

#[test]
fn other_games_have_their_shapes() {
    let heaps = lines("nim:3+1", 40, 6);
    // A row for each heap, with its size after the tokens.
    let of = |size: char| heaps.iter().find(|line| line.ends_with(size)).cloned();
    let [three, one] = ['3', '1'].map(|size| of(size).expect("a row"));
    let dots = |line: &str| line.chars().filter(|&c| is_dotted(c)).count();
    assert!(dots(&three) > 2 * dots(&one), "{heaps:#?}");
    for game in game::all() {
        for example in game.info().examples {
            let position = game.parse(example).expect("a position");
            let sketch = Sketch::of(&*game, &position).expect("a picture");
            for (columns, rows) in [(60, 20), (20, 5), (1, 1), (0, 3), (3, 0)] {
                let lines = sketch.lines(columns, rows);
                assert!(lines.len() <= rows, "{example}");
                assert!(
                    lines.iter().all(|line| line.chars().count() <= columns),
                    "{example}"
                );
                let is_empty = position.lands().is_empty() || columns == 0 || rows == 0;
                assert_eq!(lines.is_empty(), is_empty, "{example}: {lines:#?}");
            }
        }
    }
}

#[test]
fn what_is_too_large_is_not_sketched() {
    let heaps = vec!["30"; 1_000].join("+");
    let refused = sketch(&format!("nim:{heaps}"));
    assert_eq!(refused.map(drop), Err(DrawingError::TooLarge));
}
