//! Tests of the part of the index in memory.

use super::*;

#[test]
fn entries_of_one_hash_are_kept_apart_by_block() {
    let hash = KeyHash::of(b"a key");
    let mut young = Young::default();
    for block in [1, 1, 2] {
        young.insert(Entry { hash, block });
    }
    young.remove(Entry { hash, block: 1 });
    young.insert(Entry { hash, block: 3 });
    let mut blocks: Vec<u64> = young.blocks(hash).collect();
    blocks.sort_unstable();
    assert_eq!(blocks, [1, 2, 3]);
    assert_eq!(young.len(), 3);
    assert_eq!(young.blocks(KeyHash::of(b"another")).count(), 0);
}

#[test]
fn shards_double_one_after_the_other() {
    let mut shares = [0u32; SHARDS];
    for high in 0..=u64::from(u16::MAX) {
        shares[shard(KeyHash(high << 48))] += 1;
    }
    let (first, last) = (f64::from(shares[0]), f64::from(shares[SHARDS - 1]));
    assert!((1.9..2.1).contains(&(last / first)), "{shares:?}");
    let rises = shares.windows(2).all(|pair| pair[0] <= pair[1] + 1);
    assert!(rises, "{shares:?}");
}
