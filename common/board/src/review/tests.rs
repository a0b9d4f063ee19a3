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
