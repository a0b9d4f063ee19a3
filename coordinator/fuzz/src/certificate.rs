//! Certificates of outcomes.

use std::collections::HashMap;
use std::io::{Cursor, Read, Write};
use std::ops::ControlFlow;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use sproutnet_common::game::{Game, Position, Sprouts};
use sproutnet_common::play::{Outcome, Play};
use sproutnet_common::proof::certificate::{Claim, Fact, Reader, Value, Writer};
use sproutnet_common::proof::{Options, Proved, verify};

/// Whoever checks a certificate needs time for it, so that only those of few moves are checked.
const MOST_MOVES: u32 = 9;

/// So many facts.
const MOST_FACTS: usize = 400;

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
        && is_small(&claim.position)
        && lands_are_small(&text)
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
    let count = facts.iter().filter(|&&byte| byte == b'\n').count();
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
    let mut writer = Writer::new(Cursor::new(Vec::new()));
    while let Some(line) = reader.next_fact().ok()? {
        writer.fact(&line.fact).expect("memory");
    }
    let claim = reader.header().claim.clone();
    let mut again = Vec::new();
    let written = writer.finish(claim.clone(), &mut again).expect("memory");
    assert_eq!(&written, reader.header());
    assert_eq!(unzipped(&again), unzipped(file));
    Some(claim)
}

fn is_small(text: &str) -> bool {
    let position = Sprouts.parse(text);
    position.is_ok_and(|position| Sprouts.length_of(&position) <= MOST_MOVES)
}

/// Whether there are few facts, and all of them about positions of few moves. What is no fact is not
/// asked.
fn lands_are_small(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let facts = text.split_once("\n\n").map_or("", |(_, facts)| facts);
    let position = |fact: Fact| match fact {
        Fact::Equals { land, .. } => land,
        Fact::Lost { position, .. } => position,
    };
    let mut positions = facts
        .lines()
        .filter_map(|fact| fact.parse().ok().map(position));
    facts.lines().count() <= MOST_FACTS && positions.all(|text| is_small(&text))
}

fn check(file: &[u8]) {
    let options = Options {
        cores: 1,
        memory: MEMORY,
    };
    let mut facts = Vec::new();
    let mut proved = |proved: Proved<'_>| {
        if let Proved::Fact(fact) = proved {
            facts.push(fact.clone());
        }
    };
    let Ok(verified) = verify(file, &options, &mut proved) else {
        return;
    };
    let mut truth = Truth::default();
    let Claim {
        play,
        position,
        outcome,
        ..
    } = verified.header.claim;
    let is_true = |position: &str| Sprouts.parse(position).expect("the checker read it");
    assert_eq!(
        truth.outcome(&is_true(&position), play),
        outcome,
        "{position}, {play}"
    );
    for fact in facts {
        match (&fact, play) {
            (
                Fact::Equals {
                    land,
                    value: Value::Heap(size),
                },
                Play::Normal,
            ) => {
                assert_eq!(truth.nimber(&is_true(land)), *size, "{fact}");
            }
            (Fact::Equals { .. }, Play::Normal) => panic!("accepted under normal play: {fact}"),
            (Fact::Lost { position, values }, Play::Misere) if values.is_empty() => {
                let outcome = truth.outcome(&is_true(position), play);
                assert_eq!(outcome, Outcome::Loss, "{fact}");
            }
            (Fact::Lost { .. }, Play::Normal) => panic!("accepted under normal play: {fact}"),
            // A heap is won by who takes all but one, or the last but one.
            (
                Fact::Equals {
                    land,
                    value: Value::Heap(size),
                },
                Play::Misere,
            ) => {
                let outcome = truth.outcome(&is_true(land), play);
                assert_eq!(outcome, Outcome::win_if(*size != 1), "{fact}");
            }
            _ => {}
        }
    }
}

/// What is so by the rules, found in the plainest way.
#[derive(Default)]
struct Truth {
    nimbers: HashMap<Position, u32>,
    misere: HashMap<Position, Outcome>,
}

impl Truth {
    fn outcome(&mut self, position: &Position, play: Play) -> Outcome {
        match play {
            Play::Normal => Outcome::win_if(self.nimber(position) > 0),
            Play::Misere => self.misere(position),
        }
    }

    fn nimber(&mut self, position: &Position) -> u32 {
        if let Some(&known) = self.nimbers.get(position) {
            return known;
        }
        let options = options(position);
        let found: Vec<u32> = options.iter().map(|option| self.nimber(option)).collect();
        let nimber = (0..).find(|nimber| !found.contains(nimber));
        let nimber = nimber.expect("one is none of so many");
        self.nimbers.insert(position.clone(), nimber);
        nimber
    }

    /// A player who cannot move wins.
    fn misere(&mut self, position: &Position) -> Outcome {
        if let Some(&known) = self.misere.get(position) {
            return known;
        }
        let options = options(position);
        let mut wins = options.is_empty();
        for option in &options {
            wins = wins || self.misere(option) == Outcome::Loss;
        }
        self.misere.insert(position.clone(), Outcome::win_if(wins));
        Outcome::win_if(wins)
    }
}

fn options(position: &Position) -> Vec<Position> {
    let mut options = Vec::new();
    let end = Sprouts.moves(position, &mut |option| {
        options.push(option);
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    options.sort_unstable();
    options.dedup();
    options
}
