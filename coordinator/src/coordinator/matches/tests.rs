use super::super::lifetime::{DAY, LIFETIME, MOST};
use super::*;

const NOW: u64 = 100 * DAY;

/// Matches without a change for these times in seconds, named by their index.
fn idle_for(times: impl IntoIterator<Item = u64>) -> BTreeMap<String, Entry> {
    let all = times.into_iter().enumerate().map(|(i, time)| {
        let idle = SharedMatch {
            start: "3".to_owned(),
            play: Play::Normal,
            moves: Vec::new(),
            players: [None, None],
            resigned: None,
            rematch: None,
            changed_at: NOW - time,
        };
        (format!("{i}"), entry(idle))
    });
    all.collect()
}

#[test]
fn a_match_is_forgotten_after_thirty_days() {
    let all = idle_for([0, DAY, LIFETIME, LIFETIME + 1, 2 * LIFETIME]);
    assert_eq!(forgotten(&all, NOW).expect("room"), ["3", "4"]);
    // A clock that was set back forgets nothing.
    assert!(forgotten(&all, 0).expect("room").is_empty());
}

#[test]
fn one_idle_match_makes_room_if_there_are_too_many() {
    let times = |oldest: u64| (0..MOST as u64).map(move |i| if i == 7 { oldest } else { i % DAY });
    let all = idle_for(times(DAY + 1));
    assert_eq!(forgotten(&all, NOW).expect("room"), ["7"]);
    let full = forgotten(&idle_for(times(DAY)), NOW);
    assert!(matches!(full, Err(CoordinatorError::Full(_))), "{full:?}");
    // Once old matches are removed, there is room without it.
    let all = idle_for(times(LIFETIME + 1));
    assert_eq!(forgotten(&all, NOW).expect("room"), ["7"]);
    let all = idle_for(times(DAY + 1).skip(1));
    assert!(forgotten(&all, NOW).expect("room").is_empty());
}

#[test]
fn a_match_that_is_being_written_holds_up_no_other() {
    let data = tempfile::tempdir().expect("a folder");
    let config = crate::Config {
        disk_reserve: Some(0),
        ..crate::Config::default()
    };
    let now = std::time::Instant::now();
    let coordinator = crate::Coordinator::open(data.path(), config, now).expect("a store");
    let matches = &coordinator.matches;
    for name in ["slow", "other"] {
        matches
            .begin(name, "first", 0, "3", Play::Normal)
            .expect("begun");
    }
    let changed = matches.change("slow", |of| {
        of.moves.push(".a".to_owned());
        // As if a slow write were under way: other threads go on.
        let others = || {
            assert!(matches.get("other").is_some());
            assert!(matches.add("other", 0, ".b".to_owned()).expect("made"));
            matches
                .begin("new", "first", 0, "3", Play::Normal)
                .expect("begun");
        };
        std::thread::scope(|scope| scope.spawn(others).join()).expect("no panic");
        true
    });
    assert!(changed.expect("made"));
    assert_eq!(matches.get("slow").expect("a match").moves, [".a"]);
}
