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
