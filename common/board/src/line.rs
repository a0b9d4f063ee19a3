//! A line of play as a match on one drawing, so that it can be followed from move to move.

use sproutnet_solver::play::Play;

use crate::address::Terms;
use crate::form::drawn;
use crate::host::Host;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::state::Match;

/// Leads to the start of the review of a match through these positions, given as texts. If the drawing has no room for a
/// line, the match ends before that move.
///
/// # Errors
/// A match cannot begin with the first position.
pub fn along(host: &Host<'_>, play: Play, line: &[String]) -> Result<Reply, Problem> {
    let (start, after) = line
        .split_first()
        .ok_or_else(|| Problem::missing("there is no line of play"))?;
    let terms = Terms::between_people(play);
    let mut game = Match::read(host.sheets, &drawn(start)?, terms)?;
    for text in after {
        let position = sproutnet_game::parse(text).map(|(_, position)| position);
        let position = position.map_err(|error| Problem::Position(text.clone(), error))?;
        let Some(stroke) = game.sheet().route_to(&position) else {
            break;
        };
        game = Match::read(host.sheets, &(game.played() + &stroke.code()), terms)?;
    }
    Ok(Reply::To(game.review_at(0)))
}
