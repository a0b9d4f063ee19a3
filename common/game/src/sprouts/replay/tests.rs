use super::*;
use crate::Game;
use sproutnet_notation::Play;
use sproutnet_notation::matches;

/// Published matches; each source is named.
const PUBLISHED: &str = include_str!("published.txt");

fn record(text: &str) -> Record {
    let mut records = matches::read(text).expect("a record");
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn positions(text: &str) -> Vec<String> {
    let replay = replay(&record(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
    let positions = replay.positions.iter();
    positions.map(|position| Sprouts.print(position)).collect()
}

fn canonical(text: &str) -> String {
    Sprouts.print(&Sprouts.parse(text).expect("a position"))
}

#[test]
fn moves_have_the_positions_of_the_drawing() {
    for (text, drawn) in [
        ("5+ 1(6)2", "0*3.1a1a"),
        ("5+ 1(6)1[2]", "0.AB|0*3.AB"),
        ("5+ 1(6)1[3-5]", "0.AB|0*3.AB"),
        ("5+ 1(6)1", "AB|0*4.AB"),
        ("4+ 1(5)2 1(6)2[3]", "0.ABCD|0.ABCD"),
        ("4+ 1(5)2 1(6)2", "ABCD|0*2.ABCD"),
        // The spots on one side are enough, whether that of the list or the other.
        ("4+ 1(5)2 3(6)4 1(7)2[3,4]", "ABCD|1a1a.ABCD"),
        // Spot 1 is joined inside the loop, or outside: the other spot is on one side alone.
        ("4+ 1(5)1[2] 1(6)2", "Aa1a|0*2.A"),
        ("4+ 1(5)1[2] 1(6)3", "0.A|0.Aa1a"),
    ] {
        let last = positions(text).pop().expect("a start");
        assert_eq!(last, canonical(drawn), "{text}");
    }
}

#[test]
fn illegal_moves_are_refused_with_the_reason() {
    for (text, number, why) in [
        ("3+ 1(5)2", 1, Illegal::NewSpot(4)),
        ("3+ 1(4)2 1(6)2", 2, Illegal::NewSpot(5)),
        ("3+ 1(4)9", 1, Illegal::NoSpot(9)),
        ("3+ 1(4)4", 1, Illegal::NoSpot(4)),
        ("3+ 1(4)2[8]", 1, Illegal::NoSpot(8)),
        ("3+ 1(4)1 1(5)4 1(6)2", 3, Illegal::Dead(1)),
        ("3+ 1(4)1 1(5)1", 2, Illegal::Loop(1)),
        ("4+ 1(5)1[2] 2(6)3", 2, Illegal::Apart(2, 3)),
        ("3+ 1(4)2[3]", 1, Illegal::Separated(1, 2)),
        ("4+ 1(5)1[2] 3(6)3[2]", 2, Illegal::Separated(3, 3)),
        ("4+ 1(5)1[2] 1(6@3)5[2]", 2, Illegal::Beside(3)),
        ("4+ 1(5)1[2] 1(6)5/3", 2, Illegal::Reading(3)),
        ("4+ 1(5)1[2]/2", 1, Illegal::Reading(2)),
    ] {
        let error = replay(&record(text)).expect_err(text);
        let ReplayError::Illegal {
            number: at,
            why: found,
            ..
        } = error
        else {
            panic!("{text}: {error}");
        };
        assert_eq!(at, number, "{text}");
        assert_eq!(found, why, "{text}");
    }
}

#[test]
fn later_moves_settle_earlier_ones() {
    // Spots 1 and 5 are met on both sides of the loop, and the new spot 6 is on one of them.
    let both = "4+ 1(5)1[2] 1(6)5";
    let error = replay(&record(both)).expect_err("two sides");
    let ReplayError::Ambiguous {
        number, readings, ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!((number, readings.len()), (2, 2));
    for (position, exact) in readings {
        let text = format!("4+ 1(5)1[2] {exact}");
        assert_eq!(positions(&text)[2], Sprouts.print(&position), "{text}");
    }
    let settled = positions("4+ 1(5)1[2] 1(6)5 6(7)2");
    let said = positions("4+ 1(5)1[2] 1(6@2)5 6(7)2");
    assert_eq!(settled, said);
}

#[test]
fn published_matches() {
    let records = matches::read(PUBLISHED).expect("records");
    assert_eq!(records.len(), 13);
    let mut ambiguous = Vec::new();
    for record in &records {
        match replay(record) {
            Ok(replay) => {
                assert_eq!(replay.positions.len(), record.moves.len() + 1);
                let exact = Record {
                    moves: replay.moves(record),
                    ..record.clone()
                };
                let again = super::replay(&exact).expect("it has one meaning");
                assert_eq!(again.positions, replay.positions, "{record}");
            }
            Err(ReplayError::Ambiguous { number, .. }) => ambiguous.push((record.spots, number)),
            Err(error) => panic!("{record}: {error}"),
        }
    }
    // Spot 8 is met twice on the boundary that its loop cuts, and spot 5 can be with either part.
    assert_eq!(ambiguous, [(8, 11)]);
    assert!(records.iter().all(|record| record.winner.is_some()));
}

#[test]
fn random_matches_are_written_and_read() {
    let mut random = fastrand::Rng::with_seed(5);
    for spots in [2, 3, 4, 5] {
        for _ in 0..20 {
            let mut maps = vec![PlanarMap::start(spots)];
            loop {
                let moves = maps[maps.len() - 1].moves();
                let Some(next) = random.choice(moves) else {
                    break;
                };
                maps.push(next);
            }
            let positions: Vec<Position> = maps.iter().map(Sprouts::on_map).collect();
            let moves = through(spots as u32, &positions).expect("a move for each");
            let written = Record {
                spots: spots as u32,
                play: Play::Normal,
                players: None,
                moves,
                winner: None,
            };
            let read = record(&written.to_string());
            assert_eq!(read, written);
            let replay = replay(&read).unwrap_or_else(|error| panic!("{read}: {error}"));
            assert_eq!(replay.positions, positions, "{read}");
        }
    }
}
