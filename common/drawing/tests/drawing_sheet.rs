//! Random games on one sheet.

use std::ops::ControlFlow;

use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{SIDE, Sheet, Stroke};
use sproutnet_game::{Game, Position, Sprouts};

/// The number of games from each start position: 258 in all. From ten spots, one game in some dozens has a move for
/// which no way is found.
const GAMES: u64 = 43;

/// On which side of a line a point is. Exact, since coordinates are multiples of 2⁻¹⁴.
fn side(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn is_between(a: Point, b: Point, c: Point) -> bool {
    side(a, b, c) == 0.0
        && c.x >= a.x.min(b.x)
        && c.x <= a.x.max(b.x)
        && c.y >= a.y.min(b.y)
        && c.y <= a.y.max(b.y)
}

/// The points that two segments have in common are ends of both.
fn are_apart(a: [Point; 2], b: [Point; 2]) -> bool {
    let far = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d) || c.max(d) < a.min(b);
    if far(a[0].x, a[1].x, b[0].x, b[1].x) || far(a[0].y, a[1].y, b[0].y, b[1].y) {
        return true;
    }
    let crosses = side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < 0.0
        && side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < 0.0;
    let touches = |a: [Point; 2], b: [Point; 2]| {
        b.iter()
            .any(|&end| is_between(a[0], a[1], end) && !a.contains(&end))
    };
    !crosses && !touches(a, b) && !touches(b, a)
}

/// No line crosses another or itself, and each ends at its spots.
fn check_lines(sheet: &Sheet) {
    let mut segments = Vec::new();
    let mut inner: Vec<(u64, u64)> = sheet.spots().iter().map(bits).collect();
    for (line, ends) in sheet.lines().zip(sheet.ends()) {
        assert_eq!(line[0], sheet.spots()[ends[0]]);
        assert_eq!(line[line.len() - 1], sheet.spots()[ends[1]]);
        inner.extend(line[1..line.len() - 1].iter().map(bits));
        segments.extend(line.windows(2).map(|step| [step[0], step[1]]));
    }
    for (i, &one) in segments.iter().enumerate() {
        for &other in &segments[..i] {
            assert!(are_apart(one, other), "{one:?} {other:?}");
        }
    }
    let count = inner.len();
    inner.sort_unstable();
    inner.dedup();
    assert_eq!(inner.len(), count, "lines touch");
}

fn bits(point: &Point) -> (u64, u64) {
    (point.x.to_bits(), point.y.to_bits())
}

/// Whether the fast rules engine knows the move.
fn leads_to(position: &Position, next: &Position) -> bool {
    let found = Sprouts.moves(position, &mut |option| match option == *next {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    found.is_break()
}

/// A random move, and the position that it should lead to.
fn random_move(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Stroke, Position)> {
    let count = sheet.spots().len();
    let mut pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (one..count).map(move |other| (one, other)))
        .filter(|&(one, other)| {
            sheet.lives(one) > usize::from(one == other) && sheet.lives(other) > 0
        })
        .collect();
    random.shuffle(&mut pairs);
    for (one, other) in pairs {
        let choices = sheet.options(one, other);
        if choices.is_empty() {
            continue;
        }
        let choice = &choices[random.usize(..choices.len())];
        let stroke = sheet.route(choice);
        let stroke = stroke.unwrap_or_else(|| panic!("no way from {one} to {other}: {choice:?}"));
        return Some((stroke, choice.position.clone()));
    }
    None
}

/// Plays random games to their ends, with a check after each move.
fn play_games(spots: usize) {
    for game in 0..GAMES {
        let mut random = fastrand::Rng::with_seed(game);
        let mut sheet = Sheet::start(spots);
        let mut code = String::new();
        while let Some((stroke, position)) = random_move(&sheet, &mut random) {
            code += &stroke.code();
            let before = sheet.position();
            let after = sheet
                .play(&stroke)
                .unwrap_or_else(|error| panic!("game {game}: {error}"));
            check_lines(&after);
            assert_eq!(after.position(), position, "game {game}: {code}");
            assert!(leads_to(&before, &position), "game {game}");
            for (was, is) in sheet.spots().iter().zip(after.spots()) {
                assert!(was.distance(*is) <= SIDE / 10.0, "game {game}");
            }
            sheet = after;
        }
        assert!(
            sheet.position().lands().is_empty(),
            "game {game} ended early"
        );
        if game % 10 > 0 {
            continue;
        }
        let replayed = Stroke::decode(&code)
            .expect("a code")
            .iter()
            .fold(Sheet::start(spots), |sheet, stroke| {
                sheet.play(stroke).expect("a move")
            });
        assert_eq!(replayed, sheet, "game {game}");
    }
}

#[test]
fn random_games_of_four_spots_stay_on_one_sheet() {
    play_games(4);
}

#[test]
fn random_games_of_five_spots_stay_on_one_sheet() {
    play_games(5);
}

#[test]
fn random_games_of_six_spots_stay_on_one_sheet() {
    play_games(6);
}

#[test]
fn random_games_of_seven_spots_stay_on_one_sheet() {
    play_games(7);
}

#[test]
fn random_games_of_eight_spots_stay_on_one_sheet() {
    play_games(8);
}

#[test]
fn random_games_of_nine_spots_stay_on_one_sheet() {
    play_games(9);
}
