//! Freely made drawings.

use std::sync::Arc;

use sproutnet_drawing::sheet::{
    Edit, EditError, MOST_DRAWN, SIDE, Sheet, SheetGame, Stroke, StrokeError,
};
use sproutnet_drawing::{DrawingError, Point};
use sproutnet_game::{Game, Position, Sprouts};

use crate::drawing_positions::{met, position};
use crate::drawing_sheet::{check_lines, leads_to, random_move};

/// The sheet after edits, each by its text.
fn read(mut code: &str) -> Sheet {
    let mut sheet = Sheet::start(0);
    while let Some((edit, rest)) = Edit::first(code).expect("edits") {
        sheet = sheet.edited(&edit).expect("it can be made");
        code = rest;
    }
    sheet
}

fn code(edits: &[Edit]) -> String {
    edits.iter().map(Edit::code).collect()
}

/// A drawing with spots at these places.
fn spots(places: &[(f64, f64)]) -> Sheet {
    let put = |sheet: Sheet, &(x, y): &(f64, f64)| {
        let edit = sheet.put(Point::new(x, y)).expect("there is room");
        sheet.edited(&edit).expect("a spot")
    };
    places.iter().fold(Sheet::start(0), put)
}

/// The sheet with a line through these places.
fn with_line(sheet: &Sheet, places: &[(f64, f64)]) -> Sheet {
    let hand: Vec<Point> = places.iter().map(|&(x, y)| Point::new(x, y)).collect();
    let line = Edit::line(sheet.by_hand(&hand).expect("a line"));
    sheet.edited(&line).expect("a line")
}

