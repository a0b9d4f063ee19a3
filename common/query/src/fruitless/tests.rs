use sproutnet_game::Sprouts;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn outcome_of(text: &str) -> Key {
    let (game, position) = sproutnet_game::parse(text).expect("a position");
    key(&*game, &position, Wanted::Outcome(Play::Normal))
}

#[test]
fn a_search_is_repeated_after_a_pause_or_with_more_time() {
    let (ended, begin) = (Fruitless::default(), Instant::now());
    let start = outcome_of(&Sprouts::start(12));
    assert!(
        !ended.repeats(&start, SECOND, begin),
        "nothing was searched"
    );
    ended.note(start.clone(), SECOND, begin);
    let after = |seconds: u32| begin + seconds * SECOND;
    assert!(ended.repeats(&start, SECOND, after(9)));
    assert!(ended.repeats(&start, SECOND * 11 / 10, after(9)));
    assert!(!ended.repeats(&start, 2 * SECOND, after(1)), "more time");
    assert!(!ended.repeats(&start, SECOND, after(10)), "after a pause");
    // Pauses get longer, up to a limit.
    ended.note(start.clone(), SECOND, after(10));
    assert!(ended.repeats(&start, SECOND, after(10 + 19)));
    assert!(!ended.repeats(&start, SECOND, after(10 + 20)));
    ended.note(start.clone(), 1000 * SECOND, after(200));
    assert!(ended.repeats(&start, SECOND, after(200 + 599)));
    assert!(!ended.repeats(&start, SECOND, after(200 + 600)));
}

#[test]
fn what_is_searched_for_is_told_apart() {
    let (ended, now) = (Fruitless::default(), Instant::now());
    let (game, position) = sproutnet_game::parse("0*12").expect("a position");
    let of = |wanted| key(&*game, &position, wanted);
    ended.note(of(Wanted::Outcome(Play::Normal)), SECOND, now);
    assert!(ended.repeats(&of(Wanted::Outcome(Play::Normal)), SECOND, now));
    for other in [
        Wanted::Outcome(Play::Misere),
        Wanted::Nimber,
        Wanted::Options(Play::Normal),
    ] {
        assert!(!ended.repeats(&of(other), SECOND, now), "{other:?}");
    }
    assert!(!ended.repeats(&outcome_of("0*11"), SECOND, now));
}

#[test]
fn memory_is_bounded() {
    let (ended, now) = (Fruitless::default(), Instant::now());
    for heap in 1..=2 * MOST {
        ended.note(outcome_of(&format!("nim:{heap}")), SECOND, now);
    }
    assert!(ended.0.len() <= MOST);
}
