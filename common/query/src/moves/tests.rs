use super::*;
use sproutnet_solver::play::Knowledge;

#[test]
fn all_moves_of_a_lost_position_lose_and_others_are_unknown() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let position = |text: &str| sprouts.game().parse(text).expect("a position");
    // Equal lands cancel under normal play, whatever their nimbers are.
    let pair = moves(sprouts, &position("0*9+0*9"), Play::Normal).expect("few moves");
    assert!(pair.iter().all(|of| of.normal == Known::Loss));
    assert!(pair.iter().all(|of| of.misere == Known::Unknown));
    let open = moves(sprouts, &position("0*9"), Play::Normal).expect("few moves");
    assert!(open.iter().any(|of| of.normal == Known::Unknown));
}
