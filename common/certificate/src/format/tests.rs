//! Certificates are written and read, and other files are refused.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::*;
use sproutnet_notation::{Outcome, Play};

const FACTS: [&str; 5] = [
    "0 = 0",
    "0*3.AB|0.AB = (2 3)+1",
    "0*2 lost",
    "0*3.AB|1.AB+0*2 & 2 & (2 (2 3)+1) lost",
    "0*3.1a1a & 1 lost",
];

fn claim() -> Claim {
    Claim {
        game: Ruleset::Sprouts,
        play: Play::Misere,
        position: "0*5".to_owned(),
        outcome: Outcome::Win,
        small: 8,
        tool: "sproutnet 0.1.0".to_owned(),
    }
}

fn written(facts: &[&str]) -> Vec<u8> {
    let facts: Vec<Fact> = facts.iter().map(|fact| fact.parse().expect(fact)).collect();
    let mut file = Vec::new();
    write(claim(), &facts, &mut file).expect("memory");
    file
}

fn text_of(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("gzip");
    text
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text).expect("memory");
    gzip.finish().expect("memory")
}

fn read(file: &[u8]) -> Result<Vec<Line>, CertificateError> {
    let mut reader = Reader::new(file)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.next_fact()? {
        lines.push(line);
    }
    Ok(lines)
}

fn refusal(file: &[u8]) -> String {
    read(file).expect_err("no certificate").to_string()
}

#[test]
fn what_is_written_is_read() {
    let file = written(&FACTS);
    let reader = Reader::new(&file[..]).expect("a header");
    assert_eq!(reader.header().claim, claim());
    assert_eq!(reader.header().facts, 5);
    let lines = read(&file).expect("a certificate");
    let numbered: Vec<(u64, String)> = lines
        .iter()
        .map(|line| (line.number, line.fact.to_string()))
        .collect();
    let expected: Vec<(u64, String)> = (11..).zip(FACTS.map(str::to_owned)).collect();
    assert_eq!(numbered, expected);
    let text = text_of(&file);
    assert!(text.starts_with("sproutnet certificate 1\ngame: sprouts\nplay: misere\n"));
    assert!(text.ends_with("\n\n0 = 0\n0*3.AB|0.AB = (2 3)+1\n0*2 lost\n0*3.AB|1.AB+0*2 & 2 & (2 (2 3)+1) lost\n0*3.1a1a & 1 lost\n"));
}

#[test]
fn no_facts_are_a_file_as_well() {
    assert_eq!(read(&written(&[])).expect("a certificate"), []);
}

#[test]
fn bad_lines_are_told_with_their_place() {
    for (fact, column) in [
        ("", 1),
        ("0*2", 1),
        ("0*2 = ", 7),
        (" = 2", 1),
        ("0*2 = 02", 7),
        ("0*2 = 1000", 7),
        ("0*2 = 99999999999999999999", 7),
        ("0*2 = 1 2", 8),
        ("0*2 = (2", 9),
        ("0*2 = ()", 8),
        ("0*2 = (2  3)", 10),
        ("0*2 = (2 3)+2", 12),
        ("0*2 = (2 3) ", 12),
        ("0 2 = 1", 2),
        ("0*2 & lost", 1 + 3),
        ("0*2 & 2 & x lost", 11),
        ("0*2 &  & 2 lost", 7),
        (" lost", 1),
    ] {
        let error = fact.parse::<Fact>().expect_err(fact);
        assert_eq!(error.column, column, "`{fact}`: {error}");
    }
    let deep = format!("0 = {}0{}", "(".repeat(200), ")".repeat(200));
    let error = deep.parse::<Fact>().expect_err("too deep");
    assert!(error.problem.contains("nested deeper"), "{error}");
}

#[test]
fn a_file_that_is_not_as_its_header_says_is_refused() {
    let file = written(&FACTS);
    let text = text_of(&file);
    let with = |from: &str, to: &str| refusal(&zipped(text.replacen(from, to, 1).as_bytes()));
    for (from, to, message) in [
        ("certificate 1", "certificate 2", "line 1, column 1"),
        ("sprouts", "kayles", "line 2, column 7: expected sprouts"),
        (
            "misere",
            "reverse",
            "line 3, column 7: expected normal or misere",
        ),
        (
            "position: ",
            "position:",
            "line 4, column 1: expected `position: …`",
        ),
        (
            "0*5",
            "0 5",
            "line 4, column 12: a position is written without blanks",
        ),
        ("win", "draw", "line 5, column 10: expected win or loss"),
        (
            "small: 8",
            "small: 08",
            "line 6, column 8: expected a number from 0 to 99",
        ),
        (
            "small: 8",
            "small: 100",
            "line 6, column 8: expected a number from 0 to 99",
        ),
        (
            "0.1.0",
            "0.1.\t",
            "line 7, column 21: expected printable ASCII",
        ),
        (
            "facts: 5",
            "facts: 6",
            "the header announces 6 facts, but the file has 5",
        ),
        (
            "facts: 5",
            "facts: 4",
            "the header announces 4 facts, but the file has 5",
        ),
        (
            "sha256: ",
            "sha256: 0",
            "line 9, column 9: expected 64 lowercase hexadecimal digits",
        ),
        ("\n\n", "\n \n", "line 10, column 1: expected an empty line"),
        (
            "0*2 lost",
            "0*2 won",
            "line 13, column 1: expected `LAND = VALUE`",
        ),
        (
            "0*2 lost",
            "0*4 lost",
            "the checksum does not match the facts",
        ),
    ] {
        let refusal = with(from, to);
        assert!(refusal.starts_with(message), "{to}: {refusal}");
    }
    assert!(refusal(b"").starts_with("line 1: "));
    assert!(refusal(b"sproutnet certificate 1").starts_with("line 1: "));
    assert_eq!(
        refusal(&[&file[..], b"x"].concat()),
        "there is data after the end of the certificate"
    );
    assert_eq!(
        refusal(&[&file[..], &zipped(b"")].concat()),
        "there is data after the end of the certificate"
    );
    let cut = text.trim_end();
    assert_eq!(
        refusal(&zipped(cut.as_bytes())),
        "line 15, column 18: expected the end of the line"
    );
    for length in 0..file.len() {
        read(&file[..length]).expect_err("cut short");
    }
}

#[test]
fn long_lines_are_not_kept() {
    let long = format!("{FIRST_LINE}\n{}", "x".repeat(3 * MAX_LINE));
    let text = refusal(&zipped(long.as_bytes()));
    assert!(
        text.starts_with("line 2, column 1048577: the line is longer"),
        "{text}"
    );
}
