use super::*;

#[tokio::test(start_paused = true)]
async fn it_rises_at_once_and_falls_step_by_step() {
    let worth = FleetWorth::default();
    assert_eq!(worth.least(), LeastWorth::ALL);
    worth.ask(LeastWorth::of_visits(64));
    assert_eq!(worth.least().visits(), 64);
    for visits in [64, 32, 16, 8, 4, 2, 1, 1] {
        for _ in 0..30 {
            assert_eq!(worth.least().visits(), visits);
            tokio::time::advance(Duration::from_secs(1)).await;
            worth.ask(LeastWorth::ALL);
        }
    }
    worth.ask(LeastWorth::HIGHEST);
    assert_eq!(worth.least(), LeastWorth::HIGHEST);
}
