//! `docs/check.py`, which shares nothing with this checker, accepts and refuses the same certificates: real ones, and
//! the same with one thing changed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, process};

use sproutnet_certificate::format::{Claim, Fact, MAX_HEAP, Reader, Value, write};
use sproutnet_certificate::{Options, verify};
use sproutnet_notation::Outcome;

const OPTIONS: Options = Options {
    cores: 1,
    memory: 1 << 28,
};

/// The maximum number of changed facts of each certificate. The whole test takes seconds.
const CHANGED: usize = 12;

/// Whether there is a Python that can run the checker.
fn has_python() -> bool {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    let mut python = Command::new("python3");
    let status = python.args(["-c", is_new]).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn read(path: &Path) -> (Claim, Vec<Fact>) {
    let file = fs::read(path).expect("a file of the repository");
    let mut reader = Reader::new(&file[..]).expect("a header");
    let claim = reader.header().claim.clone();
    let mut facts = Vec::new();
    while let Some(line) = reader.next_fact().expect("a fact") {
        facts.push(line.fact);
    }
    (claim, facts)
}

/// Other values that a fact could give instead.
fn other_values(value: &Value) -> Vec<Value> {
    let mut others: Vec<Value> = [0, 1, 2, MAX_HEAP, MAX_HEAP + 1].map(Value::Heap).into();
    others.extend(
        ["(2)", "(2 3)", "(0 1)", "(0)+1", "(3 (2))+1", "(0 1 2)+1"]
            .map(|text| text.parse().expect(text)),
    );
    match value {
        Value::Heap(size) => others.push(Value::Heap(size + 1)),
        Value::Options { options, plus_one } => {
            for left_out in 0..options.len() {
                let mut options = options.clone();
                options.remove(left_out);
                let plus_one = *plus_one;
                others.push(Value::Options { options, plus_one });
            }
        }
    }
    others
}

/// Replacements for a fact.
fn other_facts(fact: &Fact) -> Vec<Fact> {
    match fact {
        Fact::Equals { land, value } => {
            let equals = |land: String, value: Value| Fact::Equals { land, value };
            let values = other_values(value).into_iter();
            let longer = equals(format!("{land}.2"), value.clone());
            let lost = Fact::Lost {
                position: land.clone(),
                values: vec![value.clone()],
            };
            values
                .map(|value| equals(land.clone(), value))
                .chain([longer, lost])
                .collect()
        }
        Fact::Lost { position, values } => {
            let lost = |position: &str, values: &[Value]| Fact::Lost {
                position: position.to_owned(),
                values: values.to_vec(),
            };
            let with = |value: Value| [&values[..], &[value]].concat();
            let mut facts: Vec<Fact> = other_values(&Value::Heap(0))
                .into_iter()
                .map(|value| lost(position, &with(value)))
                .collect();
            let fewer = values.len().saturating_sub(1);
            facts.push(lost(position, &values[..fewer]));
            facts.push(lost(&format!("{position}+0*2"), values));
            facts.push(lost(&format!("{position}.2"), values));
            facts.push(lost("!", values));
            facts
        }
    }
}

/// Certificates with one change each, and a description of it. The first one is unchanged.
fn changed(claim: &Claim, facts: &[Fact]) -> Vec<(String, Claim, Vec<Fact>)> {
    let mut all = vec![("nothing".to_owned(), claim.clone(), facts.to_vec())];
    let mut other = claim.clone();
    other.outcome = match claim.outcome {
        Outcome::Win => Outcome::Loss,
        Outcome::Loss => Outcome::Win,
    };
    all.push(("the outcome".to_owned(), other, facts.to_vec()));
    for at in (0..facts.len()).step_by(facts.len().div_ceil(CHANGED)) {
        let mut change = |what: String, by: &[Fact]| {
            let facts = [&facts[..at], by, &facts[at + 1..]].concat();
            all.push((format!("{}: {what}", facts.len()), claim.clone(), facts));
        };
        let fact = &facts[at];
        change(format!("no `{fact}`"), &[]);
        change(format!("`{fact}` twice"), &[fact.clone(), fact.clone()]);
        for other in other_facts(fact) {
            change(format!("`{other}` for `{fact}`"), &[other]);
        }
        let mut swapped = facts.to_vec();
        swapped.swap(at, facts.len() - 1);
        all.push((format!("`{fact}` last"), claim.clone(), swapped));
    }
    all
}

#[test]
fn the_second_checker_accepts_the_same() {
    if !has_python() {
        eprintln!("skipped: there is no python3 of version 3.11 or newer to run docs/check.py");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = env::temp_dir().join(format!("sproutnet-{}-second", process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory");
    let mut certificates: Vec<(PathBuf, String, bool)> = Vec::new();
    let real = fs::read_dir(root.join("tests/real")).expect("certificates");
    for path in real.map(|entry| entry.expect("a file").path()) {
        let (claim, facts) = read(&path);
        for (what, claim, facts) in changed(&claim, &facts) {
            let mut file = Vec::new();
            write(claim, &facts, &mut file).expect("memory");
            let is_accepted = verify(&file[..], &OPTIONS).is_ok();
            assert!(is_accepted || what != "nothing", "{}", path.display());
            let copy = directory.join(format!("{}.sprout", certificates.len()));
            fs::write(&copy, file).expect("a temporary directory");
            certificates.push((copy, format!("{}: {what}", path.display()), is_accepted));
        }
    }
    let files = certificates.iter().map(|(file, ..)| file);
    let mut python = Command::new("python3");
    let output = python
        .arg(root.join("../../docs/check.py"))
        .args(files)
        .output()
        .expect("python3 starts");
    let (accepted, refused) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(1), "{refused}");
    // The last column of a row is the file.
    let accepted: BTreeSet<&str> = accepted
        .lines()
        .filter_map(|row| row.split("  ").last())
        .collect();
    for (file, what, is_accepted) in &certificates {
        let name = file.display().to_string();
        let why = refused
            .lines()
            .find(|line| line.starts_with(&format!("error: {name}: ")));
        assert_eq!(accepted.contains(&*name), *is_accepted, "{what}: {why:?}");
        assert_eq!(why.is_none(), *is_accepted, "{what}");
    }
    let count = certificates
        .iter()
        .filter(|(.., is_accepted)| *is_accepted)
        .count();
    println!(
        "{} certificates, {count} of them accepted by both",
        certificates.len()
    );
    assert!(count > 0 && count < certificates.len() / 2);
    fs::remove_dir_all(&directory).expect("a temporary directory");
}
