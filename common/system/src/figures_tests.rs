use super::*;

#[test]
fn counts_and_times() {
    assert_eq!(
        ["0", "999", "1,000", "1,234,567"],
        [0, 999, 1000, 1_234_567].map(count)[..]
    );
    assert_eq!(time(0.0124), "0.012 s");
    assert_eq!(time(245.9), "4 min 05 s");
    assert_eq!(time(11_263.0), "3 h 07 min");
    assert_eq!(ago(0.9), "0 s ago");
    assert_eq!(ago(200.0), "3 min ago");
}

#[test]
fn estimated_times() {
    for (low, high, text) in [
        (0.01, 0.44, "0.1 s to 0.4 s"),
        (12.4, 59.0, "12 s to 59 s"),
        (150.0, 540.0, "2.5 min to 9 min"),
        (3_599.0, 7_200.0, "60 min to 2 h"),
        (90_000.0, 864_000.0, "25 h to 10 days"),
        (240.0, 241.0, "about 4 min"),
        (1e12, 1e13, "11,574,074 days to 115,740,741 days"),
    ] {
        assert_eq!(between(low, high), text);
    }
}

#[test]
fn sizes() {
    for (size, text) in [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1536, "1.5 KiB"),
        ((1 << 20) - 1, "1.0 MiB"),
        (1 << 30, "1.0 GiB"),
        (u64::MAX, "16384.0 PiB"),
    ] {
        assert_eq!(bytes(size), text);
    }
}
