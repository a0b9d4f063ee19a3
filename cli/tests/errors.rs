//! Bad input and faults: exit codes and error messages.

use std::fs::File;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use crate::command::{LONG, Running, bare, column, json, run, run_with_input, sproutnet};
use tempfile::tempdir;

const COMMANDS: [&str; 3] = ["solve", "query", "moves"];

#[test]
fn a_caret_stands_under_what_cannot_be_read() {
    let data = tempdir().expect("a folder");
    // Invalid texts with the column of the fault.
    let bad = [
        ("0*x", 3),
        ("0*3.x-", 6),
        ("0*3.", 5),
        ("0*3|?", 5),
        ("é", 1),
        ("0.é", 3),
        ("kayles:5+x", 10),
        ("kayles:10001", 8),
        // These are well-formed, but no drawing has them.
        ("0.abcabc", 3),
        ("0*1+ABC|0*2.A.B|0.1aCa", 6),
    ];
    for command in COMMANDS {
        for (text, column) in bad {
            let refused = run(data.path(), &[command, text]).with_code(2);
            assert_eq!(refused.stdout, "");
            let lines: Vec<&str> = refused.stderr.lines().collect();
            let [message, shown, caret] = lines[..] else {
                panic!("{}", refused.stderr)
            };
            let named = format!("error: column {column}: ");
            assert!(message.starts_with(&named), "{text}: {message}");
            assert_eq!(shown.trim_start(), text);
            let indent = shown.chars().count() - text.chars().count();
            let expected = format!("{}^", " ".repeat(indent + column - 1));
            assert_eq!(caret, expected, "{shown}");
        }
    }
}

#[test]
fn input_never_answers_another_question() {
    let data = tempdir().expect("a folder");
    for (text, meant) in [
        ("12 spotz", "did you mean `0*12`?"),
        ("kayles", "`kayles:5+3`"),
        ("hello", "`hello` is not a position"),
        ("1a1A", "column 2: the letter `a`"),
        ("0*8.a", "column 5: the letter `a`"),
        ("0*3.1a 1a", "column 7: a blank"),
        ("0*3+12", "`0*12` is 12 spots, `12}` a boundary"),
        ("12-spots", "a range"),
        ("400", "1000 lives"),
    ] {
        for command in COMMANDS.into_iter().chain(["line", "draw", "bench"]) {
            let refused = run(data.path(), &[command, text]).with_code(2);
            assert_eq!(refused.stdout, "");
            let is_no_range = text.contains('-') && command == "line";
            let meant = if is_no_range { "column 3" } else { meant };
            assert!(refused.stderr.contains(meant), "{command} {refused:?}");
        }
    }
    let asked = |command: &str, text: &str, code| {
        let arguments = [command, text, "--json"];
        run(data.path(), &arguments)
            .with_code(code)
            .json()
            .remove(0)
    };
    for (text, meant) in [("7", "0*7"), ("sprouts:7", "0*7"), ("kayles:7", "kayles:7")] {
        let answer = asked("solve", text, 0);
        assert_eq!(
            (&answer["position"], &answer["canonical"]),
            (&meant.into(), &meant.into())
        );
        assert_eq!(asked("query", text, 0)["canonical"], meant);
        assert_eq!(asked("line", text, 0)["steps"][0]["canonical"], meant);
    }
    let drawn = run(data.path(), &["draw", "7"]).with_code(0);
    assert!(drawn.stdout.contains("<title>0*7</title>"));
    let proof = data.path().join("7.sprout");
    let prove = ["prove", "7", "-o", &proof.to_string_lossy(), "--json"];
    let proved = run(data.path(), &prove).with_code(0).json();
    assert_eq!(proved[0]["position"], "0*7");
}

