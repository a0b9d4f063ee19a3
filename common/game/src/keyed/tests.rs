//! Look-ups by keys.

use super::*;

fn key(bytes: &[u8], hash: u64) -> Key<'_> {
    Key { bytes, hash }
}

#[test]
fn only_the_last_key_of_a_place_is_known() {
    let [one, other] = [LandId(0), LandId(1)];
    let lands = KeyedLands::default();
    let hash = 7;
    assert_eq!(lands.find(key(b"one", hash)), None);
    lands.keep(key(b"one", hash), one);
    assert_eq!(lands.find(key(b"one", hash)), Some(one));
    // Other keys with the same hash, or a part of it.
    assert_eq!(lands.find(key(b"on", hash)), None);
    assert_eq!(lands.find(key(b"ones", hash)), None);
    let same_place = hash + PLACES as u64;
    lands.keep(key(b"other", same_place), other);
    assert_eq!(lands.find(key(b"one", hash)), None);
    assert_eq!(lands.find(key(b"other", same_place)), Some(other));
    // A key without room is not kept, and replaces nothing.
    let long = [1; ROOM + 1];
    lands.keep(key(&long, same_place), one);
    assert_eq!(lands.find(key(&long, same_place)), None);
    assert_eq!(lands.find(key(b"other", same_place)), Some(other));
    let longest = [1; ROOM];
    lands.keep(key(&longest, same_place), one);
    assert_eq!(lands.find(key(&longest, same_place)), Some(one));
    assert_eq!(size_of::<Place>(), 64);
}
