//! Tests of varints.

use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn round_trip(number: u64, shift in 0..64u32, tail: Vec<u8>) {
        let number = number >> shift;
        let mut bytes = Vec::new();
        write(&mut bytes, number);
        bytes.extend(&tail);
        let mut rest = &bytes[..];
        prop_assert_eq!(read(&mut rest), Some(number));
        prop_assert_eq!(rest, &tail[..]);
    }
}

#[test]
fn refused() {
    let over = [&[0xff; 9][..], &[2]].concat();
    let eleven = [0x80; 11];
    for bytes in [&[][..], &[0x80], &[0x80, 0], &over, &eleven] {
        assert_eq!(read(&mut &*bytes), None, "{bytes:?}");
    }
}
