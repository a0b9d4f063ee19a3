use super::*;

#[test]
fn a_player_is_here_until_the_last_page_is_closed() {
    let presence = Arc::new(Presence::default());
    let now = Instant::now();
    let changes = presence.changes();
    assert_eq!(presence.of("one"), Players::default());
    let pages = [(), ()].map(|()| presence.open("one", 1, now));
    let [first, second] = presence.of("one").map(|player| player.told(now));
    assert!(!first.here && first.left_seconds_ago.is_none());
    assert!(second.here && second.left_seconds_ago.is_none());
    let [page, last] = pages;
    drop(page);
    assert!(presence.of("one")[1].told(now).here);
    drop(last);
    let later = Instant::now() + Duration::from_secs(120);
    let second = presence.of("one")[1].told(later);
    assert!(!second.here);
    assert!(second.left_seconds_ago.is_some_and(|ago| ago >= 120));
    assert_eq!(*changes.borrow(), 4);
    // The player comes back.
    let _page = presence.open("one", 1, now);
    let second = presence.of("one")[1].told(later);
    assert!(second.here && second.left_seconds_ago.is_none());
}

#[test]
fn who_left_is_forgotten_after_a_day() {
    let presence = Arc::new(Presence::default());
    let now = Instant::now();
    drop(presence.open("left", 0, now));
    let _stays = presence.open("stays", 0, now);
    let later = Instant::now() + REMEMBERED;
    let _page = presence.open("new", 0, later);
    assert_eq!(presence.of("left"), Players::default());
    assert!(presence.of("stays")[0].told(later).here);
}
