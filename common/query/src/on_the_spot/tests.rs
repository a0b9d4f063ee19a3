use sproutnet_solver::play::Knowledge;

use super::*;

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
