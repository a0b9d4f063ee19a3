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

#[test]
fn chances_are_counted_in_words() {
    for (found, chances, words) in [
        (0, 0, "never had a winning move"),
        (0, 1, "had a winning move once, and missed it"),
        (1, 1, "had a winning move once, and found it"),
        (0, 2, "had a winning move twice, and never found one"),
        (1, 3, "had a winning move 3 times, and found one once"),
        (3, 3, "had a winning move 3 times, and found one each time"),
    ] {
        assert_eq!(found_of(found, chances, "winning move"), words);
    }
}
