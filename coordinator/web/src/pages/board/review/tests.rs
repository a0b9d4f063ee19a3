use super::*;

#[test]
fn a_move_turns_a_match_if_it_gives_a_win_away() {
    use Outcome::{Loss, Win};
    for (before, after, judged) in [
        (Some(Win), Some(Loss), Judged::Wins),
        (Some(Win), Some(Win), Judged::Turns),
        (Some(Loss), Some(Win), Judged::Lost),
        (None, Some(Win), Judged::Loses),
        (Some(Win), None, Judged::Unknown),
        (None, None, Judged::Unknown),
    ] {
        assert_eq!(Judged::by(before, after), judged, "{before:?} {after:?}");
    }
}

fn start(spots: usize) -> Position {
    let sprouts = SheetGame::Sprouts.rules();
    sprouts.parse(&format!("0*{spots}")).unwrap()
}

#[test]
fn a_position_is_searched_again_after_a_while() {
    let in_vain = InVain::default();
    let now = Instant::now();
    in_vain.add(SheetGame::Sprouts, start(9), Play::Normal, now);
    assert!(in_vain.has(SheetGame::Sprouts, &start(9), Play::Normal, now));
    assert!(in_vain.has(
        SheetGame::Sprouts,
        &start(9),
        Play::Normal,
        now + IN_VAIN / 2
    ));
    assert!(!in_vain.has(SheetGame::Sprouts, &start(9), Play::Normal, now + IN_VAIN));
    assert!(!in_vain.has(SheetGame::Sprouts, &start(9), Play::Misere, now));
    assert!(!in_vain.has(SheetGame::Sprouts, &start(8), Play::Normal, now));
}

#[test]
fn positions_searched_in_vain_are_limited() {
    let in_vain = InVain::default();
    let now = Instant::now();
    let land = start(2).lands()[0].clone();
    for count in 1..=2 * MOST_IN_VAIN {
        let position = Position::new(vec![land.clone(); count]);
        in_vain.add(SheetGame::Sprouts, position.clone(), Play::Normal, now);
        assert!(in_vain.has(SheetGame::Sprouts, &position, Play::Normal, now));
        assert!(in_vain.0.len() <= MOST_IN_VAIN);
    }
}
