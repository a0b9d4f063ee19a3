use super::*;
use sproutnet_game as game;
use sproutnet_solver::play::{Outcome, Record, Rules};

#[test]
fn records_in_words() {
    let knowledge = Knowledge::default();
    let known = knowledge.game("sprouts").expect("a game");
    let (game, position) = game::parse("0*8").expect("a position");
    let land = position.lands()[0].as_bytes();
    let key = Record::new(game.code(), Play::Normal, land, 0).key;
    for (value, text) in [
        (5, "normal 0*8: nimber 2"),
        (0b1010, "normal 0*8: nimber not 0, 2"),
    ] {
        let described = describe(&knowledge, &key, value).expect("canonical");
        assert_eq!(described.to_string(), text);
    }
    let state = known.misere.state(&position).encode(&*known.misere);
    let record = known.record_of(Play::Misere, &state.expect("small"), Outcome::Loss);
    let record = record.expect("small");
    let described = describe(&knowledge, &record.key, record.value).expect("canonical");
    assert_eq!(described.to_string(), "misere 0*8: loss");
    assert_eq!(super::describe(&knowledge, b"nothing", 1), None);
}
