//! Lines by hand on a sheet.

use crate::drawing_reader::points;
use crate::drawing_sheet::{check_lines, leads_to};
use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{Edit, SIDE, Sheet, StrokeError};
use sproutnet_game::{Game, Sprouts};

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
pub(crate) fn farthest(curve: &[Point], from: &[Point]) -> f64 {
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
    let Err(StrokeError::Crosses { spots: [1, 4], at }) = sheet.by_hand(&way) else {
        panic!("a crossing")
    };
    assert!(at.distance(middle) < 1.0, "{at:?}");
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
fn of_several_crossings_the_first_one_on_the_way_is_named() {
    let sheet = Sheet::start(6);
    let spots = sheet.spots().to_vec();
    let join = |sheet: &Sheet, ends: [usize; 2]| {
        let stroke = sheet.by_hand(&ends.map(|end| spots[end])).expect("a line");
        sheet.play(&stroke).expect("a move")
    };
    // Two chords; a line from the top to the bottom crosses both.
    let sheet = join(&join(&sheet, [5, 1]), [4, 2]);
    for (way, first) in [([0, 3], [6, 2]), ([3, 0], [8, 3])] {
        // A little beside the new spots on the chords.
        let [from, to] = way.map(|end| spots[end]);
        let aside = Point::new(40.0, 0.0);
        let hand = [
            from,
            from + (to - from) * 0.1 + aside,
            to + (from - to) * 0.1 + aside,
            to,
        ];
        let Err(StrokeError::Crosses { spots: ends, at }) = sheet.by_hand(&hand) else {
            panic!("a crossing")
        };
        let chord = if way[0] == 0 { spots[1].y } else { spots[2].y };
        assert!(
            (at.y - chord).abs() < 1.0 && (at.x - 552.0).abs() < 3.0,
            "{at:?}"
        );
        assert_eq!(
            sheet
                .ends()
                .filter(|of| of.map(|end| end + 1) == ends)
                .count(),
            1,
            "{first:?}"
        );
    }
}

/// A loop as a hand draws it: a circle through a spot.
fn loop_at(spot: Point, diameter: f64, angle: f64) -> Vec<Point> {
    let middle = spot - Point::new(angle.cos(), angle.sin()) * (diameter / 2.0);
    let mut way = circle(middle, diameter / 2.0, angle, std::f64::consts::TAU);
    way[0] = spot;
    way[60] = spot;
    way
}

#[test]
fn a_tiny_loop_is_refused_where_there_is_room_for_a_larger_one() {
    let sheet = Sheet::start(5);
    let spot = sheet.spots()[0];
    for (diameter, is_move) in [
        (20.0, false),
        (30.0, false),
        (40.0, false),
        (48.0, true),
        (90.0, true),
    ] {
        let stroke = sheet.by_hand(&loop_at(spot, diameter, 1.0));
        if is_move {
            assert_eq!(stroke.expect("a loop").ends, [0, 0], "{diameter}");
        } else {
            assert_eq!(stroke, Err(StrokeError::Small), "{diameter}");
        }
    }
    // In a cell in which no larger one fits, a small loop is a move.
    let post = |x: f64, y: f64| Edit::Spot(spot + Point::new(x, y));
    let posts = [(-46.0, -46.0), (46.0, -46.0), (46.0, 46.0), (-46.0, 46.0)];
    let mut cell = Sheet::start(0).edited(&Edit::Spot(spot)).expect("room");
    for (x, y) in posts {
        cell = cell.edited(&post(x, y)).expect("room");
    }
    for (from, to) in [(1, 2), (2, 3), (3, 4), (4, 1)] {
        let middle = (cell.spots()[from] + cell.spots()[to]) * 0.5;
        cell = cell
            .edited(&Edit::Line([from, to], vec![middle]))
            .expect("a line");
    }
    let stroke = cell.by_hand(&loop_at(spot, 40.0, 0.0)).expect("a loop");
    assert_eq!(stroke.ends, [0, 0]);
    // One around a spot is a move, however small.
    let near = sheet
        .edited(&Edit::Spot(spot + Point::new(-25.0, 0.0)))
        .expect("a spot");
    let stroke = near.by_hand(&loop_at(spot, 43.0, 0.0)).expect("a loop");
    assert_eq!(
        Sprouts.print(&near.play(&stroke).expect("a move").position()),
        "0*4.AB|0.AB"
    );
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
