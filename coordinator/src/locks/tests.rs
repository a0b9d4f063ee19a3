use super::*;

#[test]
fn locks_are_taken_in_their_order() {
    let (first, second) = (Lock::new(Rank::Write, 1), Lock::new(Rank::Scheduler, 2));
    let outer = first.lock();
    let inner = second.lock();
    assert_eq!(*outer + *inner, 3);
    assert!(second.try_lock().is_none());
    // Released in any order.
    drop(outer);
    drop(inner);
    let inner = second.lock();
    let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| first.lock()));
    assert!(wrong.is_err(), "a write under the scheduler's lock");
    drop(inner);
    assert_eq!(*first.lock(), 1);
}
