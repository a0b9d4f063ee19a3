//! Three checkers accept and refuse the same certificates: this one, `checkers/python` and `checkers/cpp`. The certificates
//! are the conformance files, those of small starts, and real ones with one thing changed. This needs Python 3.11 and a
//! compiler of C++20.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sproutnet_certificate::format::{Claim, Fact, MAX_HEAP, Reader, Value, write};
use sproutnet_certificate::{Options, verify};
use sproutnet_notation::Outcome;

const OPTIONS: Options = Options {
    cores: 1,
    memory: 1 << 28,
};

/// The maximum number of changed facts of each certificate. The whole test takes seconds.
const CHANGED: usize = 12;

/// The time for all conformance files, on a busy machine too. Some unpack to a thousand times their size.
const SOON: Duration = Duration::from_secs(300);

/// What a checker says of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Refused,
    /// The certificate is beyond this checker.
    Undecided,
}

impl Verdict {
    /// The verdict of an exit code, which all checkers share.
    fn of_code(code: Option<i32>) -> Option<Self> {
        match code {
            Some(0) => Some(Self::Accepted),
            Some(4) => Some(Self::Refused),
            Some(1) => Some(Self::Undecided),
            _ => None,
        }
    }
}

/// A verdict on each file, with the words of the checker.
type Verdicts = HashMap<PathBuf, (Verdict, String)>;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The checker in C++, which is built once, as its README says.
static CPP: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = repository().join("checkers/cpp");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sprouts-check");
    let files = fs::read_dir(&folder).expect("the sources");
    let files = files.map(|entry| entry.expect("a file").path());
    let sources = files.filter(|file| file.extension().is_some_and(|end| end == "cpp"));
    let mut compiler = Command::new("c++");
    compiler.args("-std=c++20 -O2 -Wall -Wextra -Wpedantic -Werror -o".split(' '));
    let compiled = compiler.arg(&program).args(sources).output();
    let compiled = compiled.expect("c++: this test needs a compiler of C++20, such as g++ 12");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}");
    program
});

fn by_cpp(files: &[PathBuf]) -> Verdicts {
    let output = Command::new(&*CPP).args(files).output();
    let output = output.expect("it was built");
    let text = String::from_utf8(output.stdout).expect("text");
    let verdict = |line: &str| {
        let (file, words) = line.split_once(": ")?;
        let verdict = match words.split_once(": ")?.0 {
            "accepted" => Verdict::Accepted,
            "refused" => Verdict::Refused,
            "undecided" => Verdict::Undecided,
            _ => return None,
        };
        Some((PathBuf::from(file), (verdict, words.to_owned())))
    };
    text.lines().filter_map(verdict).collect()
}

