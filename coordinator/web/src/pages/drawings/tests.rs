use super::*;

#[test]
fn what_is_kept_is_bounded_and_what_is_used_stays() {
    let mut kept = Kept::default();
    let (_, position) = sproutnet_game::parse("0*3").expect("a position");
    let key = |kind| Key {
        game: "sprouts",
        position: position.clone(),
        kind,
    };
    let drawing = |mib: usize| Arc::<str>::from("x".repeat(mib << 20));
    kept.insert(key(Kind::File), drawing(5));
    kept.insert(key(Kind::Inline), drawing(5));
    assert!(kept.get(&key(Kind::File)).is_some());
    assert_eq!((kept.newer.len(), kept.older.len()), (1, 1));
    kept.insert(key(Kind::Thumbnail), drawing(5));
    assert!(kept.get(&key(Kind::Inline)).is_none());
    assert!(kept.get(&key(Kind::File)).is_some());
}
