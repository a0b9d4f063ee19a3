use super::*;

#[test]
fn pauses_grow_up_to_a_bound_and_patience_ends() {
    let began = Instant::now();
    let (mut attempts, mut waited, mut pauses) = (Attempts::default(), Duration::ZERO, Vec::new());
    while let Some(pause) = attempts.next(began + waited, PATIENCE) {
        waited += pause;
        pauses.push(pause.as_millis());
    }
    assert_eq!(pauses[..6], [250, 500, 1000, 2000, 4000, 5000]);
    assert!(pauses.is_sorted() && pauses.last() == Some(&5000));
    assert!((PATIENCE..PATIENCE + LONGEST_PAUSE).contains(&waited));
}
