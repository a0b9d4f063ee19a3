use super::*;

const LONG: Duration = Duration::from_secs(60);

#[test]
fn only_the_cancelled_search_stops() {
    let searches = Arc::new(Searches::default());
    let [one, other] = [1, 2].map(|lease| searches.hold(LeaseId(lease), LONG));
    assert_eq!(searches.leases(), [LeaseId(1), LeaseId(2)]);
    searches.cancel(LeaseId(1));
    searches.cancel(LeaseId(77));
    assert!(one.control.must_stop() && !other.control.must_stop());
    searches.cancel_all();
    assert!(other.control.must_stop());
}

#[test]
fn a_job_that_is_let_go_is_stopped_and_renewed_no_more() {
    let searches = Arc::new(Searches::default());
    let held = searches.hold(LeaseId(1), LONG);
    let control = Arc::clone(&held.control);
    drop(held);
    assert!(control.must_stop());
    assert!(searches.leases().is_empty());
    let held = searches.hold(LeaseId(2), Duration::MAX);
    assert!(!held.control.must_stop());
}
