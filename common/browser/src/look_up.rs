//! The answer about a position.

use std::io;

use serde::Serialize;
use sproutnet_drawing::SvgOptions;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Standing, Verdict};
use sproutnet_notation::Play;
use sproutnet_query::{MAX_MOVES_OF_SMALL, is_small, options, solve_within, verdict};
use sproutnet_solver::play::{GameKnowledge, Knowledge};
use sproutnet_solver::search::Control;

use crate::answer::{answer, with_knowledge};

/// The maximum number of visited states for one answer. That takes a minute at most.
const MOST_VISITS: u64 = 1_000_000;

/// The maximum number of moves that are shown.
const MOST_MOVES: usize = 500;

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
        citations: [Option<String>; 2],
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
    let found = match game::parse(&game::typed_in_form(text)) {
        Ok((game, position)) => with_knowledge(|knowledge| find(knowledge, &*game, &position)),
        Err(error) => return LookedUp::problem(error.to_string()),
    };
    found.unwrap_or_else(|error| LookedUp::problem(error.to_string()))
}

impl LookedUp {
    fn problem(problem: String) -> Self {
        Self::Problem { problem }
    }
}

fn find(knowledge: &Knowledge, game: &dyn Game, position: &Position) -> io::Result<LookedUp> {
    // The page has the style.
    let look = SvgOptions {
        style: false,
        ..SvgOptions::default()
    };
    let picture = sproutnet_drawing::svg(game, position, &look).ok();
    let known = knowledge.of(game);
    let control = Control::with_visits(MOST_VISITS);
    let (found, _) = answer(knowledge, game, position, &Play::ALL, &control)?;
    let (mut moves, mut note) = (Vec::new(), None);
    if is_small(known, position) {
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
            "This page searches positions of at most {MAX_MOVES_OF_SMALL} moves; this one may take {}.",
            found.most_moves
        ));
    }
    let citation = |standing: &Standing| {
        let citation = standing.citation.clone();
        citation.filter(|_| !standing.is_proved())
    };
    Ok(LookedUp::Found {
        citations: [citation(&found.normal), citation(&found.misere)],
        most_moves: found.most_moves,
        verdict: Verdict {
            canonical: found.canonical,
            normal: found.normal.outcome,
            misere: found.misere.outcome,
            nimber: found.nimber,
            genus: found.genus,
            verified: Vec::new(),
        },
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
