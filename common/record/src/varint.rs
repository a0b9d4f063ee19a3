//! Unsigned numbers in LEB128: seven bits a byte, lowest first, the high bit set on all bytes but
//! the last. Only the shortest form is accepted, so that a number has one encoding.

/// Appends `number` to `out`: 1 to 10 bytes.
pub fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front of `bytes`; `None` when it is cut short, too big for 64 bits or
/// not in its shortest form.
pub fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(u64::from(first));
    }
    let mut number = 0;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        let bits = u64::from(byte & 0x7f);
        if index == 9 && bits > 1 {
            return None;
        }
        number |= bits << (7 * index);
        if byte < 0x80 {
            *bytes = &bytes[index + 1..];
            return (byte != 0).then_some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
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
}
