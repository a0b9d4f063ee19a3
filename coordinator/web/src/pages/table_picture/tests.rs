use super::*;

fn start(known: Option<(Outcome, Origin)>, in_progress: bool) -> Start {
    Start {
        spots: 8,
        play: Play::Misere,
        known,
        in_progress,
    }
}

#[test]
fn cells_say_what_they_show() {
    let literature = || Origin::Literature("OEIS A164950".to_owned());
    for (start, expected) in [
        (start(None, false), "0*8, misère: open"),
        (start(None, true), "0*8, misère: in progress"),
        (
            start(Some((Outcome::Loss, Origin::Here)), false),
            "0*8, misère: loss for the player to move, solved here",
        ),
        (
            start(Some((Outcome::Loss, Origin::Verified)), false),
            "0*8, misère: loss for the player to move, solved here, verified",
        ),
        (
            start(Some((Outcome::Loss, literature())), true),
            "0*8, misère: loss for the player to move, literature: OEIS A164950; in progress",
        ),
        (
            start(Some((Outcome::Win, literature())), false),
            "0*8, misère: win for the player to move, literature: OEIS A164950, not as conjectured",
        ),
    ] {
        assert_eq!(label(&start), expected);
    }
}

#[test]
fn cells_look_different() {
    let here = start(Some((Outcome::Win, Origin::Here)), false);
    assert_eq!(classes(&here), "start win here exception");
    assert_eq!(classes(&start(None, true)), "start open busy");
}
