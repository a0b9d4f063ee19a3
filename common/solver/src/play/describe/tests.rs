use super::*;
use crate::play::{Misere, Record};

fn record(text: &str, play: Play, value: u64) -> Record {
    let (game, position) = game::parse(text).unwrap();
    let known = Knowledge::default();
    let misere: &Misere = &known.game(game.name()).unwrap().misere;
    let subject = match play {
        Play::Normal => position.lands()[0].as_bytes().to_vec(),
        Play::Misere => misere.state(&position).encode(misere).unwrap(),
    };
    Record::new(game.code(), play, &subject, value)
}

#[test]
fn records_are_described_by_positions() {
    let rules = Knowledge::default();
    let describe = |text, play, value| {
        let Record { key, value, .. } = record(text, play, value);
        rules.check(&key, value).unwrap();
        let texts = (rules.describe_key(&key), rules.describe_value(&key, value));
        format!("{}: {}", texts.0, texts.1)
    };
    assert_eq!(describe("0*7", Play::Normal, 3), "0*7 normal: nimber 1");
    assert_eq!(
        describe("kayles:9", Play::Normal, 0b1010),
        "kayles:9 normal: nimber not 0, 2"
    );
    assert_eq!(describe("0*4+0*5", Play::Misere, 0), "0*4+0*5 misere: loss");
    assert_eq!(rules.describe_key(b"xyz"), "78797a");
    assert_eq!(rules.describe_value(b"xyz", 7), "7");
}

#[test]
fn kinds_follow_from_keys() {
    let key = record("kayles:9", Play::Misere, 1).key;
    let rules = Knowledge::default();
    let kind = rules.kind(&key).unwrap();
    assert_eq!((kind.game, kind.play), ("kayles", Play::Misere));
    assert_eq!(rules.kind(b"?n"), None);
    assert_eq!(rules.kind(b""), None);
}
