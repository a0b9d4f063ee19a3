//! The answer about a position.

use std::cell::RefCell;
use std::io;

use serde::Serialize;
use sproutnet_drawing::SvgOptions;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Known, Verdict};
use sproutnet_notation::Play;
use sproutnet_query::{
    MAX_MOVES_OF_SMALL, is_small, nimber_within, options, published_of, solve_within, verdict,
};
use sproutnet_solver::play::{GameKnowledge, Knowledge};
use sproutnet_solver::search::Control;

/// The maximum number of visited states for one answer. That takes a minute at most.
const MOST_VISITS: u64 = 1_000_000;

/// The maximum number of moves that are shown.
const MOST_MOVES: usize = 500;

/// The size of known facts from which they are forgotten, in bytes.
const MOST_KNOWN: usize = 512 << 20;

thread_local! {
    /// The facts of earlier answers.
    static KNOWLEDGE: RefCell<Knowledge> = RefCell::default();
}

/// The answer about a position.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum LookedUp {
    /// The position, its outcomes and its moves.
    Found {
        /// The outcomes for the player to move.
        #[serde(flatten)]
        verdict: Verdict,
        /// The source of each outcome that was published or has a certificate, and not found here: of normal play and
        /// of misère play.
        citations: [Option<&'static str>; 2],
        /// The maximum number of moves left.
        most_moves: u32,
        /// The moves as the positions that they lead to, with the outcomes of the player who makes the move.
        moves: Vec<Verdict>,
        /// The picture as SVG without its style sheet, if there is one.
        picture: Option<String>,
        /// What is missing in the answer, and why.
        note: Option<String>,
    },
    /// The text is not a position, or memory is short.
    Problem {
        /// What is wrong.
        problem: String,
    },
}

/// Looks up a position as a person types it, such as `5` or `kayles:3+4`. Small positions are searched, within a fixed
/// amount of work; an outcome that takes more stays unknown.
pub fn look_up(text: &str) -> LookedUp {
    let found = match game::parse(&game::typed(text.trim())) {
        Ok((game, position)) => KNOWLEDGE.with_borrow_mut(|knowledge| {
            if knowledge.bytes() > MOST_KNOWN {
                *knowledge = Knowledge::default();
            }
            let known = knowledge.game(game.name());
            known.map(|known| find(known, &*game, &position))
        }),
        Err(error) => return LookedUp::problem(error.to_string()),
    };
    match found {
        Some(Ok(found)) => found,
        Some(Err(error)) => LookedUp::problem(error.to_string()),
        None => LookedUp::problem("sums across games are not looked up here".to_owned()),
    }
}

impl LookedUp {
    fn problem(problem: String) -> Self {
        Self::Problem { problem }
    }
}

fn find(known: &GameKnowledge, game: &dyn Game, position: &Position) -> io::Result<LookedUp> {
    let most_moves = game.max_moves_of(position);
    // The page has the style.
    let look = SvgOptions {
        style: false,
        ..SvgOptions::default()
    };
    let picture = sproutnet_drawing::svg(game, position, &look).ok();
    let (mut moves, mut note) = (Vec::new(), None);
    let mut found = verdict(known, position);
    if is_small(known, position) {
        let control = Control::with_visits(MOST_VISITS);
        for play in Play::ALL {
            *found.outcome_mut(play) = solve_within(known, position, play, &control)?.into();
        }
        if found.nimber.is_none() && !game.is_partizan() {
            found.nimber = nimber_within(known, position, &control)?;
        }
        match options(known, position) {
            Ok(options) if options.len() <= MOST_MOVES => {
                for option in &options {
                    let of_move = of_move(known, option, &control)?;
                    if control.must_stop() {
                        break;
                    }
                    moves.push(of_move);
                }
                moves.sort_by_key(|of| (of.normal, of.misere, of.canonical.len()));
            }
            Ok(_) | Err(_) => {
                note = Some(format!(
                    "There are more than {MOST_MOVES} moves, too many to list."
                ));
            }
        }
        if control.must_stop() {
            note = Some("This page gave up: the rest takes too much work.".to_owned());
        }
    } else {
        note = Some(format!(
            "This page searches positions of at most {MAX_MOVES_OF_SMALL} moves; this one may take {most_moves}."
        ));
    }
    let mut citations = [None; 2];
    for (play, cited) in Play::ALL.into_iter().zip(&mut citations) {
        if found.outcome(play) == Known::Unknown
            && let Some((outcome, _, citation)) = published_of(&found.canonical, play)
        {
            *found.outcome_mut(play) = Some(outcome).into();
            *cited = Some(citation);
        }
    }
    Ok(LookedUp::Found {
        verdict: found,
        citations,
        most_moves,
        moves,
        picture,
        note,
    })
}

/// The verdict on a move, given the position that it leads to.
fn of_move(known: &GameKnowledge, option: &Position, control: &Control) -> io::Result<Verdict> {
    for play in Play::ALL {
        solve_within(known, option, play, control)?;
    }
    Ok(verdict(known, option).reversed())
}
