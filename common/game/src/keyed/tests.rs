//! Look-ups by keys.

use super::*;

fn key(bytes: &[u8], hash: u64) -> Key<'_> {
    Key { bytes, hash }
}

#[test]
fn only_the_last_key_of_a_slot_is_known() {
    let [one, other] = [LandId(0), LandId(1)];
    let lands = KeyedLands::default();
    let hash = 7;
    assert_eq!(lands.find(key(b"one", hash)), None);
    assert_eq!(lands.find(key(b"", hash)), None);
    assert!(lands.keep(key(b"one", hash), Some(one)));
    assert_eq!(lands.find(key(b"one", hash)), Some(one));
    // Other keys with the same hash, or a part of it.
    assert_eq!(lands.find(key(b"on", hash)), None);
    assert_eq!(lands.find(key(b"ones", hash)), None);
    let same_slot = hash + SLOTS as u64;
    assert!(lands.keep(key(b"other", same_slot), Some(other)));
    assert_eq!(lands.find(key(b"one", hash)), None);
    assert_eq!(lands.find(key(b"other", same_slot)), Some(other));
    // A key without room is not kept, and replaces nothing.
    let long = [1; ROOM + 1];
    assert!(!lands.keep(key(&long, same_slot), Some(one)));
    // Nor is a land without a number.
    assert!(!lands.keep(key(b"other", same_slot), None));
    assert_eq!(lands.find(key(&long, same_slot)), None);
    assert_eq!(lands.find(key(b"other", same_slot)), Some(other));
    let longest = [1; ROOM];
    assert!(lands.keep(key(&longest, same_slot), Some(one)));
    assert_eq!(lands.find(key(&longest, same_slot)), Some(one));
    assert_eq!(size_of::<Slot>(), 64);
}
