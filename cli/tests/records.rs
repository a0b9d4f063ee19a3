//! `sproutnet records` and `revoke`: the records of each worker, and revoking them.

use std::path::Path;
use std::time::Instant;

use sproutnet_coordinator::{Config, Coordinator, Introduction, Report, ReportContent};
use sproutnet_game as game;
use sproutnet_solver::play::{Knowledge, Outcome, Play, Rules};
use sproutnet_store::{OWN, Sourced, Worth, block};
use tempfile::tempdir;

use crate::command::run;

/// Opens a coordinator on a folder, and lets a worker report that positions are losses.
fn tell(data: &Path, name: &str, identity: u64, lost: &[(&str, Play)]) {
    let now = Instant::now();
    let coordinator = Coordinator::open(data, Config::default(), now).expect("a store");
    let who = Introduction {
        name: name.to_owned(),
        peer: Some("10.0.0.7:4711".to_owned()),
        cores: 1,
        identity,
        ..Introduction::default()
    };
    let registered = coordinator.jobs.register(who, now);
    let knowledge = Knowledge::default();
    let known = knowledge.game("sprouts").expect("a game");
    let record = |&(text, play): &(&str, Play)| {
        let (_, position) = game::parse(text).expect("a position");
        let state = match play {
            Play::Normal => known.normal.state(&position).encode(&*known.normal),
            Play::Misere => known.misere.state(&position).encode(&*known.misere),
        };
        let record = known.record_of(play, &state.expect("small"), Outcome::Loss);
        record.expect("one land")
    };
    let mut records: Vec<_> = lost.iter().map(record).collect();
    records.sort();
    let records = records.iter().map(|record| Sourced {
        key: &record.key,
        value: record.value,
        worth: Worth::LEAST,
        source: OWN,
    });
    let report = Report {
        worker: registered.expect("accepted").0,
        content: ReportContent::Delivery(vec![block::encode(records).expect("different keys")]),
    };
    coordinator.jobs.report(report, now).expect("taken");
}

#[test]
fn who_told_what_and_taking_it_back() {
    let data = tempdir().expect("a folder");
    let nobody = run(data.path(), &["records"]).with_code(0).stdout;
    assert_eq!(nobody, "no worker reported any records\n");
    tell(data.path(), "early", 1, &[("0*6", Play::Normal)]);
    let lost = [("0*7", Play::Normal), ("0*8", Play::Misere)];
    tell(data.path(), "late", 2, &lost);

    let sources = run(data.path(), &["records"]).with_code(0).stdout;
    let expected = "\
source  worker  peer           records  quarantined
1       early   10.0.0.7:4711        1
2       late    10.0.0.7:4711        2
";
    let lines = |text: &str| {
        text.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_eq!(lines(&sources), lines(expected));
    let told = run(data.path(), &["records", "--source", "late"]).with_code(0);
    let mut told: Vec<&str> = told.stdout.lines().collect();
    told.sort_unstable();
    assert_eq!(told, ["misere  0*8  loss", "normal  0*7  nimber 0"]);
    let told = run(data.path(), &["records", "--source", "1", "--json"]);
    let expected = serde_json::json!({
        "position": "0*6", "value": null, "play": "normal", "says": "nimber 0",
    });
    assert_eq!(told.with_code(0).json(), [expected]);

    let unknown = run(data.path(), &["revoke", "--source", "nobody"]).with_code(2);
    assert!(unknown.stderr.contains("`nobody`"), "{}", unknown.stderr);
    let revoked = run(data.path(), &["revoke", "--source", "late", "--json"]);
    let revoked = &revoked.with_code(0).json()[0];
    assert_eq!(
        (&revoked["source"], &revoked["name"]),
        (&2.into(), &"late".into())
    );
    let sources = run(data.path(), &["records", "--json"]).with_code(0).json();
    assert_eq!(sources[0]["records"], 1);
    assert_eq!(sources[0]["quarantine"], serde_json::Value::Null);
    assert_eq!(sources[1]["records"], 0);
    assert_eq!(&sources[1], revoked);
}
