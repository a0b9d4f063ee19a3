use super::*;

#[test]
fn what_is_kept_is_bounded_and_what_is_used_stays() {
    let drawings = Drawings::default();
    let key = |spots: usize| Key {
        game: "sprouts",
        position: sproutnet_game::parse(&format!("0*{spots}"))
            .expect("a position")
            .1,
        kind: Kind::File,
    };
    let often = key(1);
    let drawing: Arc<str> = "x".repeat(1 << 20).into();
    drawings.0.insert(often.clone(), Arc::clone(&drawing));
    for spots in 2..100 {
        assert!(drawings.0.get(&often).is_some(), "{spots}");
        drawings.0.insert(key(spots), Arc::clone(&drawing));
        assert!(drawings.0.weight() <= KEPT);
    }
    assert!(drawings.0.len() > 4);
}
