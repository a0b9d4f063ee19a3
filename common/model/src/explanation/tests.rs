use super::*;

#[test]
fn another_worker_adds_at_most_what_the_present_ones_yield() {
    let mut effort = Effort::default();
    assert_eq!(effort.yields(), None);
    (effort.expansions, effort.unwanted_expansions) = (100, 20);
    assert_eq!(effort.yields(), Some(0.8));
    (effort.new_records, effort.repeated_records) = (30, 10);
    let yields = effort.yields().expect("there was work");
    assert!((yields - 0.6).abs() < 1e-9, "{yields}");
}
