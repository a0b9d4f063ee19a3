//! Loops that the program draws.

use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{Choice, Sheet};
use std::f64::consts::PI;

use crate::drawing_sheet::check_lines;

/// The closed line of the last move, from its spot and back.
fn last_loop(sheet: &Sheet) -> Vec<Point> {
    let lines: Vec<&[Point]> = sheet.lines().collect();
    let [.., one, other] = lines[..] else {
        panic!("two halves of a loop")
    };
    [one, &other[1..]].concat()
}

/// The turns at the points of a line, in radians.
fn turns(line: &[Point]) -> Vec<f64> {
    let turn = |at: &[Point]| {
        let (a, b) = (at[1] - at[0], at[2] - at[1]);
        (a.x * b.y - a.y * b.x).atan2(a.x * b.x + a.y * b.y)
    };
    line.windows(3).map(turn).collect()
}

/// Whether a closed line always turns to the same side, apart from rounding, and once around.
fn is_oval(line: &[Point]) -> bool {
    let turns = turns(line);
    let all: f64 = turns.iter().sum();
    let back = turns.iter().filter(|turn| *turn * all.signum() < -0.03);
    back.count() == 0 && all.abs() < 2.2 * PI
}

/// The turn at the spot of a loop: none if it passes through smoothly.
fn turn_at_spot(line: &[Point]) -> f64 {
    turns(&[line[line.len() - 2], line[0], line[1]])[0].abs()
}

/// Whether a closed line winds around a point.
fn encloses(line: &[Point], point: Point) -> bool {
    let crossed = line.windows(2).filter(|step| {
        let [a, b] = [step[0], step[1]];
        (a.y > point.y) != (b.y > point.y)
            && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    });
    crossed.count() % 2 == 1
}

/// Draws a loop, and checks that it cuts off what was chosen. Returns its line.
fn drawn(sheet: &Sheet, choice: &Choice) -> Vec<Point> {
    let stroke = sheet.route(choice).expect("room");
    let after = sheet.play(&stroke).expect("a move");
    check_lines(&after);
    assert_eq!(after.position(), choice.position);
    let line = last_loop(&after);
    let [one, other] = choice.sides().expect("a loop has two sides");
    let spots = after.spots();
    let are_inside = |side: &[usize]| side.iter().all(|&spot| encloses(&line, spots[spot]));
    let are_outside = |side: &[usize]| !side.iter().any(|&spot| encloses(&line, spots[spot]));
    assert!(
        are_inside(one) && are_outside(other) || are_inside(other) && are_outside(one),
        "{:?}: {line:?}",
        choice.sides()
    );
    line
}

#[test]
fn loops_on_an_empty_board_are_ovals() {
    for count in [1, 2, 3, 5, 8, 12] {
        let sheet = Sheet::start(count);
        for choice in sheet.options(0, 0) {
            let line = drawn(&sheet, &choice);
            assert!(is_oval(&line), "{count}: {:?}: {line:?}", choice.sides());
            let turn = turn_at_spot(&line);
            assert!(turn < 1.0, "{count}: {turn}");
            let hint = sheet.route_to(&choice.position).expect("room");
            let hint = last_loop(&sheet.play(&hint).expect("a move"));
            assert!(is_oval(&hint), "{count}: {hint:?}");
        }
    }
}

#[test]
fn loops_at_a_spot_with_a_line_are_ovals() {
    for count in [2, 5, 8] {
        let start = Sheet::start(count);
        let line = start.route(&start.options(0, 1)[0]).expect("room");
        let sheet = start.play(&line).expect("a move");
        for choice in sheet.options(0, 0) {
            let line = drawn(&sheet, &choice);
            assert!(is_oval(&line), "{count}: {:?}: {line:?}", choice.sides());
        }
    }
}

/// What a loop cuts off in a game is not always beside its spot, so it cannot always be an oval.
#[test]
fn most_loops_in_games_are_ovals() {
    let (mut ovals, mut all) = (0, 0);
    for game in 0..4 {
        let mut random = fastrand::Rng::with_seed(game);
        let mut sheet = Sheet::start(7);
        while let Some((stroke, _)) = crate::drawing_sheet::random_move(&sheet, &mut random) {
            let one = random.usize(..sheet.spots().len());
            if let Some(choice) = sheet.options(one, one).first() {
                ovals += usize::from(is_oval(&drawn(&sheet, choice)));
                all += 1;
            }
            sheet = sheet.play(&stroke).expect("a move");
        }
    }
    assert!(all > 15 && 10 * ovals >= 7 * all, "{ovals} of {all}");
}
