//! Unsigned numbers in LEB128: seven bits a byte, lowest first, the high bit set on all bytes but
//! the last. Only the shortest form is accepted, so a number has exactly one encoding.

/// Appends `number` to `out`: 1 to 10 bytes.
pub fn write(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front of `bytes`. `None` if it is incomplete, exceeds 64 bits or is not in
/// its shortest form.
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
mod tests;