#[test]
fn what_is_printed_reads_back() {
    let data = tempdir().expect("a folder");
    run(data.path(), &["solve", "3"]).with_code(0);
    let line = run(data.path(), &["line", "3", "--within", "10s", "--json"]).with_code(0);
    let line = line.json().remove(0);
    let steps = line["steps"].as_array().expect("a list");
    let mut lines = String::new();
    for step in steps {
        let text = step["canonical"].as_str().expect("a text");
        lines += &format!("{text}\n");
        let typed = run(data.path(), &["query", text, "--json"]).with_code(0);
        assert_eq!(typed.json()[0]["canonical"], text);
    }
    let asked = run_with_input(data.path(), &["query", "-", "--json"], &lines).with_code(0);
    let asked = column(&asked.json(), "canonical");
    assert_eq!(asked, column(steps, "canonical"));
    // The lines include a land with only digits.
    assert!(lines.contains('}'), "{lines}");
}

#[test]
fn a_number_on_standard_input_is_refused() {
    let data = tempdir().expect("a folder");
    for command in ["solve", "query"] {
        let input = "0*2\n21\n21}\n";
        let ended = run_with_input(data.path(), &[command, "-", "--json"], input).with_code(2);
        let lines = ended.json();
        let error = lines[1]["error"].as_str().expect("a text");
        assert!(
            error.contains("`0*21`") && error.contains("`21}`"),
            "{error}"
        );
        assert_eq!(
            (&lines[1]["line"], &lines[1]["input"]),
            (&2.into(), &"21".into())
        );
        assert_eq!(lines[2]["canonical"], "12}");
        assert!(
            ended.stderr.contains("error: line 2: column 1: "),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn errors_are_at_most_a_line() {
    let data = tempdir().expect("a folder");
    // Linux limits an argument to 128 KiB.
    for long in ["x", "1", "0.", "kayles:9", "é"].map(|part| part.repeat(120_000 / part.len())) {
        for arguments in [
            ["solve", &*long],
            ["query", &*long],
            ["watch", &*long],
            ["draw", &*long],
            ["table", &*long],
            [&*long, "0*3"],
            ["--memory", &*long],
            ["verify", &*long],
        ] {
            let refused = run(data.path(), &arguments);
            assert!(
                matches!(refused.status.code(), Some(1 | 2 | 4)),
                "{}",
                refused.status
            );
            let longest = refused
                .stderr
                .lines()
                .map(|line| line.chars().count())
                .max();
            assert!(longest < Some(250), "{} {}", arguments[0], refused.stderr);
        }
    }
    for part in ["x", "1", "0.", "kayles:9+", "é"] {
        let input = part.repeat((1 << 20) / part.len());
        for command in ["solve", "query"] {
            let ended = run_with_input(data.path(), &[command, "-", "--json"], &input).with_code(2);
            for printed in [&ended.stdout, &ended.stderr] {
                assert!(printed.chars().count() < 1000, "{printed}");
            }
        }
    }
}

#[test]
fn unknown_games() {
    let data = tempdir().expect("a folder");
    let mut asked: Vec<[&str; 2]> = COMMANDS.map(|command| [command, "chess:3"]).into();
    asked.push(["solve", "chess:0..=3"]);
    asked.push(["table", "chess"]);
    for arguments in asked {
        let refused = run(data.path(), &arguments).with_code(2);
        assert!(
            refused.stderr.contains("no game called `chess`"),
            "{refused:?}"
        );
    }
}

#[test]
fn what_may_be_meant_is_suggested() {
    let data = tempdir().expect("a folder");
    for (arguments, suggested) in [
        (&["table", "0*8-12"][..], "`sproutnet query 0*8-12` asks"),
        (&["table", "8"], "such as `sprouts`"),
        (&["query", "3, 4, 5"], "did you mean `0*3+0*4+0*5`?"),
        (&["moves", "0*3 0*4"], "did you mean `0*3+0*4`?"),
    ] {
        let refused = run(data.path(), arguments).with_code(2);
        assert!(refused.stderr.contains(suggested), "{refused:?}");
    }
    let range = run(data.path(), &["query", "0*2-3", "--json"])
        .with_code(0)
        .json();
    assert_eq!(range.len(), 2);
}

#[test]
fn bad_ranges() {
    let data = tempdir().expect("a folder");
    let huge = [
        "0..=4294967295",
        "0..=99999999999999999999",
        "kayles:0..=10000",
        "0..20000",
    ];
    let malformed = ["0..x", "..=3", "0..", "0..=", "-1..=3", "0...3"];
    for range in huge.into_iter().chain(malformed) {
        let refused = run(data.path(), &["solve", "--", range]).with_code(2);
        assert_eq!(refused.stdout, "");
        assert!(refused.stderr.starts_with("error: "), "{refused:?}");
    }
    // A valid range of start positions, but the largest have too many lives.
    let refused = run(data.path(), &["solve", "0..=400"]).with_code(2);
    assert!(refused.stderr.contains("1000 lives"), "{refused:?}");
    // Nothing was started: there is no store.
    assert_eq!(std::fs::read_dir(data.path()).expect("a folder").count(), 0);
}

#[test]
fn bad_options() {
    let data = tempdir().expect("a folder");
    let bad = [
        ("--memory", "5bananas"),
        ("--memory", "-1G"),
        ("--cores", "0"),
        ("--cores", "all"),
        ("--cores", "100000"),
        ("--deadline", "0s"),
        ("--deadline", "5 weeks"),
        ("--play", "chess"),
    ];
    for (option, value) in bad {
        let argument = format!("{option}={value}");
        let refused = run(data.path(), &["solve", "0", &argument]).with_code(2);
        assert!(refused.stderr.contains(option), "{refused:?}");
        assert!(refused.stderr.contains(value), "{refused:?}");
    }
    run(data.path(), &["solve"]).with_code(2);
    run(data.path(), &["solve", "-", "0*3"]).with_code(2);
    run(data.path(), &["unsolve"]).with_code(2);
}

#[test]
fn what_is_refused_leaves_no_store() {
    let dir = tempdir().expect("a folder");
    let none = dir.path().join("none");
    let long = "x".repeat(100);
    let too_much = "99999999G";
    let free = "127.0.0.1:0";
    let commands: [&[&str]; 12] = [
        &["solve", "0*3", "--memory", too_much],
        &[
            "serve", "--memory", too_much, "--http", free, "--listen", free,
        ],
        &["solve", "0*3", "--owner", &*long],
        &["solve", "0*3", "--label", &*long],
        &["solve", "0*3", "--nimber", "--play", "misere"],
        &["pause", "3"],
        &["resume", "0*3"],
        &["cancel", "3"],
        &["weight", "3", "4"],
        &["watch", "3"],
        &["why", "3"],
        &["mark", "missing"],
    ];
    for command in commands {
        let refused = run(&none, command).with_code(2);
        assert!(refused.stderr.starts_with("error: "), "{refused:?}");
        assert!(!none.exists(), "{command:?}");
    }
    let taken = TcpListener::bind(free).expect("a port");
    let taken = taken.local_addr().expect("an address").to_string();
    let failed = run(&none, &["serve", "--http", &taken, "--listen", free]).with_code(1);
    assert!(failed.stderr.contains("name another address"), "{failed:?}");
    assert!(!none.exists());
}

#[test]
fn a_file_where_the_store_should_be() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("file");
    std::fs::write(&file, "no store").expect("a file");
    for data in [&file, &file.join("below")] {
        let failed = run(data, &["solve", "0*3"]).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
        let chain = [
            "error: ",
            "cannot use the store",
            "cannot create the folder",
            "os error",
        ];
        let places: Vec<_> = chain.iter().map(|part| failed.stderr.find(part)).collect();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{}",
            failed.stderr
        );
        assert!(
            failed.stderr.contains(&*data.to_string_lossy()),
            "{}",
            failed.stderr
        );
    }
}

#[test]
fn a_store_in_use() {
    let data = tempdir().expect("a folder");
    let mut holder = Running::start(sproutnet(data.path(), &["solve", "-", "--json"]));
    holder.write("0*3\n");
    assert_eq!(json(&holder.line())["outcome"], "win");
    let failed = run(data.path(), &["solve", "0*2"]).with_code(1);
    assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
    let is_told = failed.stderr.contains("in use by another process");
    assert!(
        is_told && failed.stderr.contains("--coordinator URL"),
        "{failed:?}"
    );
    // A query is answered from a copy of the store.
    let asked = run(data.path(), &["query", "0*3", "--json"]).with_code(0);
    assert_eq!(
        json(&asked.stdout)["normal"]["source"],
        "store",
        "{asked:?}"
    );
    assert!(asked.stderr.starts_with("note: the store in "), "{asked:?}");
    assert!(
        asked.stderr.contains("in use by another process"),
        "{asked:?}"
    );
    // The holder continues undisturbed, and releases the store at its end.
    holder.write("0*2\n");
    assert_eq!(json(&holder.line())["outcome"], "loss");
    holder.end(LONG).with_code(0);
    run(data.path(), &["query", "0*2"]).with_code(0);
}

#[test]
fn commands_that_ask_no_coordinator_say_so() {
    let url = "http://127.0.0.1:9";
    for arguments in [
        &["merge", "other"][..],
        &["store", "stats"],
        &["prove", "0*3", "-o", "x.sprout"],
        &["verify", "x.sprout"],
        &["draw", "0*3"],
        &["bench", "0*3"],
        &["man"],
    ] {
        let refused = Running::start(bare(&[arguments, &["--coordinator", url]].concat()));
        let refused = refused.end(LONG).with_code(2);
        let named = format!("`{}`", arguments[0]);
        assert!(refused.stderr.contains(&named), "{refused:?}");
        assert!(refused.stderr.contains("omit --coordinator"), "{refused:?}");
    }
    // Unlike the option, the environment variable may be meant for other commands.
    let mut command = bare(&["draw", "0*3"]);
    command.env("SPROUTNET_COORDINATOR", url);
    Running::start(command).end(LONG).with_code(0);
    let mut command = bare(&["store", "stats"]);
    command.env("SPROUTNET_COORDINATOR", url);
    Running::start(command).end(LONG).with_code(2);
}

#[test]
fn a_typed_folder_comes_before_the_coordinator_of_the_environment() {
    let data = tempdir().expect("a folder");
    for arguments in [
        &["solve", "0*5"][..],
        &["query", "0*5"],
        &["store", "stats"],
        &["prove", "0*3", "-o", "-"],
    ] {
        // It appends the folder as `--data`.
        let mut command = sproutnet(data.path(), arguments);
        command.env("SPROUTNET_COORDINATOR", "http://127.0.0.1:9");
        Running::start(command).end(LONG).with_code(0);
    }
}

#[test]
fn a_coordinator_that_is_not_there() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let url = format!("http://{}", port.expect("a free port"));
    for command in COMMANDS {
        let failed = Running::start(bare(&[command, "0*3", "--coordinator", &url]));
        let failed = failed.end(LONG).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
        let named = format!("error: cannot reach {url}: ");
        assert!(failed.stderr.starts_with(&named), "{}", failed.stderr);
        assert!(failed.stderr.contains("refused"), "{}", failed.stderr);
    }
}

