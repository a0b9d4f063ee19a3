//! How play goes on from a position when the winner plays to win.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use sproutnet_model::{Line, Step};

use super::{find_out, is_small, moves};
use sproutnet_game::{self as game, Position};
use sproutnet_solver::play::{Convention, GameKnowledge, Outcome, Play};

/// How long at first an option is searched for whether it is lost.
const FIRST_SEARCH: Duration = Duration::from_millis(2);

/// A line from a position: who wins makes a winning move, who loses any. Positions that are small are
/// searched where it is not known how to win, until the time is over.
///
/// # Errors
/// A search could not be made.
pub fn line(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    until: Instant,
) -> io::Result<Line> {
    let game = known.game().as_ref();
    let mut position = position.clone();
    let mut outcome = resolved(known, &position, play);
    let mut steps = Vec::new();
    loop {
        steps.push(Step {
            canonical: game::qualified(game, &game.print(&position)),
            outcome: outcome.into(),
            verified: known.is_verified(play, &position),
        });
        let complete = position.lands().is_empty();
        let next = match outcome {
            Some(outcome) if !complete => next(known, &position, play, outcome, until)?,
            _ => None,
        };
        let Some(next) = next else {
            return Ok(Line {
                play,
                steps,
                complete,
            });
        };
        outcome = outcome.map(Outcome::reversed);
        position = next;
    }
}

fn next(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    outcome: Outcome,
    until: Instant,
) -> io::Result<Option<Position>> {
    let Ok(options) = moves::options(known, position) else {
        return Ok(None);
    };
    match outcome {
        Outcome::Win => losing(known, options, play, until),
        // All lose. The one that leaves least is the one whose end is known soonest.
        Outcome::Loss => {
            let length = |option: &Position| known.game().max_moves_of(option);
            Ok(options.into_iter().min_by_key(length))
        }
    }
}

/// An option that is lost for whom it faces.
fn losing(
    known: &GameKnowledge,
    options: BTreeSet<Position>,
    play: Play,
    until: Instant,
) -> io::Result<Option<Position>> {
    let mut open = Vec::new();
    for option in options {
        match resolved(known, &option, play) {
            Some(Outcome::Loss) => return Ok(Some(option)),
            None if is_small(known, &option) => open.push(option),
            Some(Outcome::Win) | None => {}
        }
    }
    open.sort_by_cached_key(|option| known.game().max_moves_of(option));
    let mut time = FIRST_SEARCH;
    while !open.is_empty() && Instant::now() < until {
        let mut left = Vec::new();
        for option in open {
            let end = until.min(Instant::now() + time);
            match find_out(known, &option, play, end)? {
                Some(Outcome::Loss) => return Ok(Some(option)),
                Some(Outcome::Win) => {}
                None => left.push(option),
            }
        }
        open = left;
        time *= 4;
    }
    Ok(None)
}

fn resolved(known: &GameKnowledge, position: &Position, play: Play) -> Option<Outcome> {
    match play {
        Play::Normal => known.normal.resolve(&mut known.normal.state(position)),
        Play::Misere => known.misere.resolve(&mut known.misere.state(position)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_solver::play::Knowledge;

    #[test]
    fn a_line_follows_the_rules_and_the_winner_makes_the_last_move_count() {
        let knowledge = Knowledge::default();
        let sprouts = knowledge.game("sprouts").expect("a game");
        let parse = |text: &str| sprouts.game().parse(text).expect("a position");
        for (spots, play) in [(3, Play::Normal), (4, Play::Misere), (6, Play::Normal)] {
            let start = parse(&sprouts.game().start_text(spots));
            let until = Instant::now() + Duration::from_secs(60);
            let outcome = find_out(sprouts, &start, play, until).expect("threads");
            let line = line(sprouts, &start, play, until).expect("threads");
            assert!(line.complete, "{line:?}");
            for pair in line.steps.windows(2) {
                let options = moves::options(sprouts, &parse(&pair[0].canonical)).expect("few");
                assert!(options.contains(&parse(&pair[1].canonical)), "{pair:?}");
                assert_eq!(pair[0].outcome, pair[1].outcome.reversed());
            }
            // Who cannot move has lost under normal play, and won under misère play.
            let moves = line.steps.len() - 1;
            let first_moves_last = moves % 2 == 1;
            let first_wins = first_moves_last == (play == Play::Normal);
            assert_eq!(outcome, Some(Outcome::win_if(first_wins)), "{line:?}");
        }
    }
}
