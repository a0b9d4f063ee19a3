//! The laws hold for all that was kept of what fuzzers thought of.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use sproutnet_fuzz::LAWS;
use tar::Archive;

/// The inputs of an archive, each with its name.
fn archived(path: &Path) -> Vec<(String, Vec<u8>)> {
    let file = File::open(path).expect("an archive");
    let mut archive = Archive::new(GzDecoder::new(file));
    let read = |entry: std::io::Result<tar::Entry<'_, _>>| {
        let mut entry = entry.expect("an entry");
        let name = entry.path().expect("a name").display().to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("a whole entry");
        (name, bytes)
    };
    archive
        .entries()
        .expect("a tar archive")
        .map(read)
        .collect()
}

/// The inputs in a folder, if there is one.
fn in_folder(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = folder.read_dir().into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort_unstable();
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a file");
        (path.display().to_string(), bytes)
    };
    paths.into_iter().map(read).collect()
}

fn replay(name: &str) {
    let law = LAWS.iter().find(|law| law.0 == name);
    let (_, law) = *law.expect("a law");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = archived(&here.join(format!("corpus/{name}.tar.gz")));
    assert!(!kept.is_empty());
    let found = in_folder(&here.join("regressions").join(name));
    for (name, bytes) in kept.into_iter().chain(found) {
        // Shown when the law does not hold.
        println!("{name}");
        law(&bytes);
    }
}

#[test]
fn positions() {
    replay("notation");
}

#[test]
fn blocks() {
    replay("block");
}

#[test]
fn messages() {
    replay("wire");
}

#[test]
fn calls() {
    replay("calls");
}

#[test]
fn certificates() {
    replay("certificate");
}

#[test]
fn exports() {
    replay("import");
}

#[test]
fn questions() {
    replay("query");
}
