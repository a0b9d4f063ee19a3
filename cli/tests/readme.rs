//! The README: the output of its commands on an empty folder is as shown.

use std::path::Path;

use crate::command::{Running, bare};
use tempfile::tempdir;

const README: &str = include_str!("../../README.md");

/// Command lines with these parts are not run: their results depend on more than the program, or they take long.
const ELSEWHERE: [&str; 4] = ["< positions.txt", "--deadline", "sproutnet bench", "docs/"];

/// The time limit of a command.
const LONG: std::time::Duration = std::time::Duration::from_mins(10);

/// The code blocks: the language and the lines of each.
fn blocks() -> Vec<(&'static str, Vec<&'static str>)> {
    let parts = README.split("```").skip(1).step_by(2);
    let block = |part: &'static str| {
        let mut lines = part.lines();
        (lines.next().unwrap_or_default(), lines.collect())
    };
    parts.map(block).collect()
}

/// The arguments of a command line of the README, without its comment. `None` if it runs another program.
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

/// The output of a command of the README in a folder.
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
    let blocks = blocks();
    let mut shown = 0;
    for (index, (language, lines)) in blocks.iter().enumerate() {
        if *language != "text" {
            continue;
        }
        let folder = tempdir().expect("a folder");
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
    let folder = tempdir().expect("a folder");
    let blocks = blocks();
    let lines = blocks.iter().filter(|(language, _)| *language == "sh");
    let lines = lines.flat_map(|(_, lines)| lines);
    let mut run = 0;
    for line in lines.filter(|line| line.starts_with("sproutnet ")) {
        if !ELSEWHERE.iter().any(|elsewhere| line.contains(elsewhere)) {
            printed(folder.path(), line);
            run += 1;
        }
    }
    assert!(run >= 12, "{run}");
}

#[test]
fn what_is_asked_is_answered_on_an_empty_folder() {
    let blocks = blocks();
    let ask = blocks
        .iter()
        .find(|(_, lines)| lines[0].starts_with("sproutnet query"));
    for line in &ask.expect("the block").1 {
        let folder = tempdir().expect("a folder");
        let text = printed(folder.path(), line);
        // Only the table may show `unknown`: the outcomes of some start positions are unknown to everybody.
        assert!(
            line.contains("table") || !text.contains("unknown"),
            "{line}: {text}"
        );
    }
}
