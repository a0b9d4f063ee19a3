use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// The content of a map after these were added to it.
fn agrees(entries: &[(u128, u8)]) {
    let outcomes = Outcomes::default();
    let mut expected: HashMap<u128, u8> = HashMap::new();
    for &(key, bits) in entries {
        let known = expected.entry(key >> 4).or_default();
        assert_eq!(outcomes.view().get(key), *known);
        // Never both of the first two.
        let allows = |known: u8| (known | bits) & 3 != 3;
        assert_eq!(outcomes.add(key, bits, allows), *known);
        if allows(*known) {
            *known |= bits;
        }
    }
    let view = outcomes.view();
    for (&key, &known) in &expected {
        assert_eq!(view.get(key << 4), known);
        for absent in [key ^ 1, key ^ 1 << 70, key ^ 1 << 123] {
            let known = expected.get(&absent).copied().unwrap_or(0);
            assert_eq!(view.get(absent << 4), known);
        }
    }
}

proptest! {
    #[test]
    fn a_map_like_any_other(
        entries in prop::collection::vec((any::<u128>(), 1..15_u8), 0..3000),
        spread in 0..124_u32,
    ) {
        agrees(&entries);
        // Keys that differ in few bits crowd one shard, one home, or the end of the table.
        let few: Vec<_> = entries.iter().map(|&(key, bits)| (key >> spread, bits)).collect();
        agrees(&few);
        let last: Vec<_> = few.iter().map(|&(key, bits)| (!key, bits)).collect();
        agrees(&last);
    }
}

/// Keys without likeness to one another, as in practice.
fn key(n: u128) -> u128 {
    let key = (n + 1).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
    key ^ key >> 64
}

#[test]
fn an_entry_takes_few_bytes_at_any_time() {
    let outcomes = Outcomes::default();
    for held in 1..=300_000_u128 {
        outcomes.add(key(held), 1, |_| true);
        if held > 50_000 && held % 10_000 == 0 {
            let each = outcomes.bytes() as f64 / held as f64;
            assert!((21.0..30.0).contains(&each), "{each} bytes at {held}");
        }
    }
}

#[test]
fn threads_see_what_the_others_added_and_nothing_else() {
    let outcomes = Outcomes::default();
    let threads = 4;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let outcomes = &outcomes;
            scope.spawn(move || {
                for n in 0..40_000_u128 {
                    outcomes.add(key(n), 1 << thread, |_| true);
                    let view = outcomes.view();
                    assert_ne!(view.get(key(n)) & 1 << thread, 0);
                    assert_eq!(view.get(key(n + 1_000_000)), 0);
                }
            });
        }
    });
    let view = outcomes.view();
    assert!((0..40_000).all(|n| view.get(key(n)) == 0b1111));
}
