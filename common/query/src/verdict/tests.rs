use super::*;
use sproutnet_model::Known;
use sproutnet_solver::play::Knowledge;

#[test]
fn small_positions_are_known_at_sight_and_large_ones_are_not() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let position = |text: &str| sprouts.game().parse(text).expect("a position");
    let small = verdict(sprouts, &position("0*2"));
    assert_eq!((small.normal, small.misere), (Known::Loss, Known::Loss));
    assert_eq!(small.nimber, Some(0));
    assert_eq!(small.genus.as_deref(), Some("0^02"));
    let sum = verdict(sprouts, &position("0*2+0*3"));
    assert_eq!((sum.nimber, sum.genus.is_some()), (Some(1), true));
    let large = verdict(sprouts, &position("0*9+0*2"));
    assert_eq!(large.normal, Known::Unknown);
    assert_eq!((large.nimber, large.genus), (None, None));
}

#[test]
fn theory_tells_who_wins_large_boards_of_the_switching_game() {
    let knowledge = Knowledge::default();
    let switching = knowledge.game("switching").expect("a game");
    for (text, expected) in [
        ("gale(30)/short", Known::Win),
        ("path(2)*path(9)/0,17/short", Known::Loss),
    ] {
        let position = switching.game().parse(text).expect("a position");
        let found = verdict(switching, &position);
        assert_eq!((found.normal, found.misere), (expected, Known::Unknown));
    }
}
