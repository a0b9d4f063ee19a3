//! `sproutnet list`, `pause`, `resume` and `cancel`: computations of a coordinator elsewhere.

use crate::command::{Ended, LONG, Running, bare, column};
use crate::fake::{Fake, running, with_status};
use sproutnet_proto::v1::{Play, Status, WaitsFor};

fn run(fake: &Fake, arguments: &[&str]) -> Ended {
    let url = fake.url();
    let arguments = [arguments, &["--coordinator", &url]].concat();
    Running::start(bare(&arguments)).end(LONG)
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A normal and a misère computation of 0*16, one of Kayles, and a solved one.
fn several() -> Fake {
    let mut with_nimber = running(4, "0*4", Play::Normal);
    with_nimber.nimber = true;
    let misere = running(2, "0*16", Play::Misere);
    Fake::with(vec![
        running(1, "0*16", Play::Normal),
        with_status(misere, Status::Paused),
        running(u64::MAX, "kayles:3+5", Play::Normal),
        with_status(with_nimber, Status::Solved),
    ])
}

#[test]
fn a_table_of_computations() {
    let text = run(&several(), &["list"]).with_code(0).stdout;
    let lines: Vec<&str> = text.lines().collect();
    let expected = [
        "id position play status outcome priority weight owner label proof disproof time estimate expansions records \
         machine jobs waits",
        "1 0*16 normal running unknown 0 1 - - 17 2,048 1 min 15 s - 12,000 345 5 min 00 s 3 -",
        "18446744073709551615 kayles:3+5 normal running unknown 0 1 - - 17 2,048 1 min 15 s - 12,000 345 5 min 00 s 3 -",
        "2 0*16 misere paused unknown 0 1 - - 17 2,048 1 min 15 s - 12,000 345 5 min 00 s 3 -",
        "4 0*4 normal+nimber solved win 0 1 - - 0 inf 1 min 15 s - 12,000 345 5 min 00 s 0 -",
    ];
    let found: Vec<String> = lines.iter().map(|line| words(line).join(" ")).collect();
    assert_eq!(found, expected);
    // Numbers are aligned to the right, so the last column begins at the same place in all lines.
    let last = |line: &&str| line.rfind(' ');
    assert!(
        lines.iter().all(|line| last(line) == last(&lines[0])),
        "{text}"
    );

    let none = run(&Fake::with(Vec::new()), &["list"]).with_code(0);
    assert_eq!(none.stdout, "no computations\n");
}

#[test]
fn computations_of_a_status() {
    let ids = |arguments: &[&str]| {
        let lines = run(&several(), arguments).with_code(0).json();
        let id = |line: &serde_json::Value| line["id"].as_u64();
        lines.iter().map(id).collect::<Vec<_>>()
    };
    let all = [Some(1), Some(2), Some(u64::MAX), Some(4)];
    assert_eq!(ids(&["list", "--json"]), all, "the order of a coordinator");
    let running = ["list", "--status", "running", "--json"];
    assert_eq!(ids(&running), [Some(1), Some(u64::MAX)]);
    let none = run(&several(), &["list", "--status", "failed"]).with_code(0);
    assert_eq!(none.stdout, "no failed computations\n");
    let unknown = run(&several(), &["list", "--status", "done"]).with_code(2);
    assert!(unknown.stderr.contains("expired"), "{unknown:?}");
}

#[test]
fn why_shows_branches_speed_and_waste() {
    let text = run(&several(), &["why", "1"]).with_code(0).stdout;
    let lines: Vec<String> = text.lines().map(|line| words(line).join(" ")).collect();
    let expected = [
        "1 0*16 normal: running, worked on for 1 min 15 s, 12,000 expansions, 3 jobs out",
        "the effort to prove a win is estimated at 17, a loss at 2,048",
        "no estimate of its time: only starts have one, if enough smaller ones were solved here",
        "",
        "the last expansions/s records/s proof then disproof then",
        "1 min 00 s 3,000 4 30 10",
        "1 min 15 s 160 4 - -",
        "",
        "100 records arrived since the coordinator started; 20 % of them were known before",
        "10 % of the expansions were for jobs that were no longer wanted",
        "judging by this, another worker like these adds at most 72 % of its own speed",
        "",
        "6 moves may still win; the hardest:",
        "position proof disproof jobs",
        "0*7+1 next to *2 40 12 2",
    ];
    assert_eq!(lines, expected, "{text}");
    // Nothing is open once it is solved.
    let solved = run(&several(), &["why", "4"]).with_code(0).stdout;
    assert!(
        solved.starts_with("4  0*4 normal+nimber: solved, worked on for "),
        "{solved}"
    );
    let json = run(&several(), &["why", "0*16", "--play", "misere", "--json"]);
    let json = &json.with_code(0).json()[0];
    assert_eq!(json["computation"]["id"], 2);
    assert_eq!(json["branches"]["open"][0]["proof"], 40);
    assert_eq!(json["paces"][0]["disproof"], 10);
    let unknown = run(&several(), &["why", "99"]).with_code(2).stderr;
    assert!(unknown.contains("no computation 99 here"), "{unknown}");
    let mut single = running(1, "0*16", Play::Normal);
    single.progress.as_mut().expect("progress").jobs = 1;
    let text = run(&Fake::with(vec![single]), &["why", "1"])
        .with_code(0)
        .stdout;
    assert!(text.contains(" expansions, 1 job out\n"), "{text}");
}

#[test]
fn computations_as_json() {
    let mut first = running(1, "0*16", Play::Misere);
    first.priority = -7;
    first.weight = 3;
    first.owner = "alice".to_owned();
    first.label = "misère 16".to_owned();
    first.set_waits_for(WaitsFor::Turn);
    let fake = Fake::with(vec![
        first,
        with_status(running(2, "0*4", Play::Normal), Status::Solved),
    ]);
    let lines = run(&fake, &["list", "--json"]).with_code(0).json();
    let expected = serde_json::json!({
        "id": 1, "position": "0*16", "play": "misere", "nimber_wanted": false,
        "priority": -7, "weight": 3, "owner": "alice", "label": "misère 16", "started_at": 1_700_000_000,
        "machine_seconds": 300.0, "waits_for": "turn", "paused_by": null, "status": "running", "outcome": "unknown",
        "nimber": null, "source": null, "proof": 17, "disproof": 2048, "seconds": 75.0,
        "expansions": 12000, "records": 345, "nodes": 678, "jobs": 3, "fault": null, "estimate": null,
    });
    assert_eq!(lines[0], expected);
    assert_eq!(column(&lines, "outcome"), ["unknown", "win"]);
    assert_eq!(run(&Fake::with(Vec::new()), &["list", "--json"]).stdout, "");
}

#[test]
fn a_table_says_why_computations_wait() {
    let mut paused = with_status(running(1, "0*16", Play::Normal), Status::Paused);
    paused.set_waits_for(WaitsFor::Resumption);
    paused.paused_by = Some("alice".to_owned());
    let mut waiting = running(2, "0*17", Play::Normal);
    waiting.set_waits_for(WaitsFor::Turn);
    waiting.owner = "bob\x1b[2J".to_owned();
    let mut for_no_worker = running(3, "kayles:40", Play::Misere);
    for_no_worker.set_waits_for(WaitsFor::Game);
    let fake = Fake::with(vec![paused, waiting, for_no_worker]);
    let text = run(&fake, &["list"]).with_code(0).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].contains("  its share is used and others are due"),
        "{text}"
    );
    assert!(lines[1].contains(" bob?[2J "), "{text}");
    let of_no_worker = "no connected worker takes jobs of its game";
    assert!(lines[2].ends_with(of_no_worker), "{text}");
    assert!(lines[3].contains("  paused by alice"), "{text}");
    let text = run(&fake, &["why", "3"]).with_code(0).stdout;
    let line = format!("it waits: {of_no_worker}");
    assert_eq!(text.lines().nth(1), Some(&*line), "{text}");
}

