use sproutnet_model::{Answer, Standing};
use sproutnet_solver::play::Knowledge;

use super::*;
use crate::{moves, verdict};

fn position(known: &GameKnowledge, text: &str) -> Position {
    known.game().parse(text).expect("a position")
}

/// Solves a position of Sprouts within a time. Returns whether the outcome was found, and what came of the search.
fn solved(queues: &Queues, text: &str, within: Duration) -> (bool, Searched) {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let searches = Searches::new(queues, "a client", Instant::now() + within);
    let on_the_spot = OnTheSpot::new(sprouts, &searches);
    let outcome = on_the_spot.solve(&position(sprouts, text), Play::Misere);
    (outcome.expect("threads").is_some(), searches.searched())
}

#[test]
fn one_learns_what_came_of_a_search() {
    let queues = Queues::new(1);
    let long = Duration::from_secs(60);
    for (text, within, found) in [
        ("0*5", long, (true, Searched::Yes)),
        ("!", long, (true, Searched::No)),
        ("0*5", Duration::ZERO, (false, Searched::OutOfTime)),
        ("0*13", Duration::ZERO, (false, Searched::TooLarge)),
        (
            "0*13",
            Duration::from_millis(1),
            (false, Searched::TooLarge),
        ),
        (
            "0*12",
            Duration::from_millis(1),
            (false, Searched::OutOfTime),
        ),
    ] {
        assert_eq!(solved(&queues, text, within), found, "{text}");
    }
    let _held = queues.searches.enter(&"another".into(), Instant::now());
    let busy = solved(&queues, "0*5", Duration::from_millis(1));
    assert_eq!(busy, (false, Searched::Busy));
}

#[test]
fn one_learns_that_a_quotient_is_still_being_found() {
    let knowledge = Knowledge::default();
    let octal = knowledge.game("octal").expect("a game");
    let queues = Queues::new(1);
    let asked = |text: &str| {
        let searches = Searches::new(
            &queues,
            "a client",
            Instant::now() + Duration::from_millis(2),
        );
        let on_the_spot = OnTheSpot::new(octal, &searches);
        let outcome = on_the_spot.solve(&position(octal, text), Play::Misere);
        (outcome.expect("threads"), searches.searched())
    };
    assert_eq!(asked("(0.776):300"), (None, Searched::OutOfTime));
    assert_eq!(asked("(0.356):300"), (None, Searched::Busy));
    // A sum of several games has no quotient.
    assert_eq!(asked("(0.776):300+(0.356):300"), (None, Searched::TooLarge));
}

#[test]
fn one_answer_keeps_its_turn_for_all_its_searches() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let queues = Queues::new(1);
    let searches = Searches::new(
        &queues,
        "a client",
        Instant::now() + Duration::from_secs(60),
    );
    for text in ["0*4", "0*5"] {
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        let outcome = on_the_spot.solve(&position(sprouts, text), Play::Misere);
        assert!(outcome.expect("threads").is_some(), "{text}");
        assert!(
            queues
                .searches
                .enter(&"another".into(), Instant::now())
                .is_none(),
            "it has the turn"
        );
    }
    drop(searches);
    assert!(
        queues
            .searches
            .enter(&"another".into(), Instant::now())
            .is_some()
    );
}

#[test]
fn a_search_without_a_result_is_not_repeated_at_once() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let start = position(sprouts, "0*12");
    let queues = Queues::new(1);
    // Whether it searched, and what came of it.
    let asked = |within: u64| {
        let until = Instant::now() + Duration::from_millis(within);
        let searches = Searches::new(&queues, "a client", until);
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        let outcome = on_the_spot.solve(&start, Play::Misere);
        assert_eq!(outcome.expect("threads"), None);
        (on_the_spot.has_searched(), searches.searched())
    };
    assert_eq!(asked(50), (true, Searched::OutOfTime));
    assert_eq!(asked(25), (false, Searched::OutOfTime));
    // More time is asked for than the first search took, also on a busy machine.
    assert_eq!(asked(300), (true, Searched::OutOfTime));
    assert_eq!(asked(300), (false, Searched::OutOfTime));
}

#[test]
fn without_an_outcome_there_is_no_search_for_the_nimber() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let start = position(sprouts, "0*5");
    let queues = Queues::new(1);
    let asked = |queues: &Queues| {
        let until = Instant::now() + Duration::from_secs(60);
        let searches = Searches::new(queues, "a client", until);
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        on_the_spot.nimber(&start).expect("threads")
    };
    let key = fruitless::key(&**sprouts.game(), &start, Wanted::Outcome(Play::Normal));
    queues
        .fruitless
        .note(key, Duration::from_secs(60), Instant::now());
    assert_eq!(asked(&queues), None);
    // Five spots have the nimber 1.
    assert_eq!(asked(&Queues::new(1)), Some(1));
}

#[test]
fn what_becomes_known_is_told_even_if_no_search_is_made() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let start = position(sprouts, "0*5");
    let queues = Queues::new(1);
    let hour = Duration::from_secs(3600);
    let key = fruitless::key(&**sprouts.game(), &start, Wanted::Outcome(Play::Misere));
    queues.fruitless.note(key, hour, Instant::now());
    let asked = || {
        let until = Instant::now() + Duration::from_secs(60);
        let searches = Searches::new(&queues, "a client", until);
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        let outcome = on_the_spot.solve(&start, Play::Misere).expect("threads");
        assert!(!on_the_spot.has_searched());
        outcome
    };
    assert_eq!(asked(), None);
    let outcome = solve_small(sprouts, &start, Play::Misere, Instant::now() + hour);
    assert_eq!(asked(), outcome.expect("threads"));
    assert!(asked().is_some());
}

#[test]
fn the_moves_of_a_position_are_not_searched_again_at_once() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let start = position(sprouts, "0*11");
    let of = verdict(sprouts, &start);
    let answer = Answer {
        canonical: of.canonical,
        game: "sprouts".to_owned(),
        most_moves: 32,
        normal: Standing::open(None),
        misere: Standing::open(None),
        nimber: None,
        genus: None,
        lands: Vec::new(),
    };
    let queues = Queues::new(1);
    let asked = |within: u64| {
        let until = Instant::now() + Duration::from_millis(within);
        let searches = Searches::new(&queues, "a client", until);
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        let moves = moves(&on_the_spot, &start, &answer, Play::Misere).expect("few moves");
        assert!(!moves.is_empty());
        on_the_spot.has_searched()
    };
    // The first convention takes all the time; so the second one is searched later.
    assert!(asked(400));
    let again: Vec<bool> = (0..4).map(|_| asked(300)).collect();
    assert!(again.contains(&false), "{again:?}");
}
