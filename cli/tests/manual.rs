//! The manual: its links lead somewhere, the commands that it shows exist, as those of the units of systemd do, and only
//! the lab has dates and commits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{LONG, Running, bare};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Programs that shell blocks may begin with.
const PROGRAMS: [&str; 50] = [
    ".ci/docker",
    ".ci/fuzz",
    ".ci/python",
    ".ci/run",
    ".ci/soak",
    ".ci/web",
    "alias",
    "apt-get",
    "cargo",
    "cat",
    "cd",
    "chmod",
    "cp",
    "curl",
    "df",
    "docker",
    "export",
    "git",
    "install",
    "journalctl",
    "kubectl",
    "less",
    "make",
    "mkdir",
    "openssl",
    "pip",
    "printf",
    "python3",
    "rm",
    "rustup",
    "sha256sum",
    "sprout",
    "sproutnet",
    "sproutnet-certificate",
    "sproutnet-coordinator",
    "sproutnet-worker",
    "ssh",
    "sudo",
    "systemctl",
    "tar",
    "target/release/sproutnet",
    "target/release/sproutnet-certificate",
    "target/release/sproutnet-coordinator",
    "target/release/sproutnet-worker",
    "umask",
    "unset",
    "zcat",
    "g++",
    "time",
    "./sprouts-check",
];

/// The programs whose options are checked; the guide to Docker Swarm calls the command `sprout`.
const OWN: [&str; 4] = [
    "sproutnet",
    "sprout",
    "sproutnet-coordinator",
    "sproutnet-worker",
];

/// An option that a program has only with a feature of its build.
const BY_FEATURE: &str = "--otlp";

/// A page: its path from the root, and its text.
struct Page {
    path: PathBuf,
    text: String,
}

/// All pages of the repository, without those of what it is built with.
fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(Path::new(ROOT).join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().expect("a type").is_dir() {
                if !["target", "node_modules", ".git", ".venv"].contains(&&*name) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|kind| kind == "md") {
                let text = fs::read_to_string(Path::new(ROOT).join(&path)).expect("a text");
                pages.push(Page { path, text });
            }
        }
    }
    assert!(pages.len() > 40, "{}", pages.len());
    pages
}

/// Whether a page is in the lab or tells history.
fn is_dated(path: &Path) -> bool {
    path.starts_with("docs/lab") || path == Path::new("CHANGELOG.md")
}

/// The lines of a text outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        !is_code && !fence
    })
}

/// A text without its parts between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The anchor that GitHub makes of a heading.
fn anchor(heading: &str) -> String {
    let mut text = String::new();
    let mut is_target = false;
    for letter in heading.trim().chars() {
        match letter {
            // The target of a link in the heading is not shown.
            '(' if text.ends_with(']') => is_target = true,
            ')' if is_target => is_target = false,
            _ if is_target => {}
            letter => text.push(letter),
        }
    }
    let kept = text.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter if letter.is_alphanumeric() => Some(letter),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// The anchors of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for line in prose(text) {
        let heading = line.trim_start_matches('#');
        if line.starts_with('#') && heading.starts_with(' ') {
            let first = anchor(heading);
            let mut name = first.clone();
            let mut repeated = 0;
            while !all.insert(name.clone()) {
                repeated += 1;
                name = format!("{first}-{repeated}");
            }
        }
    }
    all
}