#[test]
fn the_weight_is_given_at_the_start_and_changed() {
    let fake = Fake::with(Vec::new());
    let start = ["solve", "0*16", "--detach", "--weight", "3"];
    let named = ["--owner", "alice", "--label", "misère 16"];
    run(&fake, &[&start[..], &named].concat()).with_code(0);
    let [started] = &fake.computations()[..] else {
        panic!("one was started");
    };
    assert_eq!((started.weight, &*started.owner), (3, "alice"));
    assert_eq!(started.label, "misère 16");
    let id = started.computation.to_string();
    let changed = run(&fake, &["weight", &id, "7"]).with_code(0);
    assert_eq!(
        words(&changed.stdout),
        ["weight", "7", &id, "0*16", "normal"]
    );
    assert_eq!(fake.computations()[0].weight, 7);
    let line = run(&fake, &["priority", "0*16", "1000", "--json"]).with_code(0);
    assert_eq!(line.json()[0]["weight"], 1000);
    for wrong in ["0", "1001", "-1", "x"] {
        run(&fake, &["weight", &id, wrong]).with_code(2);
    }
    run(&fake, &["solve", "0*17", "--weight", "0"]).with_code(2);
}

#[test]
fn texts_from_elsewhere_do_not_steer_the_terminal() {
    let fake = Fake::with(vec![running(1, "0*\x1b[2J16\n", Play::Normal)]);
    let listed = run(&fake, &["list"]).with_code(0).stdout;
    assert_eq!(listed.lines().count(), 2, "{listed:?}");
    assert!(listed.contains(" 0*?[2J16? "), "{listed:?}");
}

