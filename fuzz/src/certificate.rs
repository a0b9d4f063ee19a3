//! Certificates of outcomes.

use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use sproutnet_certificate::format::{Claim, Fact, Reader, Ruleset, Value, write};
use sproutnet_certificate::{Options, verify};
use sproutnet_game::{Game, Position, by_name};
use sproutnet_solver::play::{Outcome, Play};

use super::truth::Truth;

/// The maximum number of moves of a certificate that is checked, since a check takes time.
const MOST_MOVES: u32 = 9;

/// The maximum number of facts of a certificate that is checked.
const MOST_FACTS: usize = 400;

/// The maximum size of values of facts that are played out.
const MOST_SIZE: usize = 14;

/// The memory for the checker, in bytes.
const MEMORY: usize = 64 << 20;

/// A certificate is written as it was read. A certificate that the checker accepts is true.
///
/// The bytes are taken as a file, and again as its text, with a corrected count and checksum.
pub fn certificate(bytes: &[u8]) {
    of_file(bytes);
    let text = counted(bytes);
    let file = zipped(&text);
    if let Some(claim) = of_file(&file)
        && is_small(&*game(claim.game), &claim.position)
        && lands_are_small(&*game(claim.game), &text)
    {
        check(&file);
    }
}

/// The text with a correct number of facts and checksum in its header, if it has a header.
fn counted(text: &[u8]) -> Vec<u8> {
    let Some(end) = text.windows(2).position(|pair| pair == b"\n\n") else {
        return text.to_vec();
    };
    let (head, facts) = (&text[..=end], &text[end + 2..]);
    let count = facts.split(|&byte| byte == b'\n').count() - 1;
    let mut counted = Vec::new();
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"facts: ") {
            counted.extend(format!("facts: {count}\n").bytes());
        } else if line.starts_with(b"sha256: ") {
            counted.extend(b"sha256: ");
            for byte in Sha256::digest(facts) {
                counted.extend(format!("{byte:02x}").bytes());
            }
            counted.push(b'\n');
        } else {
            counted.extend(line);
        }
    }
    counted.push(b'\n');
    counted.extend(facts);
    counted
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text).expect("memory");
    gzip.finish().expect("memory")
}

fn unzipped(file: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut gzip = GzDecoder::new(file);
    gzip.read_to_end(&mut text).expect("a gzip stream");
    text
}

/// The claim of the file, if it is a certificate. Asserts that the certificate is written as it was read.
fn of_file(file: &[u8]) -> Option<Claim> {
    let mut reader = Reader::new(file).ok()?;
    let mut facts = Vec::new();
    while let Some(line) = reader.next_fact().ok()? {
        facts.push(line.fact);
    }
    let claim = reader.header().claim.clone();
    let mut again = Vec::new();
    let written = write(claim.clone(), &facts, &mut again).expect("memory");
    assert_eq!(&written, reader.header());
    assert_eq!(unzipped(&again), unzipped(file));
    Some(claim)
}

fn game(ruleset: Ruleset) -> Arc<dyn Game> {
    by_name(ruleset.name()).expect("a game of the list")
}

fn is_small(game: &dyn Game, text: &str) -> bool {
    let position = game.parse(text);
    position.is_ok_and(|position| game.max_moves_of(&position) <= MOST_MOVES)
}

/// Whether there are few facts, all about positions with few moves. Other lines are ignored.
fn lands_are_small(game: &dyn Game, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let facts = text.split_once("\n\n").map_or("", |(_, facts)| facts);
    let position = |fact: Fact| match fact {
        Fact::Equals { land, .. } => land,
        Fact::Lost { position, .. } => position,
    };
    let mut positions = facts
        .lines()
        .filter_map(|fact| fact.parse().ok().map(position));
    facts.lines().count() <= MOST_FACTS && positions.all(|text| is_small(game, &text))
}

fn check(file: &[u8]) {
    let options = Options {
        cores: 1,
        memory: MEMORY,
    };
    let Ok(verified) = verify(file, &options) else {
        return;
    };
    let game = game(verified.header.claim.game);
    let mut truth = Truth::of(Arc::clone(&game));
    let Claim {
        play,
        position,
        outcome,
        ..
    } = verified.header.claim;
    let read = |text: &str| game.parse(text).expect("the checker read it");
    let told = match play {
        Play::Normal => Outcome::win_if(truth.nimber(&read(&position)) > 0),
        Play::Misere => truth.misere(&read(&position), &[]),
    };
    assert_eq!(told, outcome, "{position} under {play} play");
    for fact in verified.facts.iter().filter(|fact| is_plain(fact)) {
        match (fact, play) {
            (Fact::Equals { land, value }, Play::Normal) => {
                assert_eq!(*value, Value::Heap(truth.nimber(&read(land))), "{fact}");
            }
            (Fact::Lost { .. }, Play::Normal) => panic!("accepted under normal play: {fact}"),
            (Fact::Lost { position, values }, Play::Misere) => {
                let told = truth.misere(&read(position), values);
                assert_eq!(told, Outcome::Loss, "{fact}");
            }
            // Equal games have equal outcomes in every sum.
            (Fact::Equals { land, value }, Play::Misere) => {
                for company in [&[][..], &[1], &[2], &[3], &[2, 2], &[1, 2, 3]] {
                    let company: Vec<_> = company.iter().copied().map(Value::Heap).collect();
                    let of_land = truth.misere(&read(land), &company);
                    let of_value = truth.misere(
                        &Position::default(),
                        &[&company[..], std::slice::from_ref(value)].concat(),
                    );
                    assert_eq!(of_land, of_value, "{fact}, with {company:?}");
                }
            }
        }
    }
}

/// Whether the values in a fact are small enough to be played out.
fn is_plain(fact: &Fact) -> bool {
    let values = match fact {
        Fact::Equals { value, .. } => std::slice::from_ref(value),
        Fact::Lost { values, .. } => values,
    };
    values.iter().map(size).sum::<usize>() <= MOST_SIZE
}

/// The size of a value: a heap of five is as large as five heaps of one.
fn size(value: &Value) -> usize {
    match value {
        Value::Heap(size) => *size as usize,
        Value::Options { options, plus_one } => {
            let options = options.iter().map(|option| size(option) + 1);
            options.sum::<usize>() + usize::from(*plus_one)
        }
    }
}
