//! ARCHITECTURE.md: its crates are those of the manifests, and its files exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The crates of this workspace that a manifest names in a section.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let (_, section) = manifest.split_once("[dependencies]\n").unwrap_or_default();
    let section = section.split("\n[").next().unwrap_or_default();
    let names = section
        .lines()
        .filter_map(|line| line.strip_prefix("sproutnet-"));
    names
        .filter_map(|line| line.split(['.', ' ']).next())
        .collect()
}

#[test]
fn the_list_of_crates_is_that_of_the_manifests() {
    let read = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).expect("a text");
    let workspace = read("Cargo.toml");
    let (_, members) = workspace.split_once("members = [\n").expect("the members");
    let (members, _) = members.split_once(']').expect("their end");
    let members: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let page = read("ARCHITECTURE.md");
    let (_, crates) = page.split_once("\n## Crates\n").expect("the section");
    let rows = crates.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<Vec<&str>> = rows
        .map(|row| {
            row.trim_matches('|')
                .split(" | ")
                .map(|cell| cell.trim_matches(['|', ' ']))
                .collect()
        })
        .collect();
    let mut listed = BTreeSet::new();
    for row in rows.iter().take(members.len()) {
        let name = row[0].trim_matches('`');
        listed.insert(name);
        let said: Vec<&str> = row[2].split(", ").filter(|name| !name.is_empty()).collect();
        let manifest = read(&format!("{name}/Cargo.toml"));
        let actual: Vec<&str> = dependencies(&manifest).into_iter().collect();
        let mut sorted = said.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, actual, "{name}");
    }
    assert_eq!(listed, members);
}

/// In a row, names without a folder are in that of the first one.
#[test]
fn the_files_of_the_architecture_exist() {
    let root = Path::new(ROOT);
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("a text");
    let mut missing = Vec::new();
    let mut folder = None;
    let mut found = 0;
    for line in page.lines() {
        let Some(row) = line.strip_prefix("| ") else {
            folder = folder.filter(|_| line.starts_with('|'));
            continue;
        };
        if let Some(rest) = row.strip_prefix("in `") {
            folder = rest.split('`').next();
            continue;
        }
        let (Some(folder), Some((files, _))) = (folder, row.split_once(" | ")) else {
            continue;
        };
        let names: Vec<&str> = files.split('`').skip(1).step_by(2).collect();
        let first = Path::new(names[0].trim_end_matches('/')).parent();
        for name in &names {
            let file = root.join(folder).join(name);
            let beside = root
                .join(folder)
                .join(first.unwrap_or(Path::new("")))
                .join(name);
            found += 1;
            if !file.exists() && !beside.exists() {
                missing.push(format!("{folder}/{name}"));
            }
        }
    }
    assert!(found > 100, "{found}");
    assert_eq!(missing, Vec::<String>::new());
}
