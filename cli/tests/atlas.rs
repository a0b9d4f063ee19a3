//! The atlas: its list agrees with its certificates, and its outcomes are known to an empty store.

use std::fs;
use std::path::Path;

use sproutnet_model::proofs;
use sproutnet_notation::Play;
use tempfile::tempdir;

use crate::command::{Ended, LONG, Running, bare, json, run};

const ATLAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../atlas");

/// The number of facts below which the tests check a certificate.
const FEW: u64 = 3_000;

fn verify(atlas: &Path, names: &[&str]) -> Ended {
    let mut command = bare(&["atlas", "verify"]);
    command.arg("--atlas").arg(atlas).args(names);
    Running::start(command).end(LONG)
}

/// The text of a position in certificates: `0*1` is `0`.
fn canonical(position: &str) -> String {
    let (game, position) = sproutnet_game::parse(position).expect("a position");
    game.print(&position)
}

#[test]
fn winning_moves_in_the_list_are_facts_of_the_files() {
    for proof in proofs().iter().filter(|proof| proof.bytes < 1 << 20) {
        let Some(winning_move) = proof.winning_move else {
            continue;
        };
        let file = fs::File::open(Path::new(ATLAS).join(proof.file())).expect(proof.name);
        let text = std::io::BufReader::new(flate2::read::GzDecoder::new(file));
        let fact = match proof.play {
            Play::Normal => format!("{winning_move} = 0"),
            Play::Misere => format!("{winning_move} lost"),
        };
        let mut lines = std::io::BufRead::lines(text);
        assert!(
            lines.any(|line| line.expect("text") == fact),
            "{}: {fact}",
            proof.name
        );
    }
}

#[test]
fn the_list_agrees_with_the_files() {
    for proof in proofs() {
        let path = Path::new(ATLAS).join(proof.file());
        let file = fs::read(&path).expect(proof.name);
        assert_eq!(file.len() as u64, proof.bytes, "{}", proof.name);
        let mut header = String::new();
        let mut text = std::io::BufReader::new(flate2::read::GzDecoder::new(&file[..]));
        for _ in 0..8 {
            std::io::BufRead::read_line(&mut text, &mut header).expect("a header");
        }
        for line in [
            format!("play: {}", proof.play),
            format!("position: {}", canonical(proof.position)),
            format!("outcome: {}", proof.outcome),
            format!("tool: sproutnet {}", proof.version),
            format!("facts: {}", proof.facts),
        ] {
            assert!(
                header.lines().any(|read| read == line),
                "{}: {line}",
                proof.name
            );
        }
    }
    let files = fs::read_dir(ATLAS).expect("a folder");
    assert_eq!(
        files.count(),
        proofs().len() + 1,
        "the list, and a file for each row"
    );
}

#[test]
fn small_certificates_are_accepted() {
    let small = proofs().iter().filter(|proof| proof.facts < FEW);
    let names: Vec<&str> = small.map(|proof| proof.name).collect();
    assert!(names.len() >= 4);
    let accepted = verify(Path::new(ATLAS), &names).with_code(0);
    assert_eq!(
        accepted.stdout.lines().count(),
        names.len() + 1,
        "{accepted:?}"
    );
}

#[test]
fn what_is_not_as_listed_is_refused() {
    let atlas = tempdir().expect("a folder");
    let name = proofs()[0].name;
    fs::write(atlas.path().join(proofs()[0].file()), "something else").expect("written");
    let refused = verify(atlas.path(), &[name]).with_code(4);
    assert!(
        refused.stderr.contains("but the atlas lists"),
        "{refused:?}"
    );
    let missing = verify(&atlas.path().join("nowhere"), &[name]).with_code(2);
    assert!(
        missing.stderr.contains("--atlas names the folder"),
        "{missing:?}"
    );
    let unknown = verify(atlas.path(), &["misere-99"]).with_code(2);
    assert!(
        unknown.stderr.contains("`sproutnet atlas` lists all"),
        "{unknown:?}"
    );
}

#[test]
fn what_is_listed_is_known_out_of_the_box() {
    let data = tempdir().expect("a folder");
    let asked = run(
        data.path(),
        &["query", "0*21", "--play", "misere", "--within", "0s"],
    )
    .with_code(0);
    let cited = "proved by Sproutnet, certificate misere-21";
    assert!(asked.stdout.contains(cited), "{asked:?}");
    let asked = run(data.path(), &["query", "0*21", "--within", "0s", "--json"]);
    let misere = &json(&asked.stdout)["misere"];
    assert_eq!(
        (&misere["outcome"], &misere["citation"]),
        (&"loss".into(), &cited.into())
    );
    let table = run(data.path(), &["table", "--within", "0s"]).with_code(0);
    assert!(table.stdout.contains(cited), "{table:?}");
    let listed = Running::start(bare(&["atlas"])).end(LONG).with_code(0);
    assert!(listed.stdout.contains("misere-21") && listed.stdout.contains("478,570"));
}
