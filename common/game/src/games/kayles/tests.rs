//! Text and options of rows.

use super::*;
use crate::Game;

#[test]
fn text_round_trip_and_errors() {
    let read = |text| Kayles.parse(text).map(|position| Kayles.print(&position));
    assert_eq!(read("5+3+0").as_deref(), Ok("3+5"));
    assert_eq!(read("0").as_deref(), Ok("0"));
    assert_eq!(read("5+x").map_err(|error| error.column), Err(3));
    assert!(read("").is_err() && read("-1").is_err() && read("10001").is_err());
}

#[test]
fn a_row_of_three_has_four_different_options() {
    let mut options = Vec::new();
    let row = Kayles.parse("3").unwrap();
    let [land] = row.lands() else {
        panic!("a row is a land");
    };
    assert_eq!(land.as_bytes(), [0, 3]);
    let end = Kayles.options(land, &mut |position| {
        options.push(Kayles.print(&position));
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(options, ["2", "1+1", "1"]);
}
