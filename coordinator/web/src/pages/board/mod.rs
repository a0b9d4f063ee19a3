//! A match on one drawing, which stays while lines are added. The address contains the whole match as it was
//! drawn, so it can be shared, and the browser's back button takes moves back.
//!
//! - [`state`]: a match, as its address describes it; [`sheets`]: the drawings of matches.
//! - [`form`]: how a match begins.
//! - [`picture`]: the drawing on which lines are drawn, and as a file.
//! - [`opponent`]: the moves of the solver.
//! - [`talk`]: the text beside the drawing.
//! - [`mod@review`]: a match, move by move.
//! - [`mod@shared`]: a match between two people on two devices.
//!
//! Without a script, a reader chooses spots by links. The script draws by hand: it sends the points of the hand, and
//! shows the page that it gets for them.

mod form;
mod opponent;
mod picture;
mod review;
mod shared;
mod sheets;
mod state;
mod talk;

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{self, Stroke};

use super::Site;
use super::layout::Script;
use crate::extract::{Asked, At, Name};
use crate::problem::Problem;
pub(super) use form::{begin, elsewhere, section as form_section};
use picture::Chosen;
pub(super) use picture::{as_file, circles, ends, file, name, ways, ways_to_join};
pub(super) use review::InVain;
pub(super) use review::page as review;
pub(super) use shared::{draw, events, invite, join, page as shared};
pub(super) use sheets::Sheets;
use state::{Address, Match, Mover};

/// The most points of a hand's line that are read.
pub(super) const MOST_POINTS: usize = 2000;

/// The match in a path.
#[derive(Deserialize)]
pub(super) struct Played {
    played: String,
}

impl Name for Played {
    const MISSING: &'static str = "there is no such match";
}

/// A match: makes the move that is asked for, or that of the solver, or shows the board.
pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(Played { played }): At<Played>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let at_hand = Arc::clone(&site);
    let read = move || -> Result<_, Problem> {
        let game = Match::read(&at_hand.sheets, &played, &address)?;
        let chosen = match game.winner() {
            None if game.mover() != Mover::Solver => Chosen::of(game.sheet(), &address),
            _ => Chosen::Nothing,
        };
        let stroke = wanted(&game, &chosen, &address)?;
        Ok((game, chosen, stroke, address.show))
    };
    let (game, chosen, stroke, show) = crate::blocking(read).await??;
    if let Some(stroke) = stroke {
        return Ok(Redirect::to(&game.after(&stroke)).into_response());
    }
    if game.winner().is_none() && game.mover() == Mover::Solver {
        let to = site.ask(move |coordinator, now| opponent::reply(coordinator, &game, now));
        return Ok(Redirect::to(&to.await?).into_response());
    }
    let (game, known) = site
        .ask(move |coordinator, now| {
            let known = opponent::known(coordinator, &game, show, now)?;
            Ok((game, known))
        })
        .await?;
    let content = html! {
        div #match .seen.match data-hand=[talk::hand(&game)] {
            (picture::section(&game, &chosen, known.hint.as_ref()))
            section #turn .about tabindex="-1" { (talk::status(&game, show, &known)) }
            (picture::choice(&game, &chosen))
            (talk::more(&game))
            (talk::invite(&game))
        }
    };
    let page = site.page_with(&talk::title(&game), Script::Board, &content);
    Ok(page.into_response())
}

/// The line that the address asks for.
fn wanted(game: &Match, chosen: &Chosen, address: &Address) -> Result<Option<Stroke>, Problem> {
    if game.winner().is_some() || game.mover() == Mover::Solver {
        return Ok(None);
    }
    let refused = |text: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, text);
    if let Some(hand) = &address.hand {
        let hand: Vec<Point> = sheet::hand(hand).map_err(|_| Problem::bad("this is no line"))?;
        if hand.len() > MOST_POINTS {
            return Err(Problem::bad("a line never has that many points"));
        }
        let stroke = game.sheet().by_hand(&hand);
        return stroke.map(Some).map_err(|error| refused(error.to_string()));
    }
    let Chosen::Both(_, _, ways) = chosen else {
        return Ok(None);
    };
    let way = match (address.way, &ways[..]) {
        (Some(way), ways) => ways.get(way),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(way) = way else {
        return Ok(None);
    };
    let stroke = game.sheet().route(way);
    let no_room = || refused("there is too little room for this line: draw it by hand".to_owned());
    stroke.map(Some).ok_or_else(no_room)
}
