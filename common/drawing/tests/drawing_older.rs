//! Matches that were drawn by an older revision of the rule by which the board makes room.

use crate::drawing_sheet::random_move;
use sproutnet_drawing::sheet::{Revision, Sheet, Stroke};

/// Random matches to the end: the number of spots, the moves, and the text of the last drawing.
const MATCHES: &str = include_str!("data/matches-of-the-first-revision.tsv");

fn matches() -> impl Iterator<Item = (Sheet, Vec<Stroke>, &'static str)> {
    MATCHES.lines().map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let spots = columns[0].parse().expect("a number");
        let strokes = Stroke::decode(columns[1]).expect("a code");
        (Sheet::start(spots), strokes, columns[2])
    })
}

#[test]
fn older_matches_are_replayed_as_they_were_drawn() {
    for (start, strokes, text) in matches() {
        let spots = start.spots().len();
        let mut sheet = start;
        for (i, stroke) in strokes.iter().enumerate() {
            assert_eq!(stroke.revision, Revision::First);
            sheet = sheet
                .play(stroke)
                .unwrap_or_else(|error| panic!("{spots} spots, move {}: {error}", i + 1));
        }
        assert_eq!(sheet.text(), text, "{spots} spots");
        assert!(sheet.is_over(), "{spots} spots");
    }
}

/// Otherwise, the test above would not need the revision.
#[test]
fn the_newest_revision_would_refuse_some_of_them() {
    let is_refused = |(start, strokes, _): (Sheet, Vec<Stroke>, &str)| {
        let mut strokes = strokes.into_iter();
        let end = strokes.try_fold(start, |sheet, stroke| {
            sheet.play(&Stroke {
                revision: Revision::default(),
                ..stroke
            })
        });
        end.is_err()
    };
    assert!(matches().any(is_refused));
}

/// An older match goes on by the newest revision, and its code keeps the revision of each move.
#[test]
fn an_older_match_goes_on() {
    let (start, strokes, _) = matches().last().expect("a match");
    let mut older = strokes;
    older.truncate(4);
    let play = |sheet: Sheet, stroke: &Stroke| sheet.play(stroke).expect("a move");
    let sheet = older.iter().fold(start.clone(), play);
    let (newer, _) = random_move(&sheet, &mut fastrand::Rng::with_seed(1)).expect("a move");
    assert_eq!(newer.revision, Revision::Returns);
    let moves = [older, vec![newer]].concat();
    let code: String = moves.iter().map(Stroke::code).collect();
    assert_eq!(Stroke::decode(&code).as_deref(), Ok(&moves[..]));
    assert_eq!(moves.iter().fold(start, play).moves(), 5);
}
