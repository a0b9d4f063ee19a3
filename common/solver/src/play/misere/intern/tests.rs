use super::*;

#[test]
fn equal_keys_share_an_index_across_blocks() {
    let table: Interner<Vec<Tree>> = Interner::new();
    let key = |i: usize| vec![Tree::ZERO; i];
    for i in 0..1500 {
        assert_eq!(table.intern_with(&key(i), || key(i)), i as u32);
    }
    for i in 0..1500 {
        assert_eq!(
            table.intern_with(&key(i), || panic!("already there")),
            i as u32
        );
        assert_eq!(table.get(i as u32).len(), i);
    }
    assert_eq!(table.len(), 1500);
}
