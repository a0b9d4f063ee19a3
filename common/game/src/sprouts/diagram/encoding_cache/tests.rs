//! Look-ups in the cache.

use super::super::super::shapes::Shapes;
use super::super::super::{Rules, Sprouts};
use super::super::{encode, of_land};
use super::*;
use crate::Game;

#[test]
fn only_lands_that_were_kept_are_found() {
    let shapes = Shapes::new(Rules::SPROUTS);
    let texts = ["0.A|0.1.A", "0.A|1.1.A", "0.A.B|0.1.A.B", "0.AB|0.1.A.B"];
    let position = |text| Sprouts.parse_stored(text).expect("a position");
    for text in texts {
        let position = position(text);
        let land = position.lands()[0].as_bytes();
        let regions = of_land(land, &shapes).expect("a small land");
        let mut bytes = SmallVec::new();
        let key = LandKey::of(&regions).expect("a small land");
        assert!(!shapes.encoding_cache().find(&key, &mut bytes), "{text}");
        assert!(encode(&regions, &shapes, &mut bytes), "{text}");
        assert_eq!(bytes[..], *land, "{text}");
        shapes.encoding_cache().keep(&key, &bytes);
        let mut renamed = regions.clone();
        renamed.reverse();
        for region in &mut renamed {
            region.labels = region.labels.map(|label| 100 - label);
        }
        let again = LandKey::of(&renamed).expect("a small land");
        bytes.clear();
        assert!(shapes.encoding_cache().find(&again, &mut bytes), "{text}");
        assert_eq!(bytes[..], *land, "{text}");
    }
    assert!(shapes.encoding_cache().bytes() > 0);
}

#[test]
fn large_lands_have_no_key() {
    let labels: super::super::super::labels::Labels = (0..15).collect();
    let region = Region {
        shape: 0,
        labels,
        weight: 0,
    };
    assert!(LandKey::of(&[]).is_none());
    assert!(LandKey::of(&[region; 6]).is_some());
    assert!(LandKey::of(&[region; 7]).is_none());
    let region = Region {
        labels: [0].into_iter().collect(),
        ..region
    };
    assert!(LandKey::of(&[region; MOST_REGIONS]).is_some());
    assert!(LandKey::of(&[region; MOST_REGIONS + 1]).is_none());
}
