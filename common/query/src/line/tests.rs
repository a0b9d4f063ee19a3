use std::time::{Duration, Instant};

use super::*;
use crate::{Queues, Searches, solve_small};
use sproutnet_game::Sprouts;
use sproutnet_solver::play::Knowledge;

#[test]
fn a_line_follows_the_rules_and_the_winner_makes_the_last_move_count() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let parse = |text: &str| sprouts.game().parse(text).expect("a position");
    for (spots, play) in [(3, Play::Normal), (4, Play::Misere), (6, Play::Normal)] {
        let start = parse(&Sprouts::start(spots));
        let until = Instant::now() + Duration::from_secs(60);
        let outcome = solve_small(sprouts, &start, play, until).expect("threads");
        let queues = Queues::new(1);
        let searches = Searches::new(&queues, "a client", until);
        let on_the_spot = OnTheSpot::new(sprouts, &searches);
        let line = line(&on_the_spot, &start, play, outcome.into()).expect("threads");
        assert!(line.complete, "{line:?}");
        for pair in line.steps.windows(2) {
            let options = moves::options(sprouts, &parse(&pair[0].canonical)).expect("few");
            assert!(options.contains(&parse(&pair[1].canonical)), "{pair:?}");
            assert_eq!(pair[0].outcome, pair[1].outcome.reversed());
        }
        // A player without a move loses under normal play, and wins under misère play.
        let moves = line.steps.len() - 1;
        let first_moves_last = moves % 2 == 1;
        let first_wins = first_moves_last == (play == Play::Normal);
        assert_eq!(outcome, Some(Outcome::win_if(first_wins)), "{line:?}");
    }
}

#[test]
fn boards_of_the_switching_game_are_played_to_the_end() {
    let knowledge = Knowledge::default();
    let switching = knowledge.game("switching").expect("a game");
    for (text, outcome) in [
        ("gale(4)/short", Outcome::Win),
        ("gale(4)/cut", Outcome::Win),
        ("complete(5)/cut", Outcome::Loss),
    ] {
        let start = switching.game().parse(text).expect("a position");
        // Theory alone leads the play: there is no time for a search.
        let queues = Queues::new(1);
        let searches = Searches::new(&queues, "a client", Instant::now());
        let on_the_spot = OnTheSpot::new(switching, &searches);
        let outcome = Some(outcome).into();
        let line = line(&on_the_spot, &start, Play::Normal, outcome).expect("threads");
        assert!(line.complete, "{line:?}");
        // The winner makes the last move.
        let moves = line.steps.len() - 1;
        assert_eq!(moves % 2 == 1, outcome == Known::Win, "{line:?}");
    }
}
