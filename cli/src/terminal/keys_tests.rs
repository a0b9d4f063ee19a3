use super::*;

/// Keys from bytes that come one by one, and all at once.
fn read(bytes: &[u8]) -> Vec<Key> {
    let at_once = Keys::default().read(bytes);
    let mut keys = Keys::default();
    let pieces = bytes.chunks(1).flat_map(|piece| keys.read(piece));
    assert_eq!(pieces.collect::<Vec<_>>(), at_once, "{bytes:?}");
    at_once
}

#[test]
fn keys_of_both_modes() {
    let arrows = [Key::Up, Key::Down, Key::Right, Key::Left];
    assert_eq!(read(b"\x1b[A\x1b[B\x1b[C\x1b[D"), arrows);
    assert_eq!(read(b"\x1bOA\x1bOB\x1bOC\x1bOD"), arrows);
    assert_eq!(
        read(b"\x1b[5~\x1b[6~\x1b[H\x1b[4~"),
        [Key::PageUp, Key::PageDown, Key::Home, Key::End]
    );
    assert_eq!(
        read(b"q\r\x7f\x08\x03"),
        [
            Key::Letter(b'q'),
            Key::Enter,
            Key::Backspace,
            Key::Backspace,
            Key::CtrlC
        ]
    );
}

#[test]
fn other_sequences_are_skipped_whole() {
    // With a modifier, a report of the mouse, a letter of another script.
    assert_eq!(read(b"\x1b[1;5Aq"), [Key::Letter(b'q')]);
    assert_eq!(read(b"\x1b[<0;10;20Mq"), [Key::Letter(b'q')]);
    assert_eq!(read("éq".as_bytes()), [Key::Letter(b'q')]);
}

#[test]
fn escape_is_known_by_what_does_not_follow() {
    let mut keys = Keys::default();
    assert_eq!(keys.read(b"\x1b"), []);
    assert!(keys.has_begun());
    assert_eq!(keys.end(), Some(Key::Escape));
    assert!(!keys.has_begun());
    assert_eq!(keys.read(b"\x1b["), []);
    assert_eq!(keys.end(), None);
    assert_eq!(keys.read(b"\x1b\x1b"), [Key::Escape]);
}

#[test]
fn ctrl_c_is_never_swallowed() {
    assert_eq!(read(b"\x1b[\x03"), [Key::CtrlC]);
    assert_eq!(read(b"\x1b\x03"), [Key::CtrlC]);
}
