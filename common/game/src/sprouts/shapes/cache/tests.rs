//! Look-ups in the cache.

use super::*;
use sproutnet_notation::raw::Spot;

fn key(boundaries: &[&[Spot]]) -> RegionKey {
    let mut raw = RawPosition::default();
    for boundary in boundaries {
        raw.push_boundary(boundary);
    }
    raw.end_region();
    RegionKey::of(&raw, 0).expect("few letters")
}

#[test]
fn letters_count_by_their_order() {
    let [a, b, c] = [7, 3, 9].map(Spot::letter);
    let cache = ShapeCache::default();
    let labels: Labels = [3, 7].into_iter().collect();
    cache.keep(key(&[&[a, Spot::END], &[b, Spot::MID]]), 5, labels);
    let alike = key(&[&[b, Spot::END], &[c, Spot::MID]]);
    let found = cache.find(&alike).expect("the same key");
    assert_eq!((found.0, &found.1[..]), (5, &[9, 3][..]));
    for other in [
        key(&[&[b, Spot::END, c, Spot::MID]]),
        key(&[&[b, Spot::END], &[b, Spot::MID]]),
        key(&[&[b, Spot::END], &[c, Spot::END]]),
        key(&[&[Spot::END, b], &[c, Spot::MID]]),
    ] {
        assert!(cache.find(&other).is_none());
    }
}

#[test]
fn the_cache_is_bounded() {
    let cache = ShapeCache::default();
    let spots = [Spot::END, Spot::MID];
    for number in 0..=MOST_KEPT {
        let boundary: Vec<Spot> = (0..16).map(|bit| spots[number >> bit & 1]).collect();
        cache.keep(key(&[&boundary]), number as ShapeId, Labels::NONE);
    }
    assert!(cache.bytes() <= 4 * MOST_KEPT * size_of::<(KeyBytes, (ShapeId, Labels))>());
    let first = [Spot::END; 16];
    assert!(cache.find(&key(&[&first])).is_none());
    let last: Vec<Spot> = (0..16).map(|bit| spots[MOST_KEPT >> bit & 1]).collect();
    assert!(cache.find(&key(&[&last])).is_some());
}
