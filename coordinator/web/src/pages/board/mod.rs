//! The board: the pages of `sproutnet_board`, with the coordinator as the solver.
//!
//! - [`solver`]: what the pages ask the coordinator.
//! - [`mod@shared`]: a match between two people on two devices; [`between`]: its text; [`presence`]: whether they have
//!   its page open.

mod between;
mod presence;
mod shared;
mod solver;

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use sproutnet_board::address::{Address, Terms};
use sproutnet_board::collection::Puzzle;
use sproutnet_board::sheets::Sheets;
use sproutnet_board::state::Match;
use sproutnet_board::{
    Around, Host, Reply, form, lesson, line, page, picture as pictures, puzzles as collection,
    review, worksheet,
};
use sproutnet_solver::play::Play;

use super::drawings::as_file;
use super::{Site, preview as previews};
use crate::extract::{Asked, At, Name, Origin};
use crate::links;
use crate::problem::Problem;
pub(super) use presence::Presence;
pub(super) use shared::{
    draw, events, invite, join, page as shared, preview as shared_preview, rematch, resign,
};
use solver::Asking;

impl Name for Puzzle {
    const MISSING: &'static str = "there is no such puzzle";
}

impl Name for lesson::Numbered {
    const MISSING: &'static str = "there is no such step of the lesson";
}

/// The page that a function of `sproutnet_board` returns, for a site under this origin.
async fn answer(
    site: Arc<Site>,
    origin: Option<String>,
    ask: impl FnOnce(&Host<'_>) -> Result<Reply, sproutnet_board::Problem> + Send + 'static,
) -> Result<Response, Problem> {
    let of = Arc::clone(&site);
    let found = move || {
        let solver = Asking::new(&of.coordinator);
        ask(&Host {
            sheets: &of.sheets,
            solver: &solver,
            around: Around::Server,
            random: getrandom::u32().unwrap_or(0),
        })
    };
    Ok(match crate::blocking(found).await?? {
        Reply::To(to) => Redirect::to(&to).into_response(),
        Reply::Page(page) => site.page_of(page, origin).into_response(),
    })
}

pub(super) async fn begin(
    State(site): State<Arc<Site>>,
    Asked(start): Asked<form::Start>,
) -> Result<Response, Problem> {
    answer(site, None, |host| form::begin(host, start)).await
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Origin(origin): Origin,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    answer(site, origin, move |host| {
        page::page(host, &played, &address)
    })
    .await
}

pub(super) async fn review(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    answer(site, None, move |host| {
        review::page(host, &played, &address)
    })
    .await
}

/// The review of a match along a line of play, given by the texts of its positions.
pub(super) async fn along(
    site: Arc<Site>,
    play: Play,
    texts: Vec<String>,
) -> Result<Response, Problem> {
    answer(site, None, move |host| line::along(host, play, &texts)).await
}

pub(super) async fn lesson(State(site): State<Arc<Site>>) -> Result<Response, Problem> {
    answer(site, None, |_| Ok(lesson::begin())).await
}

pub(super) async fn step(
    State(site): State<Arc<Site>>,
    At(step): At<lesson::Numbered>,
) -> Result<Response, Problem> {
    answer(site, None, move |_| lesson::step(step)).await
}

pub(super) async fn puzzles(State(site): State<Arc<Site>>) -> Result<Response, Problem> {
    answer(site, None, |host| Ok(collection::list(host.around))).await
}

pub(super) async fn puzzle(
    State(site): State<Arc<Site>>,
    At(puzzle): At<Puzzle>,
) -> Result<Response, Problem> {
    answer(site, None, move |_| collection::page(puzzle)).await
}

pub(super) async fn puzzle_sheet(
    State(site): State<Arc<Site>>,
    Asked(wanted): Asked<worksheet::Wanted>,
) -> Result<Response, Problem> {
    answer(site, None, move |host| {
        Ok(worksheet::page(host.around, &wanted))
    })
    .await
}

/// Redirects to the form, or to the match that the query asks for.
pub(super) async fn elsewhere(RawQuery(query): RawQuery) -> Redirect {
    Redirect::permanent(&links::with_query("/board", query.as_deref()))
}

/// The drawing of a match as a file.
pub(super) async fn file(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let drawn = move || pictures::file(&site.sheets, &played, &address);
    Ok(as_file(crate::blocking(drawn).await??))
}

/// The drawing of a puzzle, or of its solution, as a file.
pub(super) async fn puzzle_picture(
    At(puzzle): At<Puzzle>,
    Asked(look): Asked<collection::Look>,
) -> Result<Response, Problem> {
    let drawn = move || collection::picture(puzzle, &look);
    Ok(as_file(crate::blocking(drawn).await??))
}

/// The drawing of a match as it is shown with a link.
pub(super) async fn preview(
    State(site): State<Arc<Site>>,
    At(played): At<String>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let drawn = move || -> Result<Response, Problem> {
        let game = Match::read(&site.sheets, &played, address.terms)?;
        previews::file(game.sheet())
    };
    crate::blocking(drawn).await?
}

/// The address of a match with these moves.
///
/// # Errors
/// There is no such match.
pub(super) fn link_of(sheets: &Sheets, played: &str, terms: Terms) -> Result<String, Problem> {
    Ok(Match::read(sheets, played, terms)?.link())
}

/// The board of a new match, on the front page.
pub(super) fn first(site: &Site) -> Result<Markup, Problem> {
    Ok(page::first(&site.sheets)?)
}
