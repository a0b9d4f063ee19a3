//! Keys as a terminal sends them.

use std::mem;

/// The byte before the rest of a key's sequence; alone, it is the key Esc.
const ESCAPE: u8 = 0x1b;

/// What Ctrl-C sends where it is no signal.
const CTRL_C: u8 = 0x03;

/// No sequence of a key is longer.
const LONGEST: usize = 16;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Backspace,
    Escape,
    CtrlC,
    /// A printable ASCII character.
    Letter(u8),
}

/// Reads keys from bytes, which may come in any pieces.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// A sequence that has begun.
    begun: Vec<u8>,
}

impl Keys {
    /// The keys that end in these bytes. What is no key known here is left out.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Vec<Key> {
        bytes.iter().filter_map(|&byte| self.next(byte)).collect()
    }

    /// Whether a sequence has begun, which may be the key Esc.
    pub(crate) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// The key, if nothing follows.
    pub(crate) fn end(&mut self) -> Option<Key> {
        (mem::take(&mut self.begun) == [ESCAPE]).then_some(Key::Escape)
    }

    fn next(&mut self, byte: u8) -> Option<Key> {
        if byte == CTRL_C {
            self.begun.clear();
            return Some(Key::CtrlC);
        }
        if self.begun.is_empty() {
            return self.first(byte);
        }
        self.begun.push(byte);
        let is_whole = match self.begun[..] {
            [_, b'[' | b'O'] => false,
            // A parameter or an intermediate byte (ECMA-48, 5.4).
            [_, b'[', .., 0x20..=0x3f] => self.begun.len() > LONGEST,
            _ => true,
        };
        if is_whole {
            return sequence(&mem::take(&mut self.begun));
        }
        None
    }

    fn first(&mut self, byte: u8) -> Option<Key> {
        match byte {
            ESCAPE => {
                self.begun.push(byte);
                None
            }
            b'\r' | b'\n' => Some(Key::Enter),
            0x08 | 0x7f => Some(Key::Backspace),
            b' '..=b'~' => Some(Key::Letter(byte)),
            _ => None,
        }
    }
}

/// The key of a whole sequence, as xterm and those like it send it.
fn sequence(bytes: &[u8]) -> Option<Key> {
    let key = match bytes.get(1..)? {
        b"[A" | b"OA" => Key::Up,
        b"[B" | b"OB" => Key::Down,
        b"[C" | b"OC" => Key::Right,
        b"[D" | b"OD" => Key::Left,
        b"[H" | b"OH" | b"[1~" | b"[7~" => Key::Home,
        b"[F" | b"OF" | b"[4~" | b"[8~" => Key::End,
        b"[5~" => Key::PageUp,
        b"[6~" => Key::PageDown,
        [ESCAPE] => Key::Escape,
        _ => return None,
    };
    Some(key)
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
