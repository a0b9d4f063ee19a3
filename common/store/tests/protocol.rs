//! The test vectors of `docs/reference/protocol.md` are the bytes that the program writes and reads.

use sproutnet_game::{self as game, Position};
use sproutnet_record::{Fact, varint};
use sproutnet_solver::play::{
    Convention, GameKnowledge, Knowledge, Play, Record, RecordRules, State,
};
use sproutnet_store::{Sourced, Worth, block};

const PAGE: &str = include_str!("../../../docs/reference/protocol.md");

/// A row of the table: the kind of bytes, their meaning, and the bytes.
struct Vector<'a> {
    kind: &'a str,
    meaning: &'a str,
    bytes: Vec<u8>,
}

fn vectors() -> Vec<Vector<'static>> {
    let (_, section) = PAGE.split_once("\n## Test vectors\n").expect("the section");
    let rows = section.lines().filter(|line| line.ends_with("` |"));
    let rows = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches(['|', ' ']).split(" | ").collect();
        let [kind, meaning, hex] = cells[..] else {
            panic!("a row of three cells: {row}");
        };
        let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        Vector {
            kind,
            meaning,
            bytes: digits.chunks(2).map(byte).collect(),
        }
    });
    rows.collect()
}

/// A position in backquotes, and its game.
fn position<'a>(knowledge: &'a Knowledge, meaning: &str) -> (&'a GameKnowledge, Position) {
    let (game, position) = game::parse(meaning.trim_matches('`')).expect("a position");
    (knowledge.game(game.name()).expect("its game"), position)
}

/// The bytes of the state of a position whose small lands are folded into its value.
fn state<C: Convention>(convention: &C, position: &Position) -> Vec<u8> {
    let mut state = convention.state(position);
    assert_eq!(convention.fold(&mut state), None, "a land is left");
    let bytes = state.encode(convention).expect("a short value");
    assert_eq!(State::decode(&bytes, convention).expect("a state"), state);
    bytes
}

/// The key of the record about a position.
fn key(known: &GameKnowledge, play: Play, position: &Position) -> Box<[u8]> {
    let subject = match play {
        Play::Normal => position.lands()[0].as_bytes().to_vec(),
        Play::Misere => state(&*known.misere, position),
    };
    Record::new(known.game().code(), play, &subject, 0).key
}

/// A block in words: its records in order, with their worths.
fn describe(knowledge: &Knowledge, bytes: &[u8]) -> String {
    let records = block::decode(bytes).expect("a block");
    let again = records
        .iter()
        .map(|record| Sourced::of(&record.record, record.source));
    assert_eq!(block::encode(again).expect("in order"), bytes);
    let describe = |Record { key, value, worth }: &Record| {
        knowledge.admit(key, *value).expect("well-formed");
        let (key, value) = (
            knowledge.describe_key(key),
            knowledge.describe_value(key, *value),
        );
        format!("{key}: {value}, worth {}", worth.log2())
    };
    let words: Vec<String> = records
        .iter()
        .map(|record| describe(&record.record))
        .collect();
    words.join("; ")
}

#[test]
fn the_vectors_of_the_page_are_those_of_the_program() {
    let knowledge = Knowledge::default();
    let vectors = vectors();
    assert!(vectors.len() >= 12, "{}", vectors.len());
    let mut wrong = Vec::new();
    for Vector {
        kind,
        meaning,
        bytes,
    } in &vectors
    {
        let expected = match *kind {
            "number" => {
                let mut number = Vec::new();
                varint::write(&mut number, meaning.parse().expect("a number"));
                number
            }
            "land" => {
                let (_, position) = position(&knowledge, meaning);
                position.lands()[0].as_bytes().to_vec()
            }
            "state, normal play" => {
                let (known, position) = position(&knowledge, meaning);
                state(&*known.normal, &position)
            }
            "state, misère play" => {
                let (known, position) = position(&knowledge, meaning);
                state(&*known.misere, &position)
            }
            "key, normal play" => {
                let (known, position) = position(&knowledge, meaning);
                key(known, Play::Normal, &position).into()
            }
            "key, misère play" => {
                let (known, position) = position(&knowledge, meaning);
                key(known, Play::Misere, &position).into()
            }
            "fact, normal play" | "fact, misère play" => {
                let play = if kind.contains("normal") {
                    Play::Normal
                } else {
                    Play::Misere
                };
                let value = varint::read(&mut &bytes[..]).expect("a number");
                let fact = Fact::read(play, value).expect("a fact");
                assert_eq!(fact.to_string(), *meaning);
                continue;
            }
            "block" => {
                assert_eq!(describe(&knowledge, bytes), meaning.replace('`', ""));
                continue;
            }
            kind => panic!("an unknown kind: {kind}"),
        };
        if *bytes != expected {
            wrong.push(format!("{kind} {meaning}: {expected:02x?}"));
        }
    }
    assert!(wrong.is_empty(), "these differ:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_of_games_has_every_code() {
    for game in game::all() {
        let (name, code) = (game.name(), game.code().0);
        let version = game.info().encoding_version;
        let row = format!("| `{name}` | `{code:02x}` | {version} |");
        assert!(PAGE.contains(&row), "no row {row}");
    }
}

#[test]
fn the_limits_of_the_page_are_those_of_the_program() {
    let limits = [
        format!("up to {} records", block::RECORDS),
        format!("up to {} bytes", block::MAX_KEY),
        format!("| format | 1 byte: {} |", block::FORMAT),
        format!("from 0 to {}", Worth::MOST.log2()),
    ];
    for limit in limits {
        assert!(PAGE.contains(&limit), "the page does not say: {limit}");
    }
}
