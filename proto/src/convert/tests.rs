//! Values survive the wire unchanged.

use std::fmt::Debug;

use sproutnet_model::{
    Answer, Branch, Branches, Computation, DescribedRecord, Effort, Estimate, Explanation, Fleet,
    FleetWorker, Known, Line, Pace, Progress, Provenance, Quarantine, RecordSource, Source,
    Standing, Status, Step, TableEntry, Verdict, WaitsFor,
};
use sproutnet_notation::{Numbers, Outcome, Play};

use crate::v1;

/// Asserts that a value is the same after it was encoded and decoded.
fn survives<T, W>(value: &T)
where
    T: Clone + Debug + PartialEq + From<W>,
    W: From<T> + prost::Message + Default,
{
    let bytes = W::from(value.clone()).encode_to_vec();
    let message = W::decode(&bytes[..]).expect("a message");
    assert_eq!(&T::from(message), value);
}

fn verdict(verified: Vec<Play>) -> Verdict {
    Verdict {
        canonical: "0*2".to_owned(),
        normal: Known::Loss,
        misere: Known::Unknown,
        nimber: Some(0),
        genus: Some("0^02".to_owned()),
        verified,
    }
}

fn standings() -> [Standing; 5] {
    let provenance = Provenance {
        computation: Some(3),
        solved_at: 1_795_000_000,
        seconds: 0.5,
        expansions: 7,
        records: 11,
    };
    [
        Standing::open(None),
        Standing::open(Some(4)),
        Standing {
            citation: Some("OEIS".to_owned()),
            ..Standing::known(Some(Outcome::Win), Source::Literature)
        },
        Standing {
            citation: Some("a certificate".to_owned()),
            ..Standing::known(Some(Outcome::Loss), Source::Atlas)
        },
        Standing {
            solved: Some(provenance),
            verified: true,
            ..Standing::known(Some(Outcome::Loss), Source::Store)
        },
    ]
}

#[test]
fn answers() {
    for normal in standings() {
        let answer = Answer {
            canonical: "0*8".to_owned(),
            game: "sprouts".to_owned(),
            most_moves: 23,
            normal,
            misere: Standing::open(None),
            nimber: None,
            genus: None,
            lands: vec![verdict(vec![]), verdict(Play::ALL.to_vec())],
        };
        survives::<_, v1::QueryResponse>(&(answer, vec![verdict(vec![Play::Misere])]));
    }
}

#[test]
fn lines_and_tables_and_records() {
    for play in Play::ALL {
        let step = |outcome| Step {
            canonical: "!".to_owned(),
            outcome,
            verified: true,
        };
        let line = Line {
            play,
            steps: [Known::Win, Known::Loss, Known::Unknown].map(step).to_vec(),
            complete: true,
        };
        let wire = v1::LineResponse::from(line.clone());
        assert_eq!(super::line(wire, play), line);
        survives::<_, v1::TableEntry>(&TableEntry {
            position: "0*12".to_owned(),
            size: 12,
            play,
            outcome: Outcome::Loss,
            nimber: Some(0),
            source: Source::Derived,
            citation: None,
            verified: true,
        });
        survives::<_, v1::DescribedRecord>(&DescribedRecord {
            position: "0*7".to_owned(),
            value: Some("2^20".to_owned()),
            play,
            says: "win".to_owned(),
        });
    }
}

fn computation(status: Status) -> Computation {
    Computation {
        id: u64::MAX,
        position: "kayles:5".to_owned(),
        play: Play::Misere,
        nimber_wanted: true,
        priority: -5,
        weight: 3,
        owner: "alice".to_owned(),
        label: "misère 24".to_owned(),
        started_at: 1_795_000_000,
        machine_seconds: 2.5,
        waits_for: [None, Some(WaitsFor::Turn)][usize::from(status == Status::Running)],
        paused_by: Some("bob".to_owned()),
        progress: Progress {
            status,
            outcome: Known::Win,
            nimber: Some(3),
            source: Some(Source::Search),
            root: Numbers::solved(Outcome::Loss),
            seconds: 1.25,
            expansions: 1,
            records: 2,
            nodes: 3,
            jobs: 4,
            fault: Some("it failed".to_owned()),
            estimate: Some(Estimate {
                low: 0.5,
                high: 2.0,
                behind: 3,
            }),
        },
    }
}

#[test]
fn computations() {
    for status in Status::ALL {
        survives::<_, v1::Computation>(&computation(status));
    }
}

#[test]
fn explanations() {
    let numbers = Numbers {
        proof: 40,
        disproof: 12,
    };
    let branch = |value: Option<&str>| Branch {
        position: "0*7".to_owned(),
        value: value.map(str::to_owned),
        numbers,
        jobs: 2,
    };
    survives::<_, v1::ExplainResponse>(&Explanation {
        computation: computation(Status::Running),
        branches: Some(Branches {
            open: vec![branch(None), branch(Some("*2"))],
            more: 7,
            are_parts: true,
        }),
        effort: Effort {
            expansions: 1,
            unwanted_expansions: 2,
            new_records: 3,
            repeated_records: 4,
        },
        paces: vec![Pace {
            seconds: 60.5,
            expansions: 1.5,
            records: 2.5,
            before: numbers,
        }],
    });
}

#[test]
fn fleets() {
    let source = |quarantine| RecordSource {
        source: 7.into(),
        name: "desk".to_owned(),
        peer: "[::1]:7".to_owned(),
        records: 9,
        quarantine,
    };
    let quarantine = Quarantine {
        why: "it reported a false record".to_owned(),
        at: 1_795_000_000,
    };
    survives::<_, v1::SourceStatus>(&source(None));
    let worker = FleetWorker {
        id: u64::MAX.to_string(),
        name: "desk".to_owned(),
        peer: "[::1]:7".to_owned(),
        version: "0.1.0 (1a2b3c4)".to_owned(),
        cores: 2,
        jobs: 1,
        expansions: 3,
        expansions_per_second: 1.5,
        records: 4,
        memory: 5,
        silent: 0.25,
    };
    let fleet = Fleet {
        uptime: 1.0,
        cores: 0,
        jobs: 0,
        expansions_per_second: 0.0,
        records: 1,
        store_bytes: 2,
        disk_free: Some(9),
        disk_reserve: Some(8),
        problem: Some("disk full".to_owned()),
        least_worth: 64,
        nodes: 3,
        leased: 4,
        finished: 5,
        expired: 6,
        released: 7,
        workers: vec![worker.clone(), worker],
        quarantined: vec![source(Some(quarantine))],
    };
    let fleet = fleet.summed();
    assert_eq!((fleet.cores, fleet.jobs), (4, 2));
    survives::<_, v1::FleetResponse>(&fleet);
}