#[test]
fn a_position_is_drawn_from_nothing() {
    let empty = Sheet::start(0);
    assert_eq!((&*empty.text(), empty.position()), ("!", position("!")));
    assert_eq!(empty.rooms().len(), 1);
    // Two spots with two lines between them, one spot inside and three outside.
    let six = spots(&[
        (300.0, 500.0),
        (700.0, 500.0),
        (500.0, 500.0),
        (100.0, 100.0),
        (500.0, 900.0),
        (900.0, 100.0),
    ]);
    assert_eq!(six.position(), position("0*6"));
    let over = [(300.0, 500.0), (500.0, 250.0), (700.0, 500.0)];
    let under = [(300.0, 500.0), (500.0, 750.0), (700.0, 500.0)];
    let joined = with_line(&six, &over);
    assert_eq!(joined.position(), position("0*4.11}"));
    let closed = with_line(&joined, &under);
    check_lines(&closed);
    assert_eq!(closed.position(), position("0*3.AB|0.AB"));
    assert_eq!(
        Sprouts.parse(&closed.text()).expect("a position"),
        closed.position()
    );
    assert_eq!((closed.all_lives(), closed.moves()), (14, 0));
    // Spots stay where they are.
    assert_eq!(closed.spots(), six.spots());
    let rooms = closed.rooms();
    let mut around: Vec<&[usize]> = rooms.iter().map(|room| &room.spots[..]).collect();
    around.sort_unstable();
    assert_eq!(around, [&[0, 1, 2][..], &[0, 1, 3, 4, 5]]);
    for room in rooms {
        let put = closed.put(room.at).expect("room");
        let more = closed.edited(&put).expect("a spot").position();
        let is_inside = room.spots.contains(&2);
        let expected = if is_inside {
            "0*3.AB|0*2.AB"
        } else {
            "0*4.AB|0.AB"
        };
        assert_eq!(more, position(expected));
    }
    let even = closed.edited(&Edit::Even).expect("evened out");
    check_lines(&even);
    assert_eq!(even.position(), closed.position());
    // A line with a spot put on it is a move.
    let divided = joined.edited(&Edit::Divide(0)).expect("divided");
    check_lines(&divided);
    assert_eq!(divided.position(), position("0*4.1a1a"));
    let gone = closed.edited(&Edit::RemoveSpot(0)).expect("removed");
    assert_eq!(gone.position(), position("0*5"));
    let gone = closed.edited(&Edit::RemoveLine(0)).expect("removed");
    assert_eq!(gone.position(), position("0*4.11}"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let four = spots(&[
        (500.0, 100.0),
        (100.0, 900.0),
        (900.0, 900.0),
        (500.0, 600.0),
    ]);
    let star = [0, 1, 2].iter().fold(four.clone(), |sheet, &spot| {
        let at = four.spots()[spot];
        with_line(&sheet, &[(500.0, 600.0), (at.x, at.y)])
    });
    assert_eq!(star.lives(3), 0);
    let way = [star.spots()[0], star.spots()[3]];
    assert_eq!(star.by_hand(&way), Err(StrokeError::Full(4)));
    let line = Edit::Line([0, 3], vec![Point::new(400.0, 300.0)]);
    assert_eq!(star.edited(&line), Err(StrokeError::Full(4).into()));
    let across = [
        Point::new(900.0, 900.0),
        Point::new(500.0, 300.0),
        Point::new(100.0, 900.0),
    ];
    assert!(matches!(
        star.by_hand(&across),
        Err(StrokeError::Crosses {
            spots: [_, 1 | 4] | [1 | 4, _],
            ..
        })
    ));
    assert_eq!(
        star.put(Point::new(510.0, 90.0)),
        Err(EditError::NearSpot(1))
    );
    assert_eq!(
        star.put(Point::new(500.0, 350.0)),
        Err(EditError::NearLine(4, 1))
    );
    for edit in [Edit::RemoveSpot(4), Edit::RemoveLine(3), Edit::Divide(3)] {
        assert_eq!(star.edited(&edit), Err(EditError::Missing), "{edit:?}");
    }
    let at = star.spots()[2];
    assert_eq!(star.edited(&Edit::Spot(at)), Err(EditError::NearSpot(3)));
    for (x, y) in [(0.0, 5.0), (5.0, SIDE), (-1.0, 5.0), (0.6, 1e-6)] {
        let edit = Edit::Spot(Point::new(x, y));
        assert_eq!(star.edited(&edit), Err(EditError::Outside), "{x} {y}");
    }
    let places: Vec<(f64, f64)> = (0..MOST_DRAWN)
        .map(|i| (80.0 + 100.0 * (i % 8) as f64, 80.0 + 100.0 * (i / 8) as f64))
        .collect();
    let full = spots(&places);
    let more = full.edited(&Edit::Spot(Point::new(900.0, 900.0)));
    assert_eq!(more, Err(EditError::TooMany));
}

#[test]
fn steps_are_undone() {
    let at = |x: f64| Point::new(x, 300.0);
    let line = Edit::Line([0, 1], vec![Point::new(400.0, 350.0)]);
    let mut edits = vec![Edit::Spot(at(200.0)), Edit::Spot(at(600.0)), Edit::Given];
    edits.extend([Edit::Spot(at(800.0)), line, Edit::Even]);
    let mut counts = Vec::new();
    while !edits.is_empty() {
        Edit::undo(&mut edits);
        let sheet = read(&code(&edits));
        counts.push((sheet.spots().len(), sheet.lines().count()));
    }
    assert_eq!(counts, [(3, 0), (2, 0), (0, 0)]);
}

/// A line is drawn, and a spot put on it: a move, as all three engines know it.
#[test]
fn random_drawings_are_the_positions_that_moves_lead_to() {
    for seed in 0..30 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut sheet = Sheet::start(2 + (seed % 5) as usize);
        let mut edits = sheet.edits();
        while let Some((stroke, wanted)) = random_move(&sheet, &mut random) {
            let before = sheet.position();
            let line = Edit::line(stroke);
            let drawn = sheet.edited(&line).expect("a line");
            let divide = Edit::Divide(drawn.lines().count() - 1);
            for edit in [line, Edit::Even, divide] {
                sheet = sheet.edited(&edit).expect("an edit");
                check_lines(&sheet);
                edits.push(edit);
            }
            assert_eq!(sheet.position(), wanted, "seed {seed}");
            assert!(leads_to(&before, &wanted), "seed {seed}");
            let again = Edit::RemoveLine(random.usize(..sheet.lines().count()));
            if random.u8(..4) == 0 {
                sheet = sheet.edited(&again).expect("removed");
                edits.push(again);
            }
            if sheet.spots().len() >= MOST_DRAWN - 1 {
                break;
            }
        }
        assert_eq!(read(&code(&edits)), sheet, "seed {seed}");
        // The whole as one step.
        assert_eq!(read(&code(&sheet.edits())), sheet, "seed {seed}");
        let rooms = sheet.rooms();
        for room in rooms {
            let put = sheet.put(room.at).expect("room");
            let more = sheet.edited(&put).expect("a spot");
            assert_eq!(more.all_lives(), sheet.all_lives() + 3);
        }
    }
}

#[test]
fn positions_are_drawn_as_they_are() {
    let sums = [
        "0*2+0*2",
        "0*3.AB|0.AB",
        "1a1a+0*2+12}",
        "0*12",
        "0*2.AB|0.AC|0.BC",
        "22}+22}+0",
        "!",
    ];
    let sums = sums.iter().map(|text| position(text));
    let mut drawn = 0;
    for wanted in sums.chain(met(300, 2..=6, 5)) {
        let sheet = match Sheet::of(&wanted) {
            Ok(sheet) => sheet,
            Err(error) => {
                assert_eq!(error, DrawingError::TooLarge, "{wanted:?}");
                continue;
            }
        };
        check_lines(&sheet);
        assert_eq!(sheet.position(), wanted);
        assert_eq!(read(&code(&sheet.edits())), sheet);
        drawn += 1;
    }
    assert!(drawn > 100, "{drawn}");
    assert_eq!(Sheet::of(&position("0*41")), Err(DrawingError::TooLarge));
}

/// A match begins with a drawing, and its moves are counted from there.
#[test]
fn a_match_begins_with_a_drawing() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut sheet = Sheet::of(&position("0*3.AB|0.AB")).expect("a drawing");
    assert!(sheet.fits_a_match());
    let given = sheet.lines().count();
    for moves in 1.. {
        let Some((stroke, wanted)) = random_move(&sheet, &mut random) else {
            break;
        };
        sheet = sheet.play(&stroke).expect("a move");
        check_lines(&sheet);
        assert_eq!((sheet.position(), sheet.moves()), (wanted, moves));
        assert_eq!(sheet.lines().count(), given + 2 * moves);
    }
    assert!(sheet.is_over());
}

