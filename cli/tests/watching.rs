//! `sproutnet watch`, and `solve` with a coordinator elsewhere: progress until the end, despite restarts, interrupts
//! and pauses.

use std::thread;
use std::time::Duration;

use crate::command;
use crate::command::{LONG, Running, bare, column};
use crate::fake::{Fake, running, solve, with_status};
use sproutnet_proto::v1::{Estimate, Play, Progress, Status};

const ID: &str = "7";

fn one() -> Fake {
    Fake::with(vec![running(7, "0*16", Play::Normal)])
}

fn start(fake: &Fake, arguments: &[&str]) -> Running {
    let url = fake.url();
    let arguments = [arguments, &["--coordinator", &url]].concat();
    Running::start(bare(&arguments))
}

/// The next line of standard error that contains a text.
fn line_with(running: &mut Running, text: &str) -> String {
    running.error_line_where(|line| line.contains(text))
}

#[test]
fn progress_then_the_answer() {
    let fake = one();
    let mut watched = start(&fake, &["watch", "0*16", "--play", "normal"]);
    let line = line_with(&mut watched, "0*16 normal: ");
    let expected = "0*16 normal: 1 min 15 s, proof 17 disproof 2,048, 12,000 expansions (160/s), \
                    345 records, 3 jobs, 678 nodes\n";
    assert_eq!(line, expected);
    fake.progress(7, |progress| progress.set_status(Status::Paused));
    line_with(&mut watched, "0*16 normal: paused, ");
    fake.progress(7, solve);
    let ended = watched.end(LONG).with_code(0);
    let words: Vec<&str> = ended.stdout.split_whitespace().collect();
    let expected = "position play outcome nimber source time expansions records \
                    0*16 normal win - search 1 min 15 s 12,000 345";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn exit_codes_tell_how_it_ended() {
    for (status, code, told) in [
        (Status::Solved, 0, ""),
        (
            Status::Cancelled,
            3,
            "it was cancelled; `sproutnet resume 7 --coord",
        ),
        (
            Status::Expired,
            3,
            "its deadline passed; `sproutnet resume 7 --coord",
        ),
        (Status::Failed, 1, "error: 0*16: two records"),
    ] {
        let mut computation = with_status(running(7, "0*16", Play::Normal), status);
        if status == Status::Failed {
            computation.progress.as_mut().expect("progress").fault = "two records".to_owned();
        }
        let fake = Fake::with(vec![computation]);
        let ended = start(&fake, &["watch", ID]).end(LONG).with_code(code);
        assert!(ended.stderr.starts_with(told), "{ended:?}");
        let outcome = if code == 0 { " win " } else { " unknown " };
        assert!(ended.stdout.contains(outcome), "{ended:?}");
    }
}

#[test]
fn progress_as_json() {
    let fake = one();
    let mut watched = start(&fake, &["watch", ID, "--json"]);
    watched.line();
    fake.progress(7, solve);
    let lines = watched.end(LONG).with_code(0).json();
    assert_eq!(column(&lines, "id"), [7, 7]);
    assert_eq!(column(&lines, "position"), ["0*16", "0*16"]);
    assert_eq!(column(&lines, "status"), ["running", "solved"]);
    assert_eq!(column(&lines, "outcome"), ["unknown", "win"]);
}

#[test]
fn a_restart_of_the_coordinator() {
    let mut fake = one();
    let solve_json = ["solve", "0*16", "--json"];
    let mut watched = [&["watch", ID][..], &["watch", ID, "--json"], &solve_json]
        .map(|arguments| start(&fake, arguments));
    line_with(&mut watched[0], "0*16 normal");
    watched[1].line();
    // Time for `solve` to start its computation; the test passes either way.
    assert!(watched[2].runs_for(Duration::from_millis(500)));
    fake.stop();
    for running in &mut watched {
        line_with(running, "trying again");
    }
    thread::sleep(Duration::from_secs(2));
    fake.start_again();
    for running in &mut watched {
        line_with(running, "the coordinator is back");
    }
    fake.progress(7, solve);
    for running in watched {
        let ended = running.end(LONG).with_code(0);
        assert!(ended.stdout.contains("win"), "{ended:?}");
        assert_eq!(ended.stderr.matches("trying again").count(), 1, "{ended:?}");
    }
}

#[test]
fn a_coordinator_that_forgot() {
    let mut fake = one();
    let mut watched = start(&fake, &["watch", ID]);
    line_with(&mut watched, "0*16 normal");
    let solving = start(&fake, &["solve", "0*16", "--priority", "5", "--json"]);
    fake.wait_for(|computations| computations[0].priority == 5);
    fake.stop();
    fake.forget();
    fake.start_again();
    // `solve` starts its computation again; `watch` fails.
    let computations = fake.wait_for(|computations| !computations.is_empty());
    assert_eq!(
        (&*computations[0].canonical, computations[0].priority),
        ("0*16", 5)
    );
    fake.progress(computations[0].computation, solve);
    let lines = solving.end(LONG).with_code(0).json();
    assert_eq!(column(&lines, "outcome"), ["win"]);
    let ended = watched.end(LONG).with_code(2);
    assert!(ended.stderr.contains("unknown computation"), "{ended:?}");
}

#[test]
fn an_interrupt_leaves_it_to_the_coordinator() {
    let fake = one();
    let hint = format!("{ID} --coordinator {}", fake.url());
    let mut watched = start(&fake, &["watch", ID]);
    line_with(&mut watched, "0*16 normal");
    watched.interrupt();
    let ended = watched.end(LONG).with_code(3);
    for command in ["watch", "cancel"] {
        let told = format!("`sproutnet {command} {hint}`");
        assert!(ended.stderr.contains(&told), "{ended:?}");
    }

    let mut solving = start(&fake, &["solve", "0*16", "0*17", "--priority", "1"]);
    fake.wait_for(|computations| computations.len() == 2 && computations[0].priority == 1);
    assert!(solving.runs_for(Duration::from_millis(300)));
    solving.interrupt();
    let ended = solving.end(LONG).with_code(3);
    assert!(ended.took < Duration::from_secs(2), "{:?}", ended.took);
    assert!(
        ended.stderr.contains("the coordinator goes on"),
        "{ended:?}"
    );
    let told = format!("  0*16 normal: sproutnet watch {hint}\n");
    assert!(ended.stderr.contains(&told), "{ended:?}");
    assert!(
        ended.stderr.contains("  0*17 normal: sproutnet watch "),
        "{ended:?}"
    );
    let statuses = fake.computations();
    let statuses = statuses.iter().map(|one| fake.status(one.computation));
    assert!(statuses.eq([Status::Running; 2]));
}

#[test]
fn an_interrupt_with_much_under_way() {
    let fake = Fake::with(Vec::new());
    let mut solving = start(&fake, &["solve", "0..=300", "--play", "both"]);
    // The other computations are started later.
    fake.wait_for(|computations| computations.len() > 60);
    assert!(solving.runs_for(Duration::from_millis(300)));
    let asked = fake.computations().len();
    assert!(asked < 100, "{asked}");
    solving.interrupt();
    let ended = solving.end(LONG).with_code(3);
    assert_eq!(
        ended.stderr.matches("sproutnet watch").count(),
        10,
        "{ended:?}"
    );
    let told = format!("  {} more: sproutnet list --coordinator", asked - 10);
    assert!(ended.stderr.contains(&told), "{ended:?}");
}

#[test]
fn a_pause_elsewhere_is_told_and_respected() {
    let fake = one();
    let mut solving = start(&fake, &["solve", "0*16", "--priority", "1"]);
    fake.wait_for(|computations| computations[0].priority == 1);
    fake.progress(7, |progress| progress.set_status(Status::Paused));
    let told = line_with(&mut solving, "is paused");
    assert!(
        told.contains(&format!("`sproutnet resume {ID} --coord")),
        "{told}"
    );
    fake.progress(7, |progress: &mut Progress| {
        progress.set_status(Status::Running);
    });
    fake.progress(7, solve);
    solving.end(LONG).with_code(0);
}

#[test]
fn left_to_the_coordinator_from_the_start() {
    let fake = Fake::with(Vec::new());
    let arguments = [
        "solve",
        "0*16",
        "0*9+0*7",
        "--play",
        "both",
        "--priority",
        "-3",
        "--detach",
    ];
    let text = start(&fake, &arguments).end(LONG).with_code(0).stdout;
    let computations = fake.computations();
    assert!(computations.iter().all(|one| one.priority == -3));
    let listed = start(&fake, &["list"]).end(LONG).with_code(0).stdout;
    let words = |line: &str, n: usize| -> Vec<String> {
        line.split_whitespace().take(n).map(str::to_owned).collect()
    };
    assert_eq!(words(&text, 3), ["id", "play", "position"]);
    assert_eq!((text.lines().count(), computations.len()), (5, 4));
    for (detached, listed) in text.lines().zip(listed.lines()).skip(1) {
        let [id, play, position] = &words(detached, 3)[..] else {
            panic!("{detached}")
        };
        assert_eq!(
            words(listed, 3),
            [id.clone(), position.clone(), play.clone()]
        );
    }

    // The same command again joins the computations.
    let arguments = [&arguments[..], &["--json"]].concat();
    let lines = start(&fake, &arguments).end(LONG).with_code(0).json();
    assert_eq!(fake.computations().len(), 4);
    assert_eq!(
        column(&lines, "position"),
        ["0*16", "0*16", "0*9+0*7", "0*9+0*7"]
    );
    let first = |line: &str| {
        line.split_whitespace()
            .next()
            .and_then(|id| id.parse().ok())
    };
    let ids: Option<Vec<u64>> = text.lines().skip(1).map(first).collect();
    let ids = ids.expect("the first column");
    assert_eq!(column(&lines, "id"), ids[..]);
}

#[test]
fn who_is_left_with_it_must_be_elsewhere() {
    let data = tempfile::tempdir().expect("a folder");
    let refused = command::run(data.path(), &["solve", "0*3", "--detach"]).with_code(2);
    assert!(refused.stderr.contains("--coordinator"), "{refused:?}");
}

#[test]
fn an_estimate_is_told_before_and_afterwards() {
    let estimate = |high| {
        Some(Estimate {
            low: 150.0,
            high,
            behind: 8,
        })
    };
    let fake = one();
    fake.progress(7, |progress| progress.estimate = estimate(540.0));
    let mut solved = start(&fake, &["solve", "0*16"]);
    let told = "0*16 normal: may take 2.5 min to 9 min, judging by 8 smaller starts\n";
    assert_eq!(line_with(&mut solved, "may take"), told);
    let mut watched = start(&fake, &["watch", "0*16"]);
    line_with(
        &mut watched,
        "0*16 normal: 1 min 15 s (estimate 2.5 min to 9 min), proof ",
    );
    let list = start(&fake, &["list"]).end(LONG).with_code(0);
    assert!(
        list.stdout.contains(" 2.5 min to 9 min "),
        "{}",
        list.stdout
    );
    fake.progress(7, solve);
    let ended = solved.end(LONG).with_code(0);
    let told = "0*16 normal: took 1 min 15 s, estimated 2.5 min to 9 min\n";
    assert!(ended.stderr.ends_with(told), "{}", ended.stderr);
    // With JSON, the estimate is only in the answer; for short work, none is printed.
    let fake = one();
    fake.progress(7, |progress| progress.estimate = estimate(540.0));
    fake.progress(7, solve);
    let ended = start(&fake, &["watch", "7", "--json"])
        .end(LONG)
        .with_code(0);
    assert_eq!(ended.json()[0]["estimate"]["high"], 540.0);
    assert!(!ended.stderr.contains("may take"), "{}", ended.stderr);
    let fake = one();
    fake.progress(7, |progress| progress.estimate = estimate(9.0));
    let solved = start(&fake, &["solve", "0*16"]);
    thread::sleep(Duration::from_millis(500));
    fake.progress(7, solve);
    let ended = solved.end(LONG).with_code(0);
    assert!(!ended.stderr.contains("estimated"), "{}", ended.stderr);
}
