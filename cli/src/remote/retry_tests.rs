use super::*;

#[test]
fn patience_ends() {
    let began = Instant::now();
    let (mut attempts, mut waited) = (Attempts::default(), Duration::ZERO);
    while let Some(pause) = attempts.next(began + waited, PATIENCE) {
        waited += pause;
    }
    assert!((PATIENCE..PATIENCE + Backoff::LONGEST).contains(&waited));
}

/// Whether an answer that was late once is waited for.
async fn waits(is_elsewhere: bool) -> bool {
    let retry = Retry::new(is_elsewhere, |_| {});
    let is_first = AtomicBool::new(true);
    let call = || async {
        if is_first.swap(false, Ordering::Relaxed) {
            Err(Status::deadline_exceeded("late"))
        } else {
            Ok(())
        }
    };
    retry.call(call).await.is_ok()
}

#[tokio::test]
async fn only_a_coordinator_in_this_process_may_be_late() {
    assert!(waits(false).await);
    assert!(!waits(true).await);
}
