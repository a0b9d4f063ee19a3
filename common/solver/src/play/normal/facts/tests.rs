use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// The content of a map after these were put in it.
fn agrees(entries: &[(u128, u64)]) {
    let facts = Facts::default();
    let mut expected = HashMap::new();
    for &(hash, value) in entries {
        let mut shard = facts.shard(hash);
        let known = expected.get(&hash).copied();
        assert_eq!(shard.get(hash), known.unwrap_or(Fact::NOTHING));
        let fact = Fact::of_land(value);
        shard.put(hash, fact);
        expected.insert(hash, fact);
    }
    for (&hash, &value) in &expected {
        assert_eq!(facts.shard(hash).get(hash), value);
        for absent in [hash ^ 1 << 7, hash ^ 1 << 70, hash ^ 1 << 127] {
            let value = expected.get(&absent).copied().unwrap_or(Fact::NOTHING);
            assert_eq!(facts.shard(absent).get(absent), value);
        }
    }
}

proptest! {
    #[test]
    fn a_map_like_any_other(
        entries in prop::collection::vec((any::<u128>(), 1..9_u64), 0..3000),
        spread in 0..128_u32,
    ) {
        agrees(&entries);
        // Hashes that differ in few bits crowd one shard, one home, or the end of the table.
        let few: Vec<_> = entries.iter().map(|&(hash, v)| (hash >> spread, v)).collect();
        agrees(&few);
        let last: Vec<_> = few.iter().map(|&(hash, v)| (!hash, v)).collect();
        agrees(&last);
    }
}

#[test]
fn an_entry_takes_few_bytes_at_any_time() {
    let facts = Facts::default();
    let mut hash = 1_u128;
    for held in 1..=300_000_usize {
        hash = hash.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645) + 1;
        facts
            .shard(hash ^ hash >> 64)
            .put(hash ^ hash >> 64, Fact::of_land(1));
        if held > 50_000 && held % 10_000 == 0 {
            let each = facts.bytes() as f64 / held as f64;
            assert!((29.0..40.0).contains(&each), "{each} bytes at {held}");
        }
    }
}
