use super::*;

#[test]
fn a_secret_is_good_until_it_ends_or_is_long_unused() {
    let sessions = Sessions::default();
    let start = Instant::now();
    let (a, b) = (
        sessions.begin("a token", start),
        sessions.begin("a token", start),
    );
    let (a, b) = (a.expect("random"), b.expect("random"));
    assert_ne!(a, b);
    assert!(sessions.token(&a, start + LIFETIME).is_some());
    assert!(sessions.token(&a, start + LIFETIME * 2).is_some());
    assert!(sessions.token(&b, start + LIFETIME * 2).is_none());
    assert!(sessions.token(&"0".repeat(64), start).is_none());
    sessions.end(&a);
    assert!(sessions.token(&a, start).is_none());
}

#[test]
fn the_number_of_sessions_is_bounded() {
    let sessions = Sessions::default();
    let start = Instant::now();
    let first = sessions.begin("a token", start).expect("random");
    let later = start + Duration::from_secs(1);
    for _ in 0..MOST {
        sessions.begin("a token", later).expect("random");
    }
    assert_eq!(sessions.sessions().len(), MOST);
    assert!(sessions.token(&first, later).is_none());
}

#[test]
fn secrets_fit_a_cookie_and_only_whole_ones_are_known() {
    let sessions = Sessions::default();
    let now = Instant::now();
    let secret = sessions.begin("a token", now).expect("random");
    assert_eq!(secret.len(), 64);
    assert!(secret.bytes().all(|byte| byte.is_ascii_hexdigit()));
    for text in [
        "",
        "a5",
        &secret[..63],
        &format!("{secret}0"),
        &"é".repeat(32),
    ] {
        assert!(sessions.token(text, now).is_none(), "{text}");
    }
}
