//! A position: its outcomes, its values, a line of play, and its moves.
//!
//! - [`verdict`]: the outcomes, and their sources.
//! - [`values`]: its nimber, its genus, its lands.
//! - [`moves`]: its moves, and play to the end.

mod moves;
mod values;
mod verdict;

pub(super) use verdict::standing;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use sproutnet_coordinator::{Coordinator, CoordinatorError};
use sproutnet_drawing::DrawingError;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Answer, Known, Line, Verdict};
use sproutnet_solver::play::Play;

use super::drawings::{Shown, on_a_page};
use super::forms::Plays;
use super::layout::Script;
use super::{Site, board, words};
use crate::extract::{Asked, Typed};
use crate::links;
use crate::problem::Problem;

/// Without a script, the page of a position under search reloads after this many seconds.
const REFRESH: u32 = 5;

/// The time limit for the search of a small position.
const WITHIN: Duration = Duration::from_secs(1);

/// Why the moves of a large position are not on its page.
const SLOW_MOVES: &str = "this position is so large that its moves are not listed here; the command line and the API \
                          list them";

/// The query in the address of a position.
#[derive(Deserialize)]
pub(super) struct View {
    play: Option<Plays>,
    page: Option<usize>,
}

/// The content of the page of a position.
struct Found {
    answer: Answer,
    /// The convention for the line and the order of the moves.
    play: Play,
    line: Option<Line>,
    /// The moves, or the reason why they are not listed.
    moves: Result<Vec<Verdict>, String>,
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    Asked(view): Asked<View>,
    Typed(named): Typed,
    uri: Uri,
) -> Result<Response, Problem> {
    let (game, position) = (named.game, named.position);
    let canonical = game::qualified(&*game, &game.print(&position));
    if canonical != named.text {
        let to = links::with_query(&links::position(&canonical), uri.query());
        return Ok(Redirect::to(&to).into_response());
    }
    let (of, drawn) = (Arc::clone(&game), position.clone());
    let drawing = crate::blocking(move || on_a_page(&*of, &drawn)).await?;
    let caption = sproutnet_drawing::caption(&*game).unwrap_or_default();
    let play = view.play.map_or(Play::Normal, Plays::first);
    let found = site.ask(move |coordinator, now| find(coordinator, game, position, play, now));
    let found = found.await?;
    let answer = &found.answer;
    let content = html! {
        div.seen {
            (verdict::section(answer, play))
            @if answer.most_moves > 0 { (picture(&drawing, &canonical, caption)) }
            (values::figures(answer))
        }
        (values::lands(answer))
        (moves::line(&found))
        (moves::section(&found, view.page.unwrap_or(1)))
    };
    let title = format!("{canonical}: who wins?");
    // Also if the outcome is published.
    let refresh = is_computed(answer).then_some(Script::Live(Some(REFRESH)));
    Ok(site.page(&title, refresh, &content).into_response())
}

/// Leads to the line of play on one drawing.
pub(super) async fn line(
    State(site): State<Arc<Site>>,
    Asked(view): Asked<View>,
    Typed(named): Typed,
) -> Result<Response, Problem> {
    let play = view.play.map_or(Play::Normal, Plays::first);
    let (game, position) = (named.game, named.position);
    let found = site.ask(move |coordinator, now| find(coordinator, game, position, play, now));
    let line = found.await?.line;
    let line = line.ok_or_else(|| Problem::missing("no line of play is known"))?;
    let texts = line.steps.into_iter().map(|step| step.canonical);
    board::along(site, play, texts.collect()).await
}

/// Whether a computation of the position is in progress.
fn is_computed(answer: &Answer) -> bool {
    let is_computed = |play| answer.standing(play).computation.is_some();
    Play::ALL.into_iter().any(is_computed)
}

fn picture(drawing: &Result<Shown, DrawingError>, text: &str, caption: &str) -> Markup {
    html! {
        @match drawing {
            Ok(shown) => figure.drawing {
                @match shown {
                    Shown::Now(drawing) => (PreEscaped(drawing)),
                    Shown::Later(width, height) => {
                        img src=(links::drawing(text, false)) alt=(format!("Drawing of {text}"))
                            loading="lazy" decoding="async" width=(width.ceil()) height=(height.ceil());
                    },
                }
                figcaption { (caption) }
            },
            Err(error) => p.empty { (words::sentence_of(&error.to_string())) },
        }
    }
}

fn find(
    coordinator: &Coordinator,
    game: Arc<dyn Game>,
    position: Position,
    play: Play,
    now: Instant,
) -> Result<Found, CoordinatorError> {
    let queries = &coordinator.queries;
    let lookup = queries.lookup(game, position);
    let mut answer = queries.answer(&lookup, now)?;
    // Otherwise the position would be searched again each time the page is fetched.
    let until = if is_computed(&answer) {
        now
    } else {
        queries.until(WITHIN)
    };
    if now < until {
        answer = queries.answer(&lookup, until)?;
    }
    let line = match answer.standing(play).outcome {
        Known::Win | Known::Loss => Some(queries.line(&lookup, &answer, play, until)?),
        Known::InProgress | Known::Unknown => None,
    };
    let moves = if queries.has_slow_moves(&lookup) {
        Err(SLOW_MOVES.to_owned())
    } else {
        match queries.moves(&lookup, &answer, play, until) {
            Ok(moves) => Ok(moves),
            Err(CoordinatorError::Invalid(reason)) => Err(reason),
            Err(error) => return Err(error),
        }
    };
    Ok(Found {
        answer,
        play,
        line,
        moves,
    })
}