#[test]
fn urls_that_are_none() {
    for url in ["not a url", "http://", "localhost:5000", "localhost"] {
        let refused = Running::start(bare(&["query", "0*3", "--coordinator", url])).end(LONG);
        assert!(refused.stderr.contains(url), "{refused:?}");
        refused.with_code(2);
    }
}

#[test]
fn nobody_reads_the_answers() {
    let data = tempdir().expect("a folder");
    for arguments in [
        &["solve", "0..=5"][..],
        &["solve", "0..=5", "--json"],
        &["table"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let command = sproutnet(data.path(), arguments);
        let ended = Running::start_between(Stdio::null(), command, writer.into()).end(LONG);
        let panicked = ended.stderr.contains("panicked");
        assert!(!panicked && ended.status.code() < Some(2), "{ended:#?}");
    }
}

#[test]
fn input_that_cannot_be_read() {
    let data = tempdir().expect("a folder");
    let folder = File::open(data.path()).expect("a folder");
    let command = sproutnet(data.path(), &["solve", "-"]);
    let mut running = Running::start_between(folder.into(), command, Stdio::piped());
    let first = running.error_line_where(|_| true);
    assert!(first.contains("standard input"), "{first}");
    assert!(
        !running.runs_for(Duration::from_secs(5)),
        "it reads on and on"
    );
    let failed = running.end(LONG);
    assert_ne!(failed.status.code(), Some(0));
    assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
}