#[test]
fn damaged_drawings_are_refused_or_drawn_without_a_crossing() {
    let mut random = fastrand::Rng::with_seed(11);
    let edits = Sheet::of(&position("0*2.AB|0.1a1a.AB"))
        .expect("a drawing")
        .edits();
    let whole = code(&edits);
    let (mut refused, mut drawn) = (0, 0);
    for _ in 0..2000 {
        let mut bytes = whole.clone().into_bytes();
        let at = random.usize(..bytes.len());
        bytes[at] = b"ABCDEFGHXYZabcxyz0189-_slLSecxm"[random.usize(..31)];
        let text = String::from_utf8(bytes).expect("ASCII");
        let mut rest = &*text;
        let mut sheet = Ok(Sheet::start(0));
        while let Ok(before) = &sheet {
            match Edit::first(rest) {
                Ok(Some((edit, left))) => (sheet, rest) = (before.edited(&edit), left),
                Ok(None) => break,
                Err(_) => sheet = Err(EditError::Missing),
            }
        }
        match sheet {
            Ok(sheet) => {
                check_lines(&sheet);
                let _: Position = sheet.position();
                drawn += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && drawn > 100, "{refused} {drawn}");
    for wrong in [
        "q", "s", "sAB", "lAB", "x", "cA", "é", "sABCé", "~AAAAAA", ".AAAAAA",
    ] {
        assert!(Edit::first(wrong).is_err(), "{wrong}");
    }
    assert!(Stroke::decode("sAAAA").is_err());
}

/// Whether a free drawing is the position with this text, which names its game.
fn is_drawn(sheet: &Sheet, text: &str) -> bool {
    let (game, position) = sproutnet_game::parse(text).expect(text);
    check_lines(sheet);
    game.name() == sheet.drawn_game().rules().name() && sheet.drawn_position() == position
}

#[test]
fn crosses_are_put_on_the_sheet() {
    let spot = spots(&[(200.0, 500.0)]);
    let put = spot.put_cross(Point::new(600.0, 500.0)).expect("room");
    let both = spot.edited(&put).expect("a cross");
    assert!(is_drawn(&both, "mixed:0.x"), "{}", both.text());
    assert_eq!((both.all_lives(), both.has_crosses()), (7, true));
    let alone = both.edited(&Edit::RemoveSpot(0)).expect("removed");
    assert!(is_drawn(&alone, "brussels:x"), "{}", alone.text());
    // The left end of the cross takes a line.
    let ends = both.spots().iter().enumerate().skip(1);
    let (left, at) = ends
        .min_by(|(_, a), (_, b)| a.x.total_cmp(&b.x))
        .expect("ends");
    assert!(both.is_end(left) && both.lives(left) == 1);
    let joined = with_line(&both, &[(200.0, 500.0), (at.x, at.y)]);
    assert!(is_drawn(&joined, "mixed:1222}"), "{}", joined.text());
    assert_eq!(joined.lives(left), 0);
    // The new line is the last one, after the four arms.
    let barred = joined.edited(&Edit::Bar(4)).expect("room");
    assert!(is_drawn(&barred, "mixed:122222}"), "{}", barred.text());
    for sheet in [&both, &joined, &barred, &alone] {
        assert_eq!(read(&code(&sheet.edits())), *sheet);
        let even = sheet.edited(&Edit::Even).expect("evened out");
        assert_eq!(even.drawn_position(), sheet.drawn_position());
        assert!(sheet.fits_a_match());
        let start = Arc::new(sheet.clone()).as_start();
        assert_eq!(start.game(), sheet.drawn_game());
        assert_eq!(start.position(), sheet.drawn_position());
    }
    // As many as at the largest start fit a match, one more does not.
    let mut many = Sheet::start(0);
    for (x, y) in [
        (150.0, 250.0),
        (450.0, 250.0),
        (750.0, 250.0),
        (150.0, 700.0),
        (450.0, 700.0),
    ] {
        let put = many.put_cross(Point::new(x, y)).expect("room");
        many = many.edited(&put).expect("a cross");
        assert!(many.fits_a_match(), "{}", many.text());
    }
    let put = many.put_cross(Point::new(750.0, 700.0)).expect("room");
    assert!(!many.edited(&put).expect("a cross").fits_a_match());
    // Crosses stay whole.
    for edit in [Edit::RemoveLine(0), Edit::Divide(0), Edit::Bar(0)] {
        assert_eq!(joined.edited(&edit), Err(EditError::OfCross), "{edit:?}");
    }
    let half = barred.ends().count() - 4;
    assert!(barred.is_at_middle(half) && !barred.is_arm(half));
    assert_eq!(
        barred.edited(&Edit::RemoveLine(half)),
        Err(EditError::OfCross)
    );
    // The second cross cannot stay without the first one, which has one of its lines.
    let gone = barred.edited(&Edit::RemoveSpot(left)).expect("removed");
    assert_eq!(gone.drawn_game(), SheetGame::Sprouts);
    assert_eq!((gone.spots().len(), gone.position()), (1, position("0*1")));
}

#[test]
fn crosses_that_cannot_be_put_are_refused() {
    let spot = spots(&[(200.0, 500.0)]);
    let put = |x: f64, y: f64| spot.put_cross(Point::new(x, y));
    assert_eq!(put(210.0, 500.0), Err(EditError::NearSpot(1)));
    assert_eq!(put(10.0, 100.0), Err(EditError::NoRoom));
    let cross = spot
        .edited(&put(600.0, 500.0).expect("room"))
        .expect("a cross");
    assert_eq!(
        cross.put(Point::new(610.0, 510.0)),
        Err(EditError::NearCross)
    );
    // A middle without its arms, and an end without a middle.
    for part in [Edit::Middle, Edit::End] {
        let sheet = spot
            .edited(&part(Point::new(600.0, 500.0)))
            .expect("a part");
        assert!(!sheet.are_crosses_whole());
        assert_eq!(sheet.edited(&Edit::Given), Err(EditError::Incomplete));
    }
}
