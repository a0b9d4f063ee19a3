use super::*;

fn one(text: &str) -> Record {
    let mut records = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

#[test]
fn records_are_written_as_they_are_read() {
    for text in [
        "8+",
        "8+ II",
        "8- 1(9)2 1(10)1[3,4] 3(11)10 I",
        "27- (A* - B + C) 1(28)2 1(29)1[2-7,9]",
        "14+ 1(15)2 10!(21)!20![7-9]/2 6(16@2)14/1 II",
    ] {
        assert_eq!(one(text).to_string(), text);
    }
}

#[test]
fn parts_of_a_move() {
    let record = one("9- 1 ( 10 @ 3 ) ! 2 ! [ 5 , 7–9, 3 ]");
    let expected = Move {
        from: 1,
        new: 10,
        beside: Some(3),
        to: 2,
        separated: vec![3, 5, 7, 8, 9],
        marks: [false, true, true],
        reading: None,
    };
    assert_eq!(record.moves, [expected]);
    assert_eq!(record.play, Play::Misere);
}

#[test]
fn several_records_and_comments() {
    let text = "# two\n8+ (a) 1(9)2 # good\n I\n\n 3- 1(4)1\n9+";
    let records = read(text).expect("records");
    let spots: Vec<u32> = records.iter().map(|record| record.spots).collect();
    assert_eq!(spots, [8, 3, 9]);
    assert_eq!(records[0].winner, Some(Player::First));
    assert_eq!(records[1].winner, None);
    assert_eq!(records[1].moves.len(), 1);
    assert_eq!(read(" \n# nothing\n"), Ok(Vec::new()));
}

#[test]
fn what_is_no_record() {
    for (text, place, problem) in [
        ("x", (1, 1), "expected a number of spots"),
        ("8 1(9)2", (1, 3), "expected `+` for normal"),
        ("0+", (1, 1), "expected a number up to 9999"),
        ("334+", (1, 1), "at most 333 spots"),
        (
            "8+\n1(9",
            (2, 4),
            "expected `)` after the new spot, found the end",
        ),
        ("8+ 1[9]2", (1, 5), "expected `(` after the first spot"),
        ("8+ 1(9)2[]", (1, 10), "expected a spot, found `]`"),
        ("8+ 1(9)2[4-3]", (1, 13), "ends before it begins"),
        ("8+ 1(9)2 III", (1, 13), "for the winner, found the end"),
        ("8+ (a", (1, 6), "expected `)` after the players"),
        ("8+ 1(9)2 resigns", (1, 10), "expected a move"),
        ("99999999999+", (1, 1), "expected a number up to 9999"),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!((error.line, error.column), place, "{text}: {error}");
        assert!(error.problem.contains(problem), "{text}: {error}");
    }
}
