use super::*;

#[test]
fn the_newest_names_are_kept() {
    let backups = Backups::new();
    let name = |number: u64| -> Arc<str> { format!("folder {number}").into() };
    let most = MOST_NAMES as u64;
    for number in 0..most {
        backups.note(name(number), 1_000 + number);
    }
    backups.note(name(0), 2_000);
    assert_eq!(backups.ends().len(), MOST_NAMES);
    assert_eq!(backups.ends().get(&name(0)), Some(&2_000));
    backups.note(name(most), 2_001);
    let ends = backups.ends();
    assert_eq!(ends.len(), MOST_NAMES);
    assert!(!ends.contains_key(&name(1)), "it has the oldest backup");
    assert!(ends.contains_key(&name(0)) && ends.contains_key(&name(most)));
}
