use super::*;

const MS: Duration = Duration::from_millis(1);

#[tokio::test(start_paused = true)]
async fn the_pause_follows_the_load_and_what_is_found() {
    let mut pace = Pace::new();
    let began = Instant::now();
    assert_eq!(pace.due(false) - began, 20 * MS);
    assert_eq!(pace.due(true) - began, LONGEST);

    tokio::time::advance(10 * MS).await;
    pace.stored(began, true);
    assert_eq!(pace.pause(), 40 * MS);
    pace.delivered(began);
    assert_eq!(pace.pause(), 80 * MS);
    tokio::time::advance(3 * LONGEST).await;
    pace.delivered(began);
    assert_eq!(pace.pause(), LONGEST);

    pace.delivered(Instant::now());
    for pause in [40, 80, 160] {
        pace.stored(Instant::now(), false);
        assert_eq!(pace.pause(), pause * MS);
    }
    for _ in 0..100 {
        pace.stored(Instant::now(), false);
    }
    assert_eq!(pace.pause(), LONGEST);
    pace.stored(Instant::now(), true);
    assert_eq!(pace.pause(), SHORTEST);
}
