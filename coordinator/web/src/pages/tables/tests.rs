use super::*;
use sproutnet_coordinator::scheduler::computation::{Progress, Status};

fn listed(canonical: &str, status: Status) -> Computation {
    Computation {
        id: 1,
        position: canonical.to_owned(),
        play: Play::Misere,
        nimber_wanted: false,
        priority: 0,
        weight: 1,
        owner: String::new(),
        label: String::new(),
        started_at: 0,
        machine_seconds: 0.0,
        waits_for: None,
        paused_by: None,
        progress: Progress {
            status,
            ..Progress::default()
        },
    }
}

fn entry(size: u32, outcome: Outcome, source: Source) -> TableEntry {
    TableEntry {
        position: format!("0*{size}"),
        size,
        play: Play::Misere,
        outcome,
        nimber: None,
        source,
        citation: Some("somebody".to_owned()),
        verified: false,
    }
}

#[test]
fn starts_show_where_they_are_from_and_what_runs() {
    let entries = vec![
        entry(1, Outcome::Win, Source::Literature),
        entry(2, Outcome::Loss, Source::Store),
    ];
    let computations = [
        listed("0*9", Status::Running),
        listed("0*8", Status::Cancelled),
        listed("0*3.AB|0.AB", Status::Running),
        listed("0*7", Status::Paused),
    ];
    let [normal, misere] = of(entries, &computations);
    assert_eq!((normal.starts.len(), misere.starts.len()), (12, 24));
    assert!(normal.starts.iter().all(|start| start.known.is_none()));
    let running: Vec<u32> = misere
        .starts
        .iter()
        .filter(|start| start.in_progress)
        .map(|start| start.spots)
        .collect();
    assert_eq!(running, [7, 9]);
    let [_, one, two, ..] = &misere.starts[..] else {
        panic!("there are more");
    };
    assert!(one.is_exception() && !one.is_solved_here());
    assert!(two.is_solved_here() && !two.is_exception());
}

#[test]
fn tables_grow_by_whole_rows() {
    let far = [listed("0*108", Status::Running)];
    let [normal, misere] = of(Vec::new(), &far);
    assert_eq!((normal.starts.len(), misere.starts.len()), (12, 120));
    assert!(misere.starts[108].in_progress);
}

#[test]
fn what_was_published_agrees_but_for_two_starts_of_misere_play() {
    let mut exceptions = Vec::new();
    for play in Play::ALL {
        let published = sproutnet_model::published(play);
        exceptions.extend(
            published
                .filter(|known| known.outcome != conjectured(play, known.spots))
                .map(|known| (play, known.spots)),
        );
    }
    assert_eq!(exceptions, [(Play::Misere, 1), (Play::Misere, 4)]);
}

fn start(known: Option<(Outcome, Source, bool)>, in_progress: bool) -> Start {
    Start {
        spots: 8,
        play: Play::Misere,
        known: known.map(|(outcome, source, verified)| TableEntry {
            citation: Some("OEIS A164950".to_owned()),
            verified,
            ..entry(8, outcome, source)
        }),
        in_progress,
    }
}

#[test]
fn cells_say_what_they_show() {
    for (start, expected) in [
        (start(None, false), "0*8, misère: open"),
        (start(None, true), "0*8, misère: in progress"),
        (
            start(Some((Outcome::Loss, Source::Store, false)), false),
            "0*8, misère: loss for the player to move, solved here",
        ),
        (
            start(Some((Outcome::Loss, Source::Store, true)), false),
            "0*8, misère: loss for the player to move, solved here, verified",
        ),
        (
            start(Some((Outcome::Loss, Source::Literature, false)), true),
            "0*8, misère: loss for the player to move, literature: OEIS A164950; in progress",
        ),
        (
            start(Some((Outcome::Win, Source::Literature, false)), false),
            "0*8, misère: win for the player to move, literature: OEIS A164950, not as conjectured",
        ),
    ] {
        assert_eq!(start.label(), expected);
        // Who says what they see chooses the cell.
        let seen = format!("{} {}", start.spots, start.letter());
        assert_eq!(start.name(), format!("{}, {expected}", seen.trim_end()));
    }
}

#[test]
fn cells_look_different() {
    let here = start(Some((Outcome::Win, Source::Search, false)), false);
    assert_eq!(here.classes(), "start win here exception");
    assert_eq!(start(None, true).classes(), "start open busy");
}
