//! Matches from many spots.

use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{MOST_LIVES, MOST_SPOTS, Mark, Revision, Sheet, Stroke};

use crate::drawing_sheet::check_lines;

/// The maximum number of ways to join two spots that are looked at.
const MOST_WAYS: usize = 100;

/// A line between spots that are near each other; `None` if there is no room for one.
fn near_line(sheet: &Sheet) -> Option<Stroke> {
    let spots = sheet.spots();
    let mut pairs = Vec::new();
    for one in 0..spots.len() {
        let others = sheet.partners(one).into_iter();
        pairs.extend(
            others
                .filter(|&other| other >= one)
                .map(|other| (one, other)),
        );
    }
    let distance = |&(one, other): &(usize, usize)| spots[one].distance(spots[other]);
    // Loops come last.
    pairs.sort_by(|a, b| {
        let is_loop = |&(one, other): &(usize, usize)| one == other;
        is_loop(a)
            .cmp(&is_loop(b))
            .then(distance(a).total_cmp(&distance(b)))
    });
    pairs.into_iter().find_map(|(one, other)| {
        let choices = sheet.options_if_few(one, other, MOST_WAYS);
        choices.iter().find_map(|choice| sheet.route(choice))
    })
}

#[test]
fn spots_are_apart_at_the_start_of_a_match() {
    for count in 1..=MOST_SPOTS {
        let sheet = Sheet::start(count);
        assert_eq!((sheet.spots().len(), sheet.moves()), (count, 0));
        assert!(sheet.fits_a_match(), "{count}");
        for (i, spot) in sheet.spots().iter().enumerate() {
            let mut others = sheet.spots()[..i].iter();
            assert!(others.all(|other| spot.distance(*other) > 140.0), "{count}");
        }
    }
    assert_eq!(Sheet::start(MOST_SPOTS).all_lives(), MOST_LIVES);
}

#[test]
fn a_match_from_many_spots_is_drawn_on_one_sheet() {
    for count in [13, MOST_SPOTS] {
        let mut sheet = Sheet::start(count);
        let mut strokes = Vec::new();
        while let Some(stroke) = near_line(&sheet) {
            sheet = sheet.play(&stroke).expect("it can be drawn");
            strokes.push(stroke);
        }
        check_lines(&sheet);
        assert!(2 * strokes.len() > 3 * count, "{} lines", strokes.len());
        let code: String = strokes.iter().map(Stroke::code).collect();
        assert_eq!(Stroke::decode(&code), Ok(strokes));
    }
}

#[test]
fn spots_with_large_numbers_are_written_and_read() {
    for ends in [[0, 63], [63, 64], [70, 5], [78, 78]] {
        let stroke = Stroke {
            ends,
            points: vec![Point::new(4.0, 8.25)],
            spot: 0,
            mark: Mark::Spot,
            is_tidied: true,
            revision: Revision::First,
        };
        let text = stroke.code();
        assert_eq!(text.starts_with(':'), ends.iter().any(|&end| end > 63));
        assert_eq!(Stroke::decode(&text), Ok(vec![stroke]));
    }
    for wrong in [":", ":*", ":.A", "::.AAAAAAAA", ":.AAAAAA"] {
        assert!(Stroke::decode(wrong).is_err(), "{wrong}");
    }
}