fn by_python(files: &[PathBuf]) -> Verdicts {
    let mut python = Command::new("python3");
    let version = python.args(["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
    let status = version.status().expect("python3: this test needs it");
    assert!(status.success(), "this test needs Python 3.11");
    let mut python = Command::new("python3");
    let program = repository().join("checkers/python/check.py");
    let output = python.arg(program).args(files).output().expect("python3");
    let accepted = String::from_utf8(output.stdout).expect("text");
    let others = String::from_utf8(output.stderr).expect("text");
    // The last column of a row is the file.
    let accepted = accepted.lines().skip(1).filter_map(|row| {
        let file = row.rsplit("  ").next()?;
        Some((PathBuf::from(file), (Verdict::Accepted, row.to_owned())))
    });
    let others = others.lines().filter_map(|line| {
        let (kind, words) = line.split_once(": ")?;
        let verdict = match kind {
            "error" => Verdict::Refused,
            "undecided" => Verdict::Undecided,
            _ => return None,
        };
        let file = words.split_once(": ")?.0;
        Some((PathBuf::from(file), (verdict, words.to_owned())))
    });
    accepted.chain(others).collect()
}

/// By the program `sproutnet-certificate`, which is this checker.
fn by_program(files: &[PathBuf]) -> Verdicts {
    let verdict = |file: &PathBuf| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_sproutnet-certificate"));
        let output = program.arg(file).output().expect("it was built");
        let words = [output.stdout, output.stderr].concat();
        let words = String::from_utf8(words).expect("text");
        let verdict = Verdict::of_code(output.status.code()).expect(&words);
        (file.clone(), (verdict, words))
    };
    files.iter().map(verdict).collect()
}

/// The conformance files: the path, whether it is to be accepted, the game and the reason.
fn cases() -> Vec<(PathBuf, Verdict, String, String)> {
    let folder = repository().join("checkers/conformance");
    let table = fs::read_to_string(folder.join("cases.tsv")).expect("the table");
    let case = |row: &str| {
        let columns: Vec<&str> = row.split('\t').collect();
        let verdict = match columns[1] {
            "accept" => Verdict::Accepted,
            _ => Verdict::Refused,
        };
        let [game, reason] = [2, 9].map(|column| columns[column].to_owned());
        (folder.join(columns[0]), verdict, game, reason)
    };
    table.lines().skip(1).map(case).collect()
}

#[test]
fn the_conformance_files_are_decided_as_the_specification_says() {
    let cases = cases();
    let verdicts = cases.iter().map(|(_, verdict, ..)| *verdict);
    let count = verdicts.filter(|&verdict| verdict == Verdict::Accepted);
    let count = count.count();
    let refused = cases.len() - count;
    let page = fs::read_to_string(repository().join("docs/reference/certificates.md"));
    let counts = format!("has {count} certificates to accept and {refused} to refuse");
    assert!(
        page.expect("the specification").contains(&counts),
        "{counts}"
    );
    let files: Vec<PathBuf> = cases.iter().map(|(file, ..)| file.clone()).collect();
    for (checker, knows_mixed, check) in [
        ("Rust", true, by_program as fn(&[PathBuf]) -> Verdicts),
        ("C++", false, by_cpp),
        ("Python", false, by_python),
    ] {
        let started = Instant::now();
        let verdicts = check(&files);
        let took = started.elapsed();
        println!("{checker}: {} files in {took:.1?}", verdicts.len());
        for (file, verdict, game, reason) in &cases {
            let (found, words) = verdicts.get(file).expect(reason);
            let knows = knows_mixed || game == "sprouts";
            let expected = if knows { *verdict } else { Verdict::Undecided };
            let file = file.display();
            assert_eq!(*found, expected, "{checker}, {file}: {reason}: {words}");
        }
        assert!(took < SOON, "{checker}: {took:?}");
    }
}

#[test]
fn the_conformance_files_are_those_of_their_program() {
    let mut python = Command::new("python3");
    let program = repository().join("checkers/conformance/make.py");
    let output = python.arg(program).arg("--check").output();
    let output = output.expect("python3: this test needs it");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

#[test]
fn small_starts_are_accepted_by_all() {
    let atlas = |play: &str, spots: u32| repository().join(format!("atlas/{play}-{spots}.sprout"));
    let up_to = |normal: u32, misere: u32| -> Vec<PathBuf> {
        let normal = (0..=normal).map(|spots| atlas("normal", spots));
        normal
            .chain((0..=misere).map(|spots| atlas("misere", spots)))
            .collect()
    };
    for (files, check) in [
        (up_to(12, 9), by_program as fn(&[PathBuf]) -> Verdicts),
        (up_to(12, 9), by_cpp),
        (up_to(5, 5), by_python),
    ] {
        let verdicts = check(&files);
        assert_eq!(verdicts.len(), files.len());
        for (file, (verdict, words)) in verdicts {
            assert_eq!(verdict, Verdict::Accepted, "{}: {words}", file.display());
        }
    }
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
fn changed_certificates_are_decided_alike() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed");
    fs::create_dir_all(&directory).expect("a temporary directory");
    let mut certificates: Vec<(PathBuf, String, Verdict)> = Vec::new();
    let real = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real"));
    for path in real
        .expect("certificates")
        .map(|entry| entry.expect("a file").path())
    {
        let (claim, facts) = read(&path);
        for (what, claim, facts) in changed(&claim, &facts) {
            let mut file = Vec::new();
            write(claim, &facts, &mut file).expect("memory");
            let verdict = match verify(&file[..], &OPTIONS) {
                Ok(_) => Verdict::Accepted,
                Err(_) => Verdict::Refused,
            };
            assert!(
                verdict == Verdict::Accepted || what != "nothing",
                "{}",
                path.display()
            );
            let copy = directory.join(format!("{}.sprout", certificates.len()));
            fs::write(&copy, file).expect("a temporary directory");
            certificates.push((copy, format!("{}: {what}", path.display()), verdict));
        }
    }
    let files: Vec<PathBuf> = certificates.iter().map(|(file, ..)| file.clone()).collect();
    for (checker, verdicts) in [("C++", by_cpp(&files)), ("Python", by_python(&files))] {
        for (file, what, verdict) in &certificates {
            let (found, words) = verdicts.get(file).expect(what);
            assert_eq!(found, verdict, "{checker}, {what}: {words}");
        }
    }
    let accepted = |(.., verdict): &&(PathBuf, String, Verdict)| *verdict == Verdict::Accepted;
    let count = certificates.iter().filter(accepted).count();
    println!(
        "{} certificates, {count} of them accepted by all",
        certificates.len()
    );
    assert!(count > 0 && count < certificates.len() / 2);
    fs::remove_dir_all(&directory).expect("a temporary directory");
}