#[test]
fn by_the_id_that_was_printed() {
    let fake = several();
    let id = "18446744073709551615";
    for (command, done, status) in [
        ("pause", "paused", Status::Paused),
        ("resume", "resumed", Status::Running),
        ("cancel", "cancelled", Status::Cancelled),
        ("resume", "resumed", Status::Running),
    ] {
        let ended = run(&fake, &[command, id]).with_code(0);
        assert_eq!(words(&ended.stdout), [done, id, "kayles:3+5", "normal"]);
        assert_eq!(ended.stderr, "");
        assert_eq!(fake.status(u64::MAX), status);
    }
    let line = run(&fake, &["pause", id, "--json"])
        .with_code(0)
        .json()
        .remove(0);
    let expected = serde_json::json!({
        "id": u64::MAX, "position": "kayles:3+5", "play": "normal", "did": "paused",
    });
    assert_eq!(line, expected);
}

#[test]
fn by_position_and_convention() {
    let fake = several();
    run(&fake, &["pause", "kayles:5+3"]).with_code(0);
    assert_eq!(fake.status(u64::MAX), Status::Paused);
    run(&fake, &["cancel", "0*16", "--play", "misere"]).with_code(0);
    assert_eq!(
        [1, 2].map(|id| fake.status(id)),
        [Status::Running, Status::Cancelled]
    );
    // Only one computation of 0*16 is still under way, so the name is unambiguous.
    run(&fake, &["pause", "0*16"]).with_code(0);
    assert_eq!(
        [1, 2].map(|id| fake.status(id)),
        [Status::Paused, Status::Cancelled]
    );
}

#[test]
fn names_that_do_not_tell_which() {
    let fake = several();
    let before = fake.computations();
    for command in ["pause", "resume", "cancel", "watch"] {
        let ambiguous = run(&fake, &[command, "0*16"]).with_code(2).stderr;
        for part in ["1  normal", "2  misere"] {
            assert!(ambiguous.contains(part), "{ambiguous}");
        }
        let unknown = run(&fake, &[command, "0*17"]).with_code(2).stderr;
        assert!(unknown.contains("no computation of 0*17"), "{unknown}");
        let unknown = run(&fake, &[command, "9"]).with_code(2).stderr;
        assert!(unknown.contains("no computation 9"), "{unknown}");
        let neither = run(&fake, &[command, "0*x"]).with_code(2).stderr;
        assert!(
            neither.contains("neither an id nor a position"),
            "{neither}"
        );
        // `watch` without a computation shows the overview.
        if command != "watch" {
            run(&fake, &[command]).with_code(2);
        }
    }
    assert_eq!(fake.computations(), before);
}

#[test]
fn several_at_once_or_none() {
    let fake = several();
    // An unknown name prevents all changes.
    run(&fake, &["pause", "1", "0*17"]).with_code(2);
    assert_eq!(fake.status(1), Status::Running);
    let ended = run(&fake, &["pause", "1", "18446744073709551615"]).with_code(0);
    assert_eq!(ended.stdout.lines().count(), 2, "{}", ended.stdout);
    assert_eq!([1, u64::MAX].map(|id| fake.status(id)), [Status::Paused; 2]);
}

#[test]
fn what_a_coordinator_refuses() {
    let fake = several();
    for command in ["pause", "resume"] {
        let refused = run(&fake, &[command, "0*4"]).with_code(2).stderr;
        assert!(refused.contains("4, 0*4 normal+nimber: "), "{refused}");
        assert!(refused.contains("has ended"), "{refused}");
    }
}
