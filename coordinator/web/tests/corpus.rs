//! The laws that fuzzers look for exceptions to hold for all that was kept of what they thought of.

use std::path::{Path, PathBuf};

use laws::{LAWS, Law};

// The library of the fuzz targets, which is built apart from all else.
#[allow(unreachable_pub)]
#[path = "../../fuzz/src/lib.rs"]
mod laws;

/// Holds the law against all files of a folder; returns how many there are.
fn replay(folder: &Path, law: Law) -> usize {
    let Ok(entries) = folder.read_dir() else {
        return 0;
    };
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort_unstable();
    for path in &paths {
        // Shown when the law does not hold.
        println!("{}", path.display());
        law(&std::fs::read(path).expect("a file"));
    }
    paths.len()
}

fn replay_all(name: &str) {
    let law = LAWS.iter().find(|law| law.0 == name);
    let (_, law) = *law.expect("a law");
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    assert!(replay(&fuzz.join("corpus").join(name), law) > 0);
    replay(&fuzz.join("regressions").join(name), law);
}

#[test]
fn positions() {
    replay_all("notation");
}

#[test]
fn blocks() {
    replay_all("block");
}

#[test]
fn messages() {
    replay_all("wire");
}

#[test]
fn calls() {
    replay_all("calls");
}

#[test]
fn certificates() {
    replay_all("certificate");
}

#[test]
fn exports() {
    replay_all("import");
}

#[test]
fn questions() {
    replay_all("query");
}
