use super::*;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_line_a_second_for_each_key() {
    let mut limiter = LogLimiter::new(SECOND, 8);
    let start = Instant::now();
    assert_eq!(limiter.allow("a", start), Some(0));
    assert_eq!(limiter.allow("a", start), None);
    assert_eq!(limiter.allow("b", start), Some(0));
    assert_eq!(limiter.allow("a", start + SECOND / 2), None);
    assert_eq!(limiter.allow("a", start + SECOND), Some(2));
    assert_eq!(limiter.allow("a", start + SECOND), None);
}

#[test]
fn memory_is_bounded_and_found_again() {
    let mut limiter = LogLimiter::new(SECOND, 3);
    let start = Instant::now();
    let said = (0..1000).filter(|&key| limiter.allow(key, start).is_some());
    assert_eq!(said.count(), 3);
    assert_eq!(limiter.last.len(), 3);
    assert_eq!(limiter.allow(999, start + SECOND), Some(0));
    assert_eq!(limiter.last.len(), 1);
}
