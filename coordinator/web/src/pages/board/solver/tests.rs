use sproutnet_game::{Game as _, Sprouts};

use super::*;

fn start(spots: usize) -> Position {
    Sprouts.parse(&format!("0*{spots}")).unwrap()
}

#[test]
fn a_position_is_searched_again_after_a_while() {
    let in_vain = InVain::default();
    let now = Instant::now();
    in_vain.add(&Sprouts, &start(9), Play::Normal, now);
    assert!(in_vain.has(&Sprouts, &start(9), Play::Normal, now));
    assert!(in_vain.has(&Sprouts, &start(9), Play::Normal, now + IN_VAIN / 2));
    assert!(!in_vain.has(&Sprouts, &start(9), Play::Normal, now + IN_VAIN));
    assert!(!in_vain.has(&Sprouts, &start(9), Play::Misere, now));
    assert!(!in_vain.has(&Sprouts, &start(8), Play::Normal, now));
}

#[test]
fn positions_searched_in_vain_are_limited() {
    let in_vain = InVain::default();
    let now = Instant::now();
    let land = start(2).lands()[0].clone();
    for count in 1..=2 * MOST_IN_VAIN {
        let position = Position::new(vec![land.clone(); count]);
        in_vain.add(&Sprouts, &position, Play::Normal, now);
        assert!(in_vain.has(&Sprouts, &position, Play::Normal, now));
        assert!(in_vain.0.len() <= MOST_IN_VAIN);
    }
}
