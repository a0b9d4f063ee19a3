use super::*;

#[test]
fn a_secret_is_good_until_it_ends_or_is_long_unseen() {
    let sessions = Sessions::default();
    let start = Instant::now();
    let (a, b) = (sessions.begin(start), sessions.begin(start));
    let (a, b) = (a.expect("random"), b.expect("random"));
    assert_ne!(a, b);
    assert!(sessions.knows(&a, start + LIFETIME));
    assert!(sessions.knows(&a, start + LIFETIME * 2));
    assert!(!sessions.knows(&b, start + LIFETIME * 2));
    assert!(!sessions.knows(&Secret::default(), start));
    sessions.end(&a);
    assert!(!sessions.knows(&a, start));
}

#[test]
fn there_are_so_many_at_most() {
    let sessions = Sessions::default();
    let start = Instant::now();
    let first = sessions.begin(start).expect("random");
    let later = start + Duration::from_secs(1);
    for _ in 0..MOST {
        sessions.begin(later).expect("random");
    }
    assert_eq!(sessions.seen().len(), MOST);
    assert!(!sessions.knows(&first, later));
}

#[test]
fn secrets_are_written_and_read() {
    let secret = [0xa5; 32];
    assert_eq!(read(&written(&secret)), Some(secret));
    for text in ["", "a5", &"g".repeat(64), &"é".repeat(32), &"a5".repeat(33)] {
        assert_eq!(read(text), None, "{text}");
    }
}
