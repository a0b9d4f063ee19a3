//! Random games on one sheet.

use std::ops::ControlFlow;

use crate::drawing_reader::points;
use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{SIDE, Sheet, Stroke, StrokeError};
use sproutnet_game::{Game, Position, Sprouts};

/// The number of games from each start position: 301 in all.
const GAMES: u64 = 43;

/// The side of a line on which a point lies. Exact, since coordinates are multiples of 2⁻¹⁴.
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

/// Whether all common points of two segments are ends of both.
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

/// Checks that no line crosses another or itself, and that each ends at its spots.
pub(crate) fn check_lines(sheet: &Sheet) {
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

/// Checks that no curve, as drawn, crosses another or itself.
fn check_curves(sheet: &Sheet) {
    let mut segments = Vec::new();
    for path in sheet.paths() {
        let points = points(&path);
        segments.extend(points.windows(2).map(|step| [step[0], step[1]]));
    }
    segments.sort_by(|a, b| a[0].x.min(a[1].x).total_cmp(&b[0].x.min(b[1].x)));
    for (i, &a) in segments.iter().enumerate() {
        let right = a[0].x.max(a[1].x);
        let beside = segments[i + 1..].iter();
        for &b in beside.take_while(|b| b[0].x.min(b[1].x) <= right) {
            let crosses = side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < 0.0
                && side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < 0.0;
            assert!(!crosses, "{a:?} {b:?}");
        }
    }
}

fn bits(point: &Point) -> (u64, u64) {
    (point.x.to_bits(), point.y.to_bits())
}

/// Whether the fast rules engine has this move.
pub(crate) fn leads_to(position: &Position, next: &Position) -> bool {
    let found = Sprouts.moves(position, &mut |option| {
        if option == *next {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

/// A random move, and the expected position after it. `None` if the game is over.
pub(crate) fn random_move(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Stroke, Position)> {
    let (stroke, position) = random_choice(sheet, random)?;
    Some((stroke.expect("room for a line"), position))
}

/// The same. There is no stroke if its line has no room.
fn random_choice(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Option<Stroke>, Position)> {
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
        assert_eq!(sheet.partners(one).contains(&other), !choices.is_empty());
        assert_eq!(sheet.partners(other).contains(&one), !choices.is_empty());
        if choices.is_empty() {
            continue;
        }
        let choice = &choices[random.usize(..choices.len())];
        return Some((sheet.route(choice), choice.position.clone()));
    }
    None
}

/// A random game in progress.
struct Playing {
    sheet: Sheet,
    random: fastrand::Rng,
    /// The sheet before the last move, and the move.
    last: Option<(Sheet, Stroke)>,
    code: String,
}

impl Playing {
    fn start(spots: usize, seed: u64) -> Self {
        Self {
            sheet: Sheet::start(spots),
            random: fastrand::Rng::with_seed(seed),
            last: None,
            code: String::new(),
        }
    }

    /// Makes a random move. Returns the places of the spots before it and the position that it leads to; `None` if the
    /// game is over. Where there is no room for the line, the drawing is evened out, and then there is.
    fn step(&mut self) -> Option<(Vec<Point>, Position)> {
        let before = self.sheet.spots().to_vec();
        let (stroke, position) = random_choice(&self.sheet, &mut self.random)?;
        let stroke = stroke.unwrap_or_else(|| {
            let (sheet, last) = self.last.take().expect("an empty sheet has room");
            self.code.truncate(self.code.len() - last.code().len());
            let tidied = Stroke {
                is_tidied: true,
                ..last
            };
            self.code += &tidied.code();
            self.sheet = sheet.play(&tidied).expect("the same move");
            let stroke = self.sheet.route_to(&position);
            stroke.unwrap_or_else(|| panic!("no way: {}", self.code))
        });
        self.code += &stroke.code();
        let after = self.sheet.play(&stroke);
        let after = after.unwrap_or_else(|error| panic!("{error}: {}", self.code));
        self.last = Some((std::mem::replace(&mut self.sheet, after), stroke));
        Some((before, position))
    }
}

/// Plays a number of random games.
fn play_games(spots: usize) {
    (0..GAMES).for_each(|game| play_game(spots, game));
}

/// Plays a random game to its end, with a check after each move.
fn play_game(spots: usize, game: u64) {
    let mut playing = Playing::start(spots, game);
    let mut before = playing.sheet.position();
    while let Some((places, position)) = playing.step() {
        let Playing { sheet, code, .. } = &playing;
        check_lines(sheet);
        check_curves(sheet);
        assert_eq!(sheet.position(), position, "game {game}: {code}");
        assert!(leads_to(&before, &position), "game {game}");
        for (was, is) in places.iter().zip(sheet.spots()) {
            // The drawing may be evened out before the move.
            assert!(was.distance(*is) <= SIDE / 5.0, "game {game}");
        }
        before = position;
    }
    let Playing { sheet, code, .. } = playing;
    assert!(
        sheet.position().lands().is_empty() && sheet.is_over(),
        "game {game} ended early"
    );
    check_distances(&sheet);
    if !game.is_multiple_of(10) {
        return;
    }
    let replayed = Stroke::decode(&code)
        .expect("a code")
        .iter()
        .fold(Sheet::start(spots), |sheet, stroke| {
            sheet.play(stroke).expect("a move")
        });
    assert_eq!(replayed, sheet, "game {game}");
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

#[test]
fn random_games_of_ten_spots_stay_on_one_sheet() {
    play_games(10);
}

/// Three spots. A straight line joins the first two.
fn joined() -> Sheet {
    let sheet = Sheet::start(3);
    let line = [sheet.spots()[0], sheet.spots()[1]];
    let stroke = sheet.by_hand(&line).expect("a move");
    sheet.play(&stroke).expect("a move")
}

#[test]
fn a_line_by_hand_is_a_move() {
    let sheet = joined();
    check_lines(&sheet);
    assert_eq!([0, 1, 2, 3].map(|spot| sheet.lives(spot)), [2, 2, 3, 1]);
    assert!(leads_to(&Sheet::start(3).position(), &sheet.position()));
    // A loop at the third spot, around nothing.
    let third = sheet.spots()[2];
    let corners = [
        (0.0, 0.0),
        (-60.0, 0.0),
        (-60.0, 60.0),
        (0.0, 60.0),
        (0.0, 0.0),
    ];
    let hand = corners.map(|(x, y)| third + Point::new(x, y));
    let stroke = sheet.by_hand(&hand).expect("a move");
    assert_eq!(stroke.ends, [2, 2]);
    let after = sheet.play(&stroke).expect("a move");
    check_lines(&after);
    assert_eq!((after.lives(2), after.lives(4)), (1, 1));
    assert!(leads_to(&sheet.position(), &after.position()));
}

/// The places of a circle, from an angle on, counterclockwise on the screen.
fn circle(middle: Point, radius: f64, from: f64, turn: f64) -> Vec<Point> {
    let at = |i: usize| {
        let angle = from + turn * i as f64 / 60.0;
        middle + Point::new(angle.cos(), angle.sin()) * radius
    };
    (0..=60).map(at).collect()
}

#[test]
fn a_loop_that_overshoots_its_start_is_the_loop_that_was_meant() {
    let sheet = Sheet::start(5);
    let spots = sheet.spots().to_vec();
    // Around spots 2 and 3, from spot 1 and back.
    let corners = |overshoot: f64| {
        let out = Point::new(700.0, 190.0);
        let home = spots[0];
        vec![
            home,
            out,
            Point::new(930.0, 350.0),
            Point::new(850.0, 860.0),
            Point::new(600.0, 880.0),
            Point::new(560.0, 500.0),
            // Across the first stroke, and back to the spot.
            home + Point::new(60.0, 30.0),
            home + Point::new(60.0, -overshoot),
            home + Point::new(10.0, -overshoot),
            home,
        ]
    };
    let meant = [&corners(0.0)[..7], &[spots[0]]].concat();
    let meant = sheet.by_hand(&meant).expect("a loop");
    let meant = sheet.play(&meant).expect("a loop").position();
    assert_eq!(Sprouts.print(&meant), "0*2.AB|0*2.AB");
    for overshoot in [10.0, 20.0, 35.0, 60.0] {
        let stroke = sheet.by_hand(&corners(overshoot)).expect("a loop");
        let after = sheet.play(&stroke).expect("a loop");
        check_lines(&after);
        assert_eq!(after.position(), meant, "{overshoot}");
    }
}

#[test]
fn a_loop_that_encloses_something_is_never_left_out() {
    let sheet = Sheet::start(5);
    let spots = sheet.spots().to_vec();
    // From spot 1 to spot 2, once around spot 3.
    let around = circle(spots[2], 80.0, -1.6, 6.6);
    let way = [&[spots[0]][..], &around, &[spots[1]]].concat();
    assert_eq!(sheet.by_hand(&way), Err(StrokeError::Itself));
    // A large curl around nothing is no slip of the hand either.
    let around = circle(Point::new(512.0, 512.0), 90.0, -1.6, 7.0);
    let way = [&[spots[0]][..], &around, &[spots[1]]].concat();
    assert_eq!(sheet.by_hand(&way), Err(StrokeError::Itself));
    // A small one is.
    let around = circle(Point::new(600.0, 260.0), 15.0, -1.6, 7.0);
    let way = [&[spots[0]][..], &around, &[spots[1]]].concat();
    let stroke = sheet.by_hand(&way).expect("a line");
    assert_eq!(stroke.ends, [0, 1]);
}

#[test]
fn a_scribble_is_refused() {
    let sheet = Sheet::start(5);
    let spots = sheet.spots().to_vec();
    let way = spots[1] - spots[0];
    let curls =
        (1..=6).flat_map(|i| circle(spots[0] + way * (f64::from(i) / 7.0), 18.0, -1.6, 7.0));
    let way: Vec<Point> = [spots[0]]
        .into_iter()
        .chain(curls)
        .chain([spots[1]])
        .collect();
    assert_eq!(sheet.by_hand(&way), Err(StrokeError::Itself));
}

#[test]
fn a_line_over_a_spot_is_refused() {
    let sheet = Sheet::start(5);
    let spots = sheet.spots().to_vec();
    for off in [0.0, 4.0, -8.0] {
        let over = spots[0] + Point::new(0.0, off);
        let way = [spots[1], over, spots[4]];
        assert_eq!(sheet.by_hand(&way), Err(StrokeError::Over(1)), "{off}");
    }
    let beside = spots[0] + Point::new(0.0, 30.0);
    assert!(sheet.by_hand(&[spots[1], beside, spots[4]]).is_ok());
    // Over the spot where it began.
    let away = Point::new(512.0, 420.0);
    let way = [spots[0], away, spots[0], Point::new(300.0, 120.0), spots[4]];
    assert!(sheet.by_hand(&way).is_err());
}

/// The distance of the farthest point of a curve from a polyline.
fn farthest(curve: &[Point], from: &[Point]) -> f64 {
    let to_step = |at: Point, a: Point, b: Point| {
        let way = b - a;
        let part = ((at.x - a.x) * way.x + (at.y - a.y) * way.y) / (way.x * way.x + way.y * way.y);
        at.distance(a + way * part.clamp(0.0, 1.0))
    };
    let away = |&at: &Point| {
        let steps = from.windows(2).filter(|step| step[0] != step[1]);
        let steps = steps.map(|step| to_step(at, step[0], step[1]));
        steps.fold(f64::INFINITY, f64::min)
    };
    curve.iter().map(away).fold(0.0, f64::max)
}

#[test]
fn a_line_stays_as_it_was_drawn_and_nothing_else_moves() {
    let sheet = Sheet::start(5);
    let spots = sheet.spots().to_vec();
    let straight = vec![spots[0], spots[2]];
    let bowed = [
        &[spots[1]][..],
        &circle(Point::new(512.0, 512.0), 200.0, -0.4, 2.0),
        &[spots[2]],
    ]
    .concat();
    let zigzag: Vec<Point> = [
        (512.0, 205.0),
        (300.0, 300.0),
        (420.0, 420.0),
        (260.0, 520.0),
        (400.0, 640.0),
    ]
    .map(|(x, y)| Point::new(x, y))
    .into_iter()
    .chain([spots[3]])
    .collect();
    for hand in [straight, bowed, zigzag] {
        let after = sheet
            .play(&sheet.by_hand(&hand).expect("a line"))
            .expect("a move");
        assert_eq!(&after.spots()[..5], &spots[..]);
        for path in after.paths() {
            let away = farthest(&points(&path), &hand);
            assert!(away <= 4.0, "{away}: {hand:?}");
        }
    }
}

#[test]
fn spots_stay_where_they_are_unless_room_is_needed() {
    let mut moved = Vec::new();
    for spots in [4, 7, 10] {
        for game in 0..4 {
            let mut playing = Playing::start(spots, 1000 + game);
            while let Some((before, _)) = playing.step() {
                let pairs = before.iter().zip(playing.sheet.spots());
                moved.extend(pairs.map(|(was, is)| was.distance(*is)));
            }
            check_distances(&playing.sheet);
        }
    }
    moved.sort_by(f64::total_cmp);
    let [median, most] = [moved.len() / 2, moved.len() * 9 / 10].map(|i| moved[i]);
    assert!(median < 3.0 && most < 15.0, "{median} {most}");
}

/// Checks that a drawing can be read: no discs overlap, no line runs over a spot, and no two lines read as one.
fn check_distances(sheet: &Sheet) {
    let spots = sheet.spots();
    let paths: Vec<Vec<Point>> = sheet.paths().iter().map(|path| points(path)).collect();
    let ends: Vec<[usize; 2]> = sheet.ends().collect();
    for (i, spot) in spots.iter().enumerate() {
        for other in &spots[..i] {
            assert!(spot.distance(*other) > 31.0, "discs overlap");
        }
        for (path, ends) in paths.iter().zip(&ends) {
            assert!(
                ends.contains(&i) || farthest(&[*spot], path) > 16.0,
                "a line runs over a spot"
            );
        }
    }
    for (i, one) in paths.iter().enumerate() {
        for (j, other) in paths[..i].iter().enumerate() {
            let mut pairs = [ends[i], ends[j]];
            for ends in &mut pairs {
                ends.sort_unstable();
            }
            if pairs[0] == pairs[1] {
                let apart = farthest(one, other).max(farthest(other, one));
                assert!(apart > 10.0, "two lines read as one: {apart}");
            }
        }
    }
}

#[test]
fn a_drawing_is_tidied_on_request() {
    let mut sheet = Sheet::start(4);
    let spots = sheet.spots().to_vec();
    let mut stroke = sheet.by_hand(&[spots[0], spots[1]]).expect("a line");
    stroke.is_tidied = true;
    let code = stroke.code();
    assert_eq!(Stroke::decode(&code).expect("a move"), [stroke.clone()]);
    assert!(Stroke::decode("*").is_err());
    sheet = sheet.play(&stroke).expect("a move");
    assert_ne!(&sheet.spots()[..4], &spots[..]);
}

#[test]
fn a_line_by_hand_is_refused_with_the_reason() {
    let sheet = joined();
    let spots = sheet.spots().to_vec();
    let nowhere = Point::new(SIDE / 2.0, SIDE / 2.0);
    assert_eq!(sheet.by_hand(&[]), Err(StrokeError::NoSpot));
    assert_eq!(
        sheet.by_hand(&[spots[0], nowhere]),
        Err(StrokeError::NoSpot)
    );
    assert_eq!(
        sheet.by_hand(&[nowhere, spots[0]]),
        Err(StrokeError::NoSpot)
    );
    // The new spot has one line left: no loop begins there.
    let aside = spots[3] + (spots[2] - spots[3]) * 0.3;
    assert_eq!(
        sheet.by_hand(&[spots[3], aside, spots[3]]),
        Err(StrokeError::Full(4))
    );
    // From the third spot through the line between the first and the new spot, and back to the new one from behind.
    let middle = spots[0] + (spots[3] - spots[0]) * 0.5;
    let beyond = spots[2] + (middle - spots[2]) * 1.3;
    let way = [spots[2], middle, beyond, spots[3]];
    assert_eq!(sheet.by_hand(&way), Err(StrokeError::Crosses(1, 4)));
    // With its last line the new spot is full.
    let stroke = sheet.by_hand(&[spots[2], spots[3]]).expect("a move");
    let full = sheet.play(&stroke).expect("a move");
    assert_eq!(full.lives(3), 0);
    let way = [full.spots()[0], full.spots()[3]];
    assert_eq!(full.by_hand(&way), Err(StrokeError::Full(4)));
    // A dot is no loop.
    let dot = [sheet.spots()[2]; 2];
    assert_eq!(sheet.by_hand(&dot), Err(StrokeError::Outside));
}

#[test]
fn a_hand_is_read_as_the_script_writes_it() {
    let text = "AAAA__-_gAEE";
    let points = sproutnet_drawing::sheet::hand(text).expect("a line");
    let expected = [(0.0, 0.0), (1023.75, 1007.75), (512.0, 65.0)];
    assert!(
        points.iter().map(|at| (at.x, at.y)).eq(expected),
        "{points:?}"
    );
    for wrong in ["A", "AAA", "AAAAA", "AAA!", "AA A"] {
        assert!(sproutnet_drawing::sheet::hand(wrong).is_err(), "{wrong}");
    }
}

/// A text is read as a valid match, or refused.
#[test]
fn damaged_matches_are_refused_or_drawn_without_a_crossing() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut sheet = Sheet::start(5);
    let mut code = String::new();
    for _ in 0..6 {
        let (stroke, _) = random_move(&sheet, &mut random).expect("a move");
        code += &stroke.code();
        sheet = sheet.play(&stroke).expect("a move");
    }
    let (mut refused, mut drawn) = (0, 0);
    for _ in 0..2000 {
        let mut bytes = code.clone().into_bytes();
        let at = random.usize(..bytes.len());
        bytes[at] = b"ABCDEFGHXYZabcxyz0189-_.~"[random.usize(..25)];
        let text = String::from_utf8(bytes).expect("ASCII");
        let strokes = Stroke::decode(&text);
        let mut strokes = strokes.into_iter().flatten();
        let end = strokes.try_fold(Sheet::start(5), |sheet, stroke| sheet.drawn(&stroke));
        match end {
            Ok(sheet) => {
                check_lines(&sheet);
                let _ = sheet.position();
                drawn += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && drawn > 100, "{refused} {drawn}");
}
