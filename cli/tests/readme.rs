//! The README, the first tutorial and the guides: their commands run on an empty folder, and print the output that is
//! shown.

use std::path::Path;

use crate::command::{Running, bare};
use tempfile::tempdir;

const README: &str = include_str!("../../README.md");
const FIRST_HOUR: &str = include_str!("../../docs/tutorials/first-hour.md");
const SOLVE: &str = include_str!("../../docs/how-to/solve.md");

/// Command lines with these parts are not run: they need more than the program, do not end, or take long.
const ELSEWHERE: [&str; 3] = ["--deadline", "sproutnet serve", "--coordinator"];

/// The time limit of a command.
const LONG: std::time::Duration = std::time::Duration::from_mins(10);

/// The code blocks of a page: the language and the lines of each.
fn blocks(page: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let parts = page.split("```").skip(1).step_by(2);
    let block = |part: &'static str| {
        let mut lines = part.lines();
        (lines.next().unwrap_or_default(), lines.collect())
    };
    parts.map(block).collect()
}

/// The arguments of a command line of a page, without its comment. `None` if it runs another program.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line
        .strip_prefix("cargo run --release -- ")
        .or_else(|| line.strip_prefix("sproutnet "))?;
    let line = line.split(" #").next()?;
    Some(
        line.split_whitespace()
            .map(|word| word.replace('"', ""))
            .collect(),
    )
}

/// An empty folder, but for the certificates of the repository.
fn empty() -> tempfile::TempDir {
    let folder = tempdir().expect("a folder");
    let atlas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../atlas");
    std::os::unix::fs::symlink(atlas, folder.path().join("atlas")).expect("a link");
    folder
}

/// The output of a command of a page in a folder.
fn printed(folder: &Path, line: &str) -> String {
    let arguments = arguments(line).unwrap_or_else(|| panic!("{line}"));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = bare(&arguments);
    // A busy machine takes longer.
    command.current_dir(folder).env("SPROUTNET_WITHIN", "10s");
    Running::start(command).end(LONG).with_code(0).stdout
}

/// Checks that a text has the shown lines; `…` stands for any lines. Columns of times and efforts may differ.
fn check(shown: &[&str], text: &str) {
    let columns = match shown.iter().find(|line| line.starts_with("position ")) {
        Some(head) => head
            .split_whitespace()
            .take_while(|&name| name != "time")
            .count(),
        None => usize::MAX,
    };
    let words = |line: &str| -> Vec<String> {
        let words = line.split_whitespace().map(str::to_owned);
        if line.contains(": ") {
            words.collect()
        } else {
            words.take(columns).collect()
        }
    };
    let mut printed = text.lines().map(words);
    let mut is_gap = false;
    for line in shown {
        if *line == "…" {
            is_gap = true;
            continue;
        }
        let found = if is_gap {
            printed.any(|printed| printed == words(line))
        } else {
            printed.next() == Some(words(line))
        };
        assert!(found, "`{line}` is not there: {text}");
        is_gap = false;
    }
    assert_eq!(printed.next(), None, "more is printed: {text}");
}

#[test]
fn commands_print_what_is_shown() {
    let blocks = blocks(README);
    let mut shown = 0;
    for (index, (language, lines)) in blocks.iter().enumerate() {
        if *language != "text" {
            continue;
        }
        let folder = empty();
        let (command, output) = match lines[0].strip_prefix("$ ") {
            Some(command) => (command, &lines[1..]),
            // The output of the first command of the block before.
            None => (blocks[index - 1].1[0], &lines[..]),
        };
        check(output, &printed(folder.path(), command));
        shown += 1;
    }
    assert_eq!(shown, 2);
}

#[test]
fn commands_run_one_after_another_on_an_empty_folder() {
    for (page, least) in [(README, 3), (FIRST_HOUR, 9), (SOLVE, 8)] {
        let folder = empty();
        let blocks = blocks(page);
        let lines = blocks.iter().filter(|(language, _)| *language == "sh");
        let lines = lines.flat_map(|(_, lines)| lines);
        let mut run = 0;
        for line in lines.filter(|line| line.starts_with("sproutnet ")) {
            if !ELSEWHERE.iter().any(|elsewhere| line.contains(elsewhere)) {
                printed(folder.path(), line);
                run += 1;
            }
        }
        assert!(run >= least, "{run}");
    }
}

#[test]
fn the_readme_is_short() {
    assert!(README.split_whitespace().count() <= 800);
}
