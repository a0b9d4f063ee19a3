use super::*;
use sproutnet_model::{Basis, Known};
use sproutnet_solver::play::{Knowledge, Outcome};

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
fn a_win_by_an_option_that_is_lost_without_records_is_found_now() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let position = sprouts.game().parse("0*3.AB|AB").expect("a position");
    let found = verdict(sprouts, &position);
    let outcome = found.misere.outcome().expect("an option is lost");
    let standing = crate::derived(sprouts, &position, Play::Misere, outcome);
    assert_eq!(standing.basis, Some(Basis::Search));
    let small = sprouts.game().parse("0*2").expect("a position");
    let standing = crate::derived(sprouts, &small, Play::Misere, Outcome::Loss);
    assert_eq!(standing.basis, Some(Basis::PlayedOut));
}

#[test]
fn theory_tells_who_wins_symmetric_boards() {
    let knowledge = Knowledge::default();
    for (text, normal, misere, nimber) in [
        ("cram:6x6", Known::Loss, Known::Unknown, Some(0)),
        ("cram:6x7", Known::Win, Known::Unknown, None),
        ("node-kayles:cube(6)", Known::Loss, Known::Unknown, Some(0)),
        ("brussels:x*20", Known::Loss, Known::Win, Some(0)),
    ] {
        let (game, position) = sproutnet_game::parse(text).expect("a position");
        let known = knowledge.game(game.name()).expect("a game");
        let found = verdict(known, &position);
        assert_eq!((found.normal, found.misere), (normal, misere), "{text}");
        assert_eq!(found.nimber, nimber, "{text}");
        let outcome = found.normal.outcome().expect("it is told");
        let standing = crate::derived(known, &position, Play::Normal, outcome);
        assert_eq!(standing.basis, Some(Basis::Theorem), "{text}");
    }
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