/// The targets of the links of a text.
fn links(text: &str) -> Vec<String> {
    let text: Vec<String> = prose(text).map(without_code).collect();
    let text = text.join(" ");
    let mut all = Vec::new();
    for part in text.split("](").skip(1) {
        // A target may have parentheses in it.
        let mut depth = 0;
        let end = part.find(|letter| {
            depth += match letter {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth < 0
        });
        all.push(part[..end.expect("the end of a link")].to_owned());
    }
    all
}

#[test]
fn every_link_leads_somewhere() {
    let mut broken = Vec::new();
    let mut count = 0;
    for page in pages() {
        for link in links(&page.text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (path, place) = link.split_once('#').unwrap_or((&link, ""));
            let here = Path::new(ROOT).join(&page.path);
            let target = match path {
                "" => here,
                path => here.parent().expect("a folder").join(path),
            };
            let is_there = match place {
                "" => target.exists(),
                place => {
                    fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(place))
                }
            };
            if !is_there {
                broken.push(format!("{}: {link}", page.path.display()));
            }
        }
    }
    assert!(count > 300, "{count}");
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

/// The commands in the shell blocks of a text: lines, with those that follow a backslash, without comments.
fn commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut language = None;
    let mut line = String::new();
    for next in text.lines() {
        if let Some(fence) = next.trim_start().strip_prefix("```") {
            language = match language {
                None => Some(fence.trim()),
                Some(_) => None,
            };
            continue;
        }
        let code = next.split(" #").next().unwrap_or_default().trim();
        let shown = match language {
            Some("sh") if !code.starts_with('#') => Some(code),
            Some("text") => code.strip_prefix("$ "),
            _ => None,
        };
        let Some(code) = shown.filter(|code| !code.is_empty()) else {
            continue;
        };
        match code.strip_suffix('\\') {
            Some(before) => line += before,
            None => all.push(std::mem::take(&mut line) + code),
        }
    }
    all
}

/// The words of a line of shell, without quotes, cut where another command begins.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    let (mut word, mut quote, mut is_word) = (String::new(), None, false);
    for letter in format!("{line}\n").chars() {
        match (quote, letter) {
            (None, '\'' | '"') => (quote, is_word) = (Some(letter), true),
            (Some(open), letter) if open == letter => quote = None,
            (None, ' ' | '\n' | '|' | ';' | '&' | '<' | '>') => {
                if std::mem::take(&mut is_word) {
                    all.last_mut()
                        .expect("a command")
                        .push(std::mem::take(&mut word));
                }
                if matches!(letter, '|' | ';' | '&') {
                    all.push(Vec::new());
                }
            }
            (_, letter) => {
                word.push(letter);
                is_word = true;
            }
        }
    }
    all.retain(|words| !words.is_empty());
    all
}

/// The long options of a command, from its help.
fn options(command: &[&str]) -> BTreeSet<String> {
    let arguments = [command, &["--help"]].concat();
    let help = Running::start(bare(&arguments))
        .end(LONG)
        .with_code(0)
        .stdout;
    let words = help.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
    options.map(str::to_owned).collect()
}

/// The long options of another program: those of its part in the page of options, which is made from its help.
fn options_of(program: &str, configuration: &str) -> BTreeSet<String> {
    let begin = format!("<!-- {program}: begin -->");
    let (_, part) = configuration.split_once(&begin).expect("a part");
    let (part, _) = part.split_once(": end -->").expect("the end of the part");
    let words = part.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let options = words.filter(|word| word.starts_with("--") && word.len() > 2);
    options.map(str::to_owned).collect()
}

/// The program of this repository that a command runs, also by cargo or in a container, and its arguments.
fn own_command<'a>(words: &'a [&'a str]) -> Option<(&'a str, &'a [&'a str])> {
    if let Some(arguments) = words.strip_prefix(&["cargo", "run", "--release", "--"]) {
        return Some(("sproutnet", arguments));
    }
    if ["alias", "cargo", "install", "systemctl"].contains(words.first()?) {
        return None;
    }
    let name = |at: usize| words[at].trim_start_matches("target/release/");
    // The name may also be that of a package or a namespace.
    let is_named = |at: usize| at > 0 && ["-n", "-p"].contains(&words[at - 1]);
    let mut places = (0..words.len()).rev();
    let place = places.find(|&at| !is_named(at) && OWN.contains(&name(at)))?;
    Some((name(place), &words[place + 1..]))
}

/// The commands that the units of systemd run, each with the unit's file.
fn commands_of_units() -> Vec<(PathBuf, String)> {
    let folder = Path::new("deploy/systemd");
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder");
    let mut all = Vec::new();
    for entry in entries {
        let name = entry.expect("an entry").file_name();
        let unit = fs::read_to_string(Path::new(ROOT).join(folder).join(&name)).expect("a text");
        let lines = unit.lines();
        let run = lines.filter_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/"));
        all.extend(run.map(|line| (folder.join(&name), line.to_owned())));
    }
    assert!(all.len() >= 4, "{all:?}");
    all
}

