//! A match on one drawing, to which each move adds lines. It begins with some spots, or with a drawing of any position.
//! The address contains the whole match as it was drawn: it can be shared, and the browser's back button takes moves
//! back.
//!
//! - [`state`]: a match, as its address describes it: its [`start`], and in the query what is in [`address`].
//! - [`form`]: the forms that begin a match.
//! - [`picture`]: the drawing, on the page and as a file.
//! - [`opponent`]: the moves of the solver; [`level`]: how often they are random.
//! - [`talk`]: the text beside the drawing.
//! - [`task`] and [`tasks`]: matches in which one line is asked for: the [`lesson`], and [`puzzles`] from the
//!   [`collection`]; [`worksheet`]: puzzles to print.
//! - [`mod@review`]: a match, move by move.
//! - [`mod@shared`]: a match between two people on two devices; [`presence`]: whether they have its page open.
//!
//! Without a script, a reader chooses spots by links. With the script, a reader draws by hand: the script sends the
//! points, and shows the page that answers.

mod address;
mod collection;
mod form;
mod lesson;
mod level;
mod opponent;
mod picture;
mod presence;
mod puzzles;
mod review;
mod shared;
mod start;
mod state;
mod talk;
mod task;
mod tasks;
mod worksheet;

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use sproutnet_drawing::sheet::Stroke;

use super::Site;
use super::layout::Script;
use super::pick::{self, Chosen};
use super::sheets::Sheets;
use crate::extract::{Asked, At, Origin};
use crate::problem::Problem;
use address::{Address, OnLine, Show};
pub(super) use address::{People, Terms};
pub(super) use form::{begin, can_begin_with, elsewhere};
pub(super) use lesson::{begin as lesson, step};
pub(super) use picture::{file, preview};
pub(super) use presence::Presence;
pub(super) use puzzles::{list as puzzles, page as puzzle, picture as puzzle_picture};
pub(super) use review::InVain;
pub(super) use review::page as review;
pub(super) use shared::{
    draw, events, invite, join, page as shared, preview as shared_preview, rematch, resign,
};
use state::{Match, Mover};
pub(super) use worksheet::page as puzzle_sheet;

/// The match on the front page: its number of spots.
const FIRST: &str = "4";

/// The page of a match. It makes the wanted move or the solver's move, or shows the board.
pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Origin(origin): Origin,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let at_hand = Arc::clone(&site);
    let (mut show, mark) = (address.show, address.mark);
    let read = move || -> Result<_, Problem> {
        let game = Match::read(&at_hand.sheets, &played, address.terms)?;
        if address.hand.is_some() || address.way.is_some() {
            game.need_no_resignation()?;
        }
        let chosen = chosen(&game, &address);
        let after = if game.can_draw() {
            after(&game, &chosen, &address)?
        } else {
            None
        };
        Ok((game, chosen, after))
    };
    let (game, chosen, after) = crate::blocking(read).await??;
    if let Some(after) = after {
        return Ok(Redirect::to(&after).into_response());
    }
    if game.winner().is_none() && game.mover() == Mover::Solver {
        let to = site.ask(move |coordinator, now| opponent::reply(coordinator, &game, now));
        return Ok(Redirect::to(&to.await?).into_response());
    }
    if game.moves() > 0 && game.terms.task.is_some_and(tasks::is_judged_by_outcome) {
        show = Some(Show::Verdict);
    }
    let (game, known) = site
        .ask(move |coordinator, now| {
            let known = match puzzles::known(&game, show) {
                Some(known) => known,
                None => opponent::known(coordinator, &game, show, now)?,
            };
            Ok((game, known))
        })
        .await?;
    let drawing = picture::section(&game, &chosen, mark, known.hint.as_ref());
    let hand = talk::hand(&game, mark);
    let content = html! {
        @if let Some(task) = game.terms.task {
            // On a phone, what is asked for is above the board.
            div #match .seen.match.task data-hand=[hand] {
                section #turn .about tabindex="-1" { (tasks::status(&game, task, show, &known)) }
                (drawing)
                (picture::choice(&game, &chosen))
            }
        } @else {
            div #match .seen.match data-hand=[hand] {
                (drawing)
                section #turn .about tabindex="-1" { (talk::status(&game, show, &known)) }
                (picture::choice(&game, &chosen))
                (talk::more(&game))
                (talk::share(&game))
                (talk::invite(&game))
            }
        }
    };
    let title = game
        .terms
        .task
        .map_or_else(|| talk::title(&game), tasks::title);
    let preview = origin.map(|origin| talk::preview(&game, &title, origin));
    let page = site.page_with(&title, Some(Script::Board), preview.as_ref(), &content);
    Ok(page.into_response())
}

/// The address after the line that an address asks for. If a chosen line has too little room, the drawing is evened
/// out.
fn after(game: &Match, chosen: &Chosen, address: &Address) -> Result<Option<String>, Problem> {
    let wanted = |game: &Match, chosen: &Chosen| -> Result<Option<String>, Problem> {
        Ok(wanted_line(game, chosen, address)?.map(|stroke| game.after(&stroke)))
    };
    let refused = match wanted(game, chosen) {
        Err(refused) if address.hand.is_none() => refused,
        found => return found,
    };
    let Some(evened) = game.evened() else {
        return Err(refused);
    };
    let chosen = Chosen::of(evened.sheet(), address.spot, address.to);
    wanted(&evened, &chosen)
}

/// The line that an address asks for, with what it gets.
///
/// # Errors
/// It cannot be drawn.
fn wanted_line(
    game: &Match,
    chosen: &Chosen,
    address: &Address,
) -> Result<Option<Stroke>, Problem> {
    let (sheet, hand) = (game.sheet(), address.hand.as_deref());
    let stroke = pick::wanted(sheet, chosen, hand, address.way)?;
    let mark = hand.and(address.mark).map(OnLine::mark);
    stroke
        .map(|stroke| pick::with_mark(sheet, stroke, mark))
        .transpose()
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

/// The address of a match with these moves.
pub(super) fn link_of(sheets: &Sheets, played: &str, terms: Terms) -> Result<String, Problem> {
    Ok(Match::read(sheets, played, terms)?.link())
}

/// The board of a new match, on the front page. The page of the match follows the first line.
pub(super) fn first(site: &Site) -> Result<Markup, Problem> {
    let game = Match::read(&site.sheets, FIRST, Terms::default())?;
    Ok(html! {
        div #match .match data-hand=[talk::hand(&game, None)] {
            (picture::section(&game, &Chosen::Nothing, None, None))
        }
    })
}
