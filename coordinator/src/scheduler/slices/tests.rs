use super::*;

#[test]
fn jobs_grow_with_their_computation_up_to_the_target() {
    let slices = Slices::default();
    assert_eq!(slices.next(Duration::ZERO, 0), slices.shortest);
    assert_eq!(
        slices.next(Duration::from_secs(16), 0),
        Duration::from_secs(1)
    );
    assert_eq!(slices.next(Duration::from_secs(9999), 0), slices.target);
    assert_eq!(slices.next(Duration::from_secs(9999), 2), 4 * slices.target);
    assert_eq!(
        slices.next(Duration::from_secs(9999), 99),
        64 * slices.target
    );
}