#[test]
fn every_command_shown_exists() {
    let configuration = fs::read_to_string(Path::new(ROOT).join("docs/reference/configuration.md"));
    let configuration = configuration.expect("the page of options");
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for program in ["sproutnet-coordinator", "sproutnet-worker"] {
        known.insert(program.to_owned(), options_of(program, &configuration));
    }
    let help = Running::start(bare(&["help"]))
        .end(LONG)
        .with_code(0)
        .stdout;
    let (_, listed) = help.split_once("Commands:").expect("the commands");
    let (listed, _) = listed.split_once("\n\n").expect("the end of the commands");
    let subcommands: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    let pages = pages();
    let pages = pages
        .iter()
        .filter(|page| !page.path.starts_with("docs/lab"));
    let shown = pages.flat_map(|page| {
        let lines = commands(&page.text).into_iter();
        lines.map(move |line| (page.path.clone(), line))
    });
    for (path, line) in shown.chain(commands_of_units()) {
        for words in simple_commands(&line) {
            let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
            let is_setting = |word: &&str| {
                word.split_once('=').is_some_and(|(name, _)| {
                    name.chars()
                        .all(|letter| letter.is_ascii_uppercase() || letter == '_')
                })
            };
            words.drain(..words.iter().take_while(|word| is_setting(word)).count());
            let Some(&first) = words.first() else {
                continue;
            };
            count += 1;
            let mut complain = |problem: &str| {
                wrong.push(format!("{}: {problem}: {line}", path.display()));
            };
            if !PROGRAMS.contains(&first) {
                complain("an unknown program");
                continue;
            }
            let Some((program, arguments)) = own_command(&words) else {
                continue;
            };
            let given = arguments
                .iter()
                .filter(|word| word.starts_with("--") && word.len() > 2);
            let given = given.map(|word| word.split('=').next().unwrap_or_default());
            let given = given.filter(|&option| option != BY_FEATURE);
            if let Some(options) = known.get(program) {
                for option in given.filter(|&option| !options.contains(option)) {
                    complain(&format!("{program} has no option {option}"));
                }
                continue;
            }
            let Some(&command) = arguments.first() else {
                continue;
            };
            if command.starts_with('-') || command == "help" {
                continue;
            }
            if !subcommands.contains(command) {
                complain(&format!("no command {command}"));
                continue;
            }
            let mut name = vec![command];
            if ["store", "atlas"].contains(&command) {
                name.extend(arguments.get(1).filter(|word| !word.starts_with('-')));
            }
            let options = known
                .entry(name.join(" "))
                .or_insert_with(|| options(&name));
            for option in given.filter(|&option| !options.contains(option)) {
                complain(&format!("{} has no option {option}", name.join(" ")));
            }
        }
    }
    assert!(count > 150, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words that belong to the lab, or to another machine.
const NOT_IN_THE_MANUAL: [&str; 13] = [
    "had other work",
    "beside other work",
    "until November",
    "commit `",
    "(commit",
    "with commit",
    "made anew",
    "brings nothing",
    "brought nothing",
    "drawn anew",
    "exactly if",
    "no gain",
    "as far as ",
];

#[test]
fn only_the_lab_has_dates_and_commits() {
    let months = [
        "January",
        "February",
        "March",
        "April",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let mut wrong = Vec::new();
    for page in pages().iter().filter(|page| !is_dated(&page.path)) {
        for line in prose(&page.text) {
            let mut words = line
                .split(|letter: char| !letter.is_alphanumeric())
                .collect::<Vec<_>>();
            words.retain(|word| !word.is_empty());
            let is_date = words.windows(2).any(|pair| {
                pair[0]
                    .parse::<u32>()
                    .is_ok_and(|day| (1..=31).contains(&day))
                    && months.contains(&pair[1])
            });
            let words = NOT_IN_THE_MANUAL.iter().any(|words| line.contains(words));
            if is_date || words {
                wrong.push(format!("{}: {line}", page.path.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these belong to the lab, or can be said more plainly:\n{}",
        wrong.join("\n")
    );
}
