use super::*;

#[test]
fn the_share_falls_from_all_to_the_floor() {
    let audit = AuditShare::default();
    let shares = [0, 1000, 9000, 49_000, 1_000_000].map(|confirmed| audit.share(confirmed));
    assert_eq!(shares, [1.0, 0.5, 0.1, 0.02, 0.02]);
    assert!((0..100_000).all(|n| audit.share(n) >= audit.share(n + 1)));
}

#[test]
fn off_is_nothing_and_all_is_all() {
    assert!(!AuditShare::OFF.is_on());
    assert_eq!(AuditShare::OFF.share(0), 0.0);
    let all: AuditShare = "100%".parse().expect("a share");
    assert_eq!(all.share(1 << 40), 1.0);
}

#[test]
fn as_it_is_written() {
    for text in ["off", "2%", "0.5%", "100%"] {
        let read: AuditShare = text.parse().expect("a share");
        assert_eq!(read.to_string(), text);
    }
    for bad in ["", "2", "0%", "-1%", "101%", "NaN%", "on", "half"] {
        assert!(bad.parse::<AuditShare>().is_err(), "{bad}");
    }
}

/// Derived in `docs/explanation/trust.md`: of N records, about sqrt(K² + 2KN) − K are audited, with K = 1000, while the floor is
/// not reached.
#[test]
fn as_many_are_audited_as_the_integral_says() {
    let audit = AuditShare::default();
    for (reported, expected) in [
        (1_000, 732),
        (7_500, 3_000),
        (30_768, 6_908),
        (1_249_500, 49_000),
    ] {
        let mut confirmed = 0.0;
        for _ in 0..reported {
            confirmed += audit.share(confirmed as u64);
        }
        let off = (confirmed - f64::from(expected)).abs();
        assert!(off < 5.0, "{reported}: {confirmed}, not {expected}");
    }
}
