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
