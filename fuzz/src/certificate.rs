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

/// Whoever checks a certificate needs time for it, so that only those of few moves are checked.
const MOST_MOVES: u32 = 9;

/// So many facts.
const MOST_FACTS: usize = 400;

/// Values of facts that are played out are no larger.
const MOST_SIZE: usize = 14;

/// The memory for the checker, in bytes.
const MEMORY: usize = 64 << 20;

/// What is read of a certificate would be written again. Whatever a certificate says, what the checker
/// accepts is true.
///
/// The bytes are taken as a file, and as the text in one, whose count and checksum are made right.
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

/// The text with the number of its facts and their checksum in its header, if it has one.
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

/// What the file claims, if it is a certificate, which is then written as it was read.
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

/// Whether there are few facts, and all of them about positions of few moves. What is no fact is not
/// asked.
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
            // Equal games have equal outcomes in any company.
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

/// How large a value is: a heap of five is as large as five of one.
fn size(value: &Value) -> usize {
    match value {
        Value::Heap(size) => *size as usize,
        Value::Options { options, plus_one } => {
            let options = options.iter().map(|option| size(option) + 1);
            options.sum::<usize>() + usize::from(*plus_one)
        }
    }
}
