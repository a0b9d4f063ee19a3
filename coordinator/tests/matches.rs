//! Matches between two people, on disk.

use std::time::Instant;

use sproutnet_coordinator::{Config, Coordinator, CoordinatorError};
use sproutnet_solver::play::Play;

fn open(data: &std::path::Path, disk_reserve: u64) -> Coordinator {
    let config = Config {
        disk_reserve: Some(disk_reserve),
        ..Config::default()
    };
    Coordinator::open(data, config, Instant::now()).expect("a store")
}

fn is_full<T: std::fmt::Debug>(refused: &Result<T, CoordinatorError>) {
    assert!(
        matches!(refused, Err(CoordinatorError::DiskFull(_))),
        "{refused:?}"
    );
}

#[test]
fn what_was_accepted_is_there_after_a_restart_and_nothing_else() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let matches = &coordinator.matches;
    matches
        .begin("one", "first", 0, "3", Play::Misere)
        .expect("begun");
    assert!(matches.join("one", "second").expect("joined"));
    assert!(!matches.join("one", "third").expect("refused"));
    assert!(matches.add("one", 0, ".a".to_owned()).expect("made"));
    assert!(!matches.add("one", 0, ".b".to_owned()).expect("too late"));
    assert!(matches.add("two", 0, ".b".to_owned()).is_err());
    let before = matches.get("one").expect("a match");
    assert_eq!(
        (before.player("first"), before.player("second")),
        (Some(0), Some(1))
    );
    assert_eq!((before.player("third"), before.version()), (None, 3));
    drop(coordinator);

    // No disk has this much room.
    let coordinator = open(data.path(), u64::MAX);
    let matches = &coordinator.matches;
    assert_eq!(matches.get("one").as_ref(), Some(&before));
    is_full(&matches.add("one", 1, ".c".to_owned()));
    is_full(&matches.begin("two", "first", 0, "3", Play::Normal));
    assert_eq!(matches.get("one").as_ref(), Some(&before));
    assert_eq!(matches.get("two"), None);
    drop(coordinator);

    let coordinator = open(data.path(), 0);
    let matches = &coordinator.matches;
    assert_eq!(matches.get("one").as_ref(), Some(&before));
    assert!(matches.add("one", 1, ".d".to_owned()).expect("made"));
    assert_eq!(matches.get("one").expect("a match").moves, [".a", ".d"]);
}

#[test]
fn a_resignation_is_kept_and_ends_the_match() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let matches = &coordinator.matches;
    matches
        .begin("one", "first", 0, "3", Play::Normal)
        .expect("begun");
    assert!(matches.join("one", "second").expect("joined"));
    assert!(matches.add("one", 0, ".a".to_owned()).expect("made"));
    assert!(
        !matches.resign("one", 0, 0).expect("late"),
        "a move was made meanwhile"
    );
    assert!(matches.resign("one", 1, 0).expect("resigned"));
    assert!(!matches.resign("one", 1, 1).expect("it has ended"));
    assert!(
        !matches
            .add("one", 1, ".b".to_owned())
            .expect("it has ended")
    );
    let before = matches.get("one").expect("a match");
    assert_eq!((before.resigned, before.version()), (Some(0), 4));
    drop(coordinator);

    let coordinator = open(data.path(), 0);
    assert_eq!(coordinator.matches.get("one"), Some(before));
}

#[test]
fn of_two_offers_of_a_rematch_the_first_counts() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let matches = &coordinator.matches;
    matches
        .begin("one", "first", 0, "3", Play::Normal)
        .expect("begun");
    assert!(matches.offer("one", None, "two").expect("offered"));
    assert!(!matches.offer("one", None, "three").expect("late"));
    // An offer whose match was removed is replaced.
    assert!(matches.offer("one", Some("two"), "four").expect("offered"));
    drop(coordinator);

    let coordinator = open(data.path(), 0);
    let of = coordinator.matches.get("one").expect("a match");
    assert_eq!((of.rematch.as_deref(), of.version()), (Some("four"), 2));
}

#[test]
fn there_are_only_so_many() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let matches = &coordinator.matches;
    let mut begun = 0;
    let full = loop {
        match matches.begin(&begun.to_string(), "first", 0, "3", Play::Normal) {
            Ok(()) => begun += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, CoordinatorError::Full(_)), "{full:?}");
    assert_eq!(begun, 1000);
    assert!(matches.get("0").is_some(), "those that are new stay");
}

#[test]
fn a_short_address_is_there_after_a_restart_and_its_match_has_no_other() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let links = &coordinator.short_links;
    assert_eq!(links.share("one", "/board/3").expect("made"), "one");
    assert_eq!(links.share("two", "/board/3").expect("known"), "one");
    assert_eq!(links.get("one").as_deref(), Some("/board/3"));
    assert_eq!(links.get("two"), None);
    drop(coordinator);

    // No disk has this much room.
    let coordinator = open(data.path(), u64::MAX);
    let links = &coordinator.short_links;
    is_full(&links.share("two", "/board/4"));
    assert_eq!(links.get("one").as_deref(), Some("/board/3"));
    assert_eq!(links.get("two"), None);
}

#[test]
fn there_are_only_so_many_short_addresses() {
    let data = tempfile::tempdir().expect("a folder");
    let coordinator = open(data.path(), 0);
    let links = &coordinator.short_links;
    let mut made = 0;
    let full = loop {
        match links.share(&made.to_string(), &format!("/board/{made}")) {
            Ok(_) => made += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, CoordinatorError::Full(_)), "{full:?}");
    assert_eq!(made, 1000);
    // One that is known needs no room.
    assert_eq!(links.share("new", "/board/0").expect("known"), "0");
}
