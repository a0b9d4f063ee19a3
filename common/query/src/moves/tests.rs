use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::*;
use crate::{Queues, Searches, solve_small};
use sproutnet_model::{Source, Standing};
use sproutnet_solver::play::{Knowledge, Outcome};

/// The outcomes of all positions below five spots, found by another program.
const TRUTH: &str = include_str!("../../../solver/tests/reference/all_below_4_spots.tsv");

/// The positions with their outcomes under normal and misère play.
fn truth(known: &GameKnowledge) -> Vec<(Position, [Outcome; 2])> {
    let lines = TRUTH.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let outcome = |text| Outcome::win_if(text == "win");
            let position = known.game().parse(fields[0]).expect("a position");
            (position, [outcome(fields[2]), outcome(fields[3])])
        })
        .collect()
}

fn answer(position: &Position, outcomes: [Known; 2], known: &GameKnowledge) -> Answer {
    let standing = |outcome: Known| match outcome.outcome() {
        Some(outcome) => Standing::known(Some(outcome), Source::Store),
        None => Standing::open(None),
    };
    let game = known.game();
    Answer {
        canonical: game.print(position),
        game: game.name().to_owned(),
        most_moves: game.max_moves_of(position),
        normal: standing(outcomes[0]),
        misere: standing(outcomes[1]),
        nimber: None,
        genus: None,
        lands: Vec::new(),
    }
}

/// The moves of a position with these outcomes, within a time.
fn told(
    known: &GameKnowledge,
    position: &Position,
    outcomes: [Known; 2],
    play: Play,
    within: Duration,
) -> Vec<Verdict> {
    let queues = Queues::new(1);
    let searches = Searches::new(&queues, "a client", Instant::now() + within);
    let on_the_spot = OnTheSpot::new(known, &searches);
    let answer = answer(position, outcomes, known);
    moves(&on_the_spot, position, &answer, play).expect("few moves")
}

fn parse(known: &GameKnowledge, text: &str) -> Position {
    known.game().parse(text).expect("a position")
}

#[test]
fn all_moves_of_a_lost_position_lose_and_others_are_unknown() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let open = parse(sprouts, "0*9.22");
    for (outcomes, normal, misere) in [
        ([Known::Loss, Known::Unknown], Known::Loss, Known::Unknown),
        ([Known::Unknown, Known::Loss], Known::Unknown, Known::Loss),
    ] {
        let moves = told(sprouts, &open, outcomes, Play::Normal, Duration::ZERO);
        assert!(
            moves
                .iter()
                .all(|of| of.normal == normal && of.misere == misere)
        );
    }
}

#[test]
fn the_moves_of_large_positions_are_slow_to_list() {
    let knowledge = Knowledge::default();
    for (text, is_slow) in [
        ("0*12", false),
        ("0*333", false),
        ("kayles:300", false),
        ("cram:24x24", false),
        ("cram:64x64", true),
    ] {
        let (game, position) = sproutnet_game::parse(text).expect("a position");
        let known = knowledge.of(&*game);
        assert_eq!(are_slow_to_list(known, &position), is_slow, "{text}");
    }
}

#[test]
fn the_only_move_that_does_not_lose_wins_in_a_won_position() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let position = parse(sprouts, "0*9.22");
    let answer = answer(&position, [Known::Win, Known::Unknown], sprouts);
    let mut moves = told(
        sprouts,
        &position,
        [Known::Unknown; 2],
        Play::Normal,
        Duration::ZERO,
    );
    assert!(moves.iter().all(|of| of.normal == Known::Unknown));
    for of in &mut moves[2..] {
        of.normal = Known::Loss;
    }
    // Either of two may be the one that wins.
    follow(&answer, Play::Normal, &mut moves);
    assert_eq!([moves[0].normal, moves[1].normal], [Known::Unknown; 2]);
    moves[0].normal = Known::Loss;
    follow(&answer, Play::Normal, &mut moves);
    assert_eq!(
        [moves[0].normal, moves[1].normal],
        [Known::Loss, Known::Win]
    );
    follow(&answer, Play::Misere, &mut moves);
    assert!(moves.iter().all(|of| of.misere == Known::Unknown));
}

#[test]
fn what_is_told_of_moves_is_true_and_all_that_one_look_tells() {
    let knowledge = Knowledge::default();
    let sprouts = knowledge.game("sprouts").expect("a game");
    let all = truth(sprouts);
    assert!(all.len() > 1_700);
    let game = sprouts.game();
    let by_text = all.iter().map(|(position, outcomes)| {
        (
            sproutnet_game::qualified(&**game, &game.print(position)),
            *outcomes,
        )
    });
    let by_text: HashMap<String, [Outcome; 2]> = by_text.collect();
    let fresh = Knowledge::default();
    let known = fresh.game("sprouts").expect("a game");
    let hour = Duration::from_secs(3600);
    // Known so far: nothing, then ever more.
    for round in 0..3 {
        for (index, (position, outcomes)) in all.iter().enumerate() {
            let seen = crate::verdict(known, position);
            for (play, truth) in Play::ALL.into_iter().zip(outcomes) {
                let told = seen.outcome(play).outcome();
                assert!(told.is_none_or(|told| told == *truth), "{seen:?}");
                // One look is enough.
                let options = options(known, position).expect("few");
                let of = |option: &Position| crate::outcome::resolved(known, option, play);
                let follows = match () {
                    () if options
                        .iter()
                        .any(|option| of(option) == Some(Outcome::Loss)) =>
                    {
                        Some(Outcome::Win)
                    }
                    () if position.lands().is_empty() => told,
                    () if options.iter().all(|option| of(option).is_some()) => Some(Outcome::Loss),
                    () => None,
                };
                assert!(follows.is_none() || told == follows, "{seen:?}");
            }
            if index % 8 == round {
                let here = [seen.normal, seen.misere];
                let moves = told(known, position, here, Play::Normal, Duration::ZERO);
                check(&by_text, &moves);
            }
            if index % 5 == round {
                let until = Instant::now() + hour;
                let play = Play::ALL[index / 5 % 2];
                solve_small(known, position, play, until).expect("threads");
            }
        }
    }
    // With time for searches, all is known.
    let fresh = Knowledge::default();
    let known = fresh.game("sprouts").expect("a game");
    for (position, outcomes) in all.iter().rev().step_by(17) {
        let here = outcomes.map(|outcome| Some(outcome).into());
        for play in Play::ALL {
            let moves = told(known, position, here, play, hour);
            assert!(moves.iter().all(|of| of.outcome(play).outcome().is_some()));
            assert!(moves.is_sorted_by_key(|of| of.outcome(play)));
            check(&by_text, &moves);
        }
    }
}

/// The verdicts on moves are true.
fn check(truth: &HashMap<String, [Outcome; 2]>, moves: &[Verdict]) {
    for of in moves {
        for (play, faced) in Play::ALL.into_iter().zip(truth[&of.canonical]) {
            let told = of.outcome(play).outcome();
            assert!(told.is_none_or(|told| told == faced.reversed()), "{of:?}");
        }
    }
}
