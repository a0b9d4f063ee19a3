//! A match on one drawing, to which each move adds lines. It begins with some spots, or with a drawing of any position.
//! The address contains the whole match as it was drawn: it can be shared, and the browser's back button takes moves
//! back.
//!
//! - [`state`]: a match, as its address describes it.
//! - [`form`]: the start of a match.
//! - [`picture`]: the drawing, on the page and as a file.
//! - [`opponent`]: the moves of the solver.
//! - [`talk`]: the text beside the drawing.
//! - [`mod@review`]: a match, move by move.
//! - [`mod@shared`]: a match between two people on two devices.
//!
//! Without a script, a reader chooses spots by links. With the script, a reader draws by hand: the script sends the
//! points, and shows the page that answers.

mod form;
mod opponent;
mod picture;
mod review;
mod shared;
mod state;
mod talk;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::Site;
use super::layout::Script;
use super::pick::{self, Chosen};
use crate::extract::{Asked, At};
use crate::problem::Problem;
pub(super) use form::{begin, by_position, can_begin_with, elsewhere, section as form_section};
pub(super) use picture::file;
pub(super) use review::InVain;
pub(super) use review::page as review;
pub(super) use shared::{draw, events, invite, join, page as shared};
use state::{Address, Match, Mover};
pub(super) use state::{People, Terms};

/// The page of a match. It makes the wanted move or the solver's move, or shows the board.
pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let at_hand = Arc::clone(&site);
    let show = address.show;
    let read = move || -> Result<_, Problem> {
        let game = Match::read(&at_hand.sheets, &played, address.terms)?;
        let chosen = chosen(&game, &address);
        let stroke = if game.can_draw() {
            pick::wanted(game.sheet(), &chosen, address.hand.as_deref(), address.way)?
        } else {
            None
        };
        Ok((game, chosen, stroke))
    };
    let (game, chosen, stroke) = crate::blocking(read).await??;
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
    let page = site.page(&talk::title(&game), Some(Script::Board), &content);
    Ok(page.into_response())
}

/// The choice in an address. A spot at which no line can begin is ignored, and so is everything while it is not the
/// reader's turn.
fn chosen(game: &Match, address: &Address) -> Chosen {
    if !game.can_draw() {
        return Chosen::Nothing;
    }
    let sheet = game.sheet();
    match Chosen::of(sheet, address.spot, address.to) {
        Chosen::Spot(one) if sheet.partners(one - 1).is_empty() => Chosen::Nothing,
        chosen => chosen,
    }
}
