//! Playing against the solver. All of a match is in its address: it can be passed on, and going back
//! takes moves back.
//!
//! - [`state`]: a match, as its address describes it.
//! - [`solver`]: what the solver knows, and plays.
//! - [`board`]: the drawing on which spots are joined.
//! - [`talk`]: what is said beside it.
//! - [`form`]: how a match begins.

mod board;
mod form;
mod solver;
mod state;
mod talk;

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use sproutnet_game as game;
use sproutnet_model::Answer;

use super::Site;
use super::layout::Page;
use super::problem::Problem;
use crate::links;
pub(super) use form::{begin, section as form_section};
use state::{Asked, Match};

/// Positions with more moves left are not played on pages: `0*10` has so many.
const MOST_MOVES: u32 = 29;

/// Whether a position can be played on a page.
pub(super) fn can_be_played(answer: &Answer) -> bool {
    answer.game == "sprouts" && (1..=MOST_MOVES).contains(&answer.most_moves)
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let Path(text) = path.map_err(|_| Problem::bad("a position is expected"))?;
    let Query(asked) = asked.map_err(|_| Problem::bad("this is the address of no match"))?;
    let (game, position) = Problem::unless_position(&text)?;
    if game.name() != "sprouts" {
        return Err(Problem::bad("only Sprouts is played here"));
    }
    if game.max_moves_of(&position) > MOST_MOVES {
        return Err(Problem::bad(format!(
            "only positions with at most {MOST_MOVES} moves left are played here, such as 0*10"
        )));
    }
    let (one, other, wants_hint) = (asked.spot, asked.to, asked.hint.is_some());
    let canonical = game::qualified(&*game, &game.print(&position));
    let game_so_far = Match::new(canonical, asked)?;
    let is_over = position.lands().is_empty();
    if !is_over && !game_so_far.is_your_turn() {
        let play = game_so_far.play;
        let reply = site.ask(move |coordinator, now| {
            let lookup = coordinator.queries.lookup(game, position);
            solver::reply(coordinator, &lookup, play, now)
        });
        return Ok(Redirect::to(&game_so_far.after(&reply.await?)).into_response());
    }
    let drawn = position.clone();
    let board = tokio::task::spawn_blocking(move || board::Seen::of(&drawn, one, other));
    let board = match board.await {
        Ok(board) => board.map_err(|error| Problem::bad(error.to_string()))?,
        Err(error) => return Err(Problem::fault(&error)),
    };
    if game_so_far.text != text {
        return Ok(Redirect::to(&game_so_far.link()).into_response());
    }
    let play = game_so_far.play;
    let known = site.ask(move |coordinator, now| {
        let lookup = coordinator.queries.lookup(game, position);
        solver::known(coordinator, &lookup, play, wants_hint, now)
    });
    let known = known.await?;
    let hint = match known.winning.clone() {
        Some(text) => site.hint(&game_so_far, text).await?,
        None => None,
    };
    let page = Page {
        title: &talk::title(&game_so_far, is_over),
        refresh: None,
        signed_in: site.access.wants_token(),
    };
    let page = page.with(&html! {
        div.seen.match {
            section #turn .about {
                p.above {
                    a href="/play" { "Play" } " / "
                    a href=(links::position(&game_so_far.text)) { "about this position" }
                }
                (talk::status(&game_so_far, is_over, known.outcome, hint.as_ref()))
            }
            @if !is_over {
                (board::section(&game_so_far, &board))
                (board::choice(&game_so_far, &board))
            }
        }
        (talk::so_far(&game_so_far))
    });
    Ok(page.into_response())
}

impl Site {
    /// The move that leads to a position, in words.
    async fn hint(
        self: &Arc<Self>,
        game_so_far: &Match,
        text: String,
    ) -> Result<Option<board::Hint>, Problem> {
        let (_, position) = Problem::unless_position(&game_so_far.text)?;
        let found = tokio::task::spawn_blocking(move || board::Hint::to(&position, text));
        found.await.map_err(|error| Problem::fault(&error))
    }
}
