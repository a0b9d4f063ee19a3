use super::*;

const NOW: u64 = 100 * DAY;

/// Matches in which nothing happened for so long, named by their places.
fn idle_for(times: impl IntoIterator<Item = u64>) -> BTreeMap<String, SharedMatch> {
    let all = times.into_iter().enumerate().map(|(i, time)| {
        let of = SharedMatch {
            start: "3".to_owned(),
            play: Play::Normal,
            moves: Vec::new(),
            players: [None, None],
            changed_at: NOW - time,
        };
        (format!("{i}"), of)
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
    // There is room without it once old ones are forgotten.
    let all = idle_for(times(LIFETIME + 1));
    assert_eq!(forgotten(&all, NOW).expect("room"), ["7"]);
    let all = idle_for(times(DAY + 1).skip(1));
    assert!(forgotten(&all, NOW).expect("room").is_empty());
}
