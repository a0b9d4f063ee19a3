//! Tests of the index.

use super::*;

#[test]
fn an_entry_is_small() {
    assert_eq!(size_of::<Entry>(), 12);
    assert_eq!(Entry::new(KeyHash(1), u64::MAX - 7).block(), u64::MAX - 7);
}

#[test]
fn keys_of_one_hash_are_kept_apart_by_block() {
    let hash = KeyHash(7);
    let mut index = Index::default();
    index.place(hash, None, 1);
    index.place(hash, None, 1);
    index.place(hash, None, 2);
    index.place(hash, Some(1), 3);
    let mut blocks: Vec<u64> = index.candidates(hash).collect();
    blocks.sort_unstable();
    assert_eq!(blocks, [1, 2, 3]);
    assert_eq!(index.len(), 3);
    assert_eq!(index.candidates(KeyHash(8)).count(), 0);
}

#[test]
fn shards_double_one_after_the_other() {
    let mut shares = [0u32; SHARDS];
    for high in 0..=u32::from(u16::MAX) {
        shares[KeyHash(high << 16).shard()] += 1;
    }
    let (first, last) = (f64::from(shares[0]), f64::from(shares[SHARDS - 1]));
    assert!((1.95..2.05).contains(&(last / first)), "{shares:?}");
    let rises = shares.windows(2).all(|pair| pair[0] <= pair[1] + 1);
    assert!(rises, "{shares:?}");
}
