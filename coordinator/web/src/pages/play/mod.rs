//! Playing against the solver from any position. Each position is drawn anew; a match from the start is played
//! on the [board](super::board). The address contains the whole match, so it can be shared, and the browser's
//! back button takes moves back.
//!
//! - [`state`]: a match, as its address describes it.
//! - [`solver`]: what the solver knows and plays.
//! - [`board`]: the drawing on which spots are joined.
//! - [`talk`]: the text beside it.

mod board;
mod solver;
mod state;
mod talk;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use sproutnet_game as game;
use sproutnet_model::Answer;

use super::Site;
use crate::extract::{Asked, Typed};
use crate::links;
use crate::problem::Problem;
pub(super) use solver::Solver;
use state::{Address, Match};

/// The maximum number of moves left of positions that are played here; `0*10` has as many.
const MOST_MOVES: u32 = 29;

/// Whether a position can be played on a page.
pub(super) fn can_be_played(answer: &Answer) -> bool {
    answer.game == "sprouts" && (1..=MOST_MOVES).contains(&answer.most_moves)
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    Asked(address): Asked<Address>,
    Typed(named): Typed,
) -> Result<Response, Problem> {
    let (game, position) = (named.game, named.position);
    if game.name() != "sprouts" {
        return Err(Problem::bad("only Sprouts is played here"));
    }
    if game.max_moves_of(&position) > MOST_MOVES {
        return Err(Problem::bad(format!(
            "only positions with at most {MOST_MOVES} moves left are played here, such as 0*10"
        )));
    }
    let (one, other, wants_hint) = (address.spot, address.to, address.hint.is_some());
    let canonical = game::qualified(&*game, &game.print(&position));
    let game_so_far = Match::new(canonical, address)?;
    let play = game_so_far.play;
    let is_over = position.lands().is_empty();
    if !is_over && !game_so_far.is_your_turn() {
        let reply = site.ask(move |coordinator, now| {
            Solver::new(
                coordinator,
                coordinator.queries.lookup(game, position),
                play,
                now,
            )
            .reply()
        });
        return Ok(Redirect::to(&game_so_far.after(&reply.await?)).into_response());
    }
    let drawn = position.clone();
    let board = crate::blocking(move || board::Seen::of(&drawn, one, other)).await?;
    let board = board.map_err(|error| Problem::bad(error.to_string()))?;
    if game_so_far.text != named.text {
        return Ok(Redirect::to(&game_so_far.link()).into_response());
    }
    let from = position.clone();
    let known = site.ask(move |coordinator, now| {
        Solver::new(
            coordinator,
            coordinator.queries.lookup(game, position),
            play,
            now,
        )
        .known(wants_hint)
    });
    let (outcome, winning) = known.await?;
    let hint = match winning {
        Some(to) => crate::blocking(move || board::Hint::to(&from, to)).await?,
        None => None,
    };
    let content = html! {
        div.seen.match {
            section #turn .about {
                p.above {
                    a href="/board" { "Play" } " / "
                    a href=(links::position(&game_so_far.text)) { "about this position" }
                }
                (talk::status(&game_so_far, is_over, outcome, hint.as_ref()))
            }
            @if !is_over {
                (board::section(&game_so_far, &board))
                (board::choice(&game_so_far, &board))
            }
        }
        (talk::so_far(&game_so_far))
    };
    let page = site.page(talk::title(&game_so_far, is_over), None, &content);
    Ok(page.into_response())
}
