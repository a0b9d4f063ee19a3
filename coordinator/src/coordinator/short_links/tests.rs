use super::super::lifetime::{DAY, LIFETIME, MOST};
use super::*;

const NOW: u64 = 100 * DAY;

/// Short addresses that were shared these times ago, in seconds, named by their index.
fn shared_before(times: impl IntoIterator<Item = u64>) -> BTreeMap<String, ShortLink> {
    let link = |(i, time): (usize, u64)| {
        let link = ShortLink {
            to: format!("/board/{i}"),
            shared_at: NOW - time,
        };
        (i.to_string(), link)
    };
    times.into_iter().enumerate().map(link).collect()
}

#[test]
fn a_short_address_is_forgotten_after_thirty_days() {
    let all = shared_before([0, LIFETIME, LIFETIME + 1]);
    assert_eq!(forgotten(&all, NOW).expect("room"), ["2"]);
    // A clock that was set back forgets nothing.
    assert!(forgotten(&all, 0).expect("room").is_empty());
}

#[test]
fn one_idle_address_makes_room_if_there_are_too_many() {
    let times = |oldest: u64| (0..MOST as u64).map(move |i| if i == 7 { oldest } else { i % DAY });
    assert_eq!(
        forgotten(&shared_before(times(DAY + 1)), NOW).expect("room"),
        ["7"]
    );
    let full = forgotten(&shared_before(times(DAY)), NOW);
    assert!(matches!(full, Err(CoordinatorError::Full(_))), "{full:?}");
}
