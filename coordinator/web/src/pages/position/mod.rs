//! A position: who wins it, what else is known of it, how play goes on, and its moves.
//!
//! - [`verdict`]: who wins, and how that is known.
//! - [`values`]: its nimber, its genus, its lands.
//! - [`line`]: play to the end.
//! - [`moves`]: what can be played.

mod line;
mod moves;
mod values;
mod verdict;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use sproutnet_drawing::DrawingError;
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Answer, Known, Line, Verdict};
use sproutnet_solver::play::Play;

use super::Site;
use super::drawings::Kind;
use super::layout::Page;
use super::problem::Problem;
use super::words;
use crate::links;
use sproutnet_coordinator::{Coordinator, CoordinatorError};

/// Without a script, the page of a position under search reloads after that many seconds.
const REFRESH: u32 = 5;

/// For so long a small position is searched at most.
const WITHIN: Duration = Duration::from_secs(1);

/// What is to be shown of a position.
#[derive(Deserialize)]
pub(super) struct Asked {
    play: Option<Play>,
    page: Option<usize>,
}

/// What is known of a position.
struct Found {
    answer: Answer,
    /// The convention that the line and the order of the moves are for.
    play: Play,
    line: Option<Line>,
    /// The moves, or why they are not listed.
    moves: Result<Vec<Verdict>, String>,
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
    uri: Uri,
) -> Result<Response, Problem> {
    let Path(text) = path.map_err(|_| Problem::bad("a position is expected"))?;
    let expected = "play=normal or play=misere, and the number of a page are expected";
    let Query(asked) = asked.map_err(|_| Problem::bad(expected))?;
    let (game, position) = Problem::unless_position(&text)?;
    let canonical = game::qualified(&*game, &game.print(&position));
    if canonical != text {
        let query = uri.query().map(|query| format!("?{query}"));
        let to = links::position(&canonical) + &query.unwrap_or_default();
        return Ok(Redirect::to(&to).into_response());
    }
    let drawing = match game.name() {
        "sprouts" => site.draw(position.clone(), Kind::Inline).await?,
        _ => Err(DrawingError::NotSprouts),
    };
    let play = asked.play.unwrap_or(Play::Normal);
    let found = site.ask(move |coordinator, now| find(coordinator, game, position, play, now));
    let found = found.await?;
    let answer = &found.answer;
    // Also of what others published.
    let goes_on = |play: &Play| answer.standing(*play).computation.is_some();
    let page = Page {
        title: &format!("{canonical}: who wins?"),
        refresh: Play::ALL.iter().any(goes_on).then_some(REFRESH),
        signed_in: site.access.wants_token(),
    };
    let page = page.with(&html! {
        div.seen {
            (verdict::section(answer))
            @if answer.most_moves > 0 { (picture(&drawing)) }
            (values::figures(answer))
        }
        (values::lands(answer))
        (line::section(&found))
        (moves::section(&found, asked.page.unwrap_or(1)))
    });
    Ok(page.into_response())
}

fn picture(drawing: &Result<Arc<str>, DrawingError>) -> Markup {
    html! {
        @match drawing {
            Ok(drawing) => figure.drawing {
                (PreEscaped(drawing))
                figcaption {
                    "A spot shows how many lines it can still take. Each colour is a region."
                }
            },
            Err(DrawingError::NotSprouts) => {}
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
    let lookup = coordinator.queries.lookup(game, position);
    let until = now + WITHIN;
    let mut answer = coordinator.queries.answer(&lookup, Duration::ZERO)?;
    let goes_on = |play: Play| answer.standing(play).computation.is_some();
    // What is being solved is not searched here as well, each time that the page is fetched.
    if !Play::ALL.into_iter().any(goes_on) {
        answer = coordinator.queries.answer(&lookup, WITHIN)?;
    }
    let line = match answer.standing(play).outcome {
        Known::Win | Known::Loss => {
            let left = until.saturating_duration_since(Instant::now());
            Some(coordinator.queries.line(&lookup, play, left)?)
        }
        Known::InProgress | Known::Unknown => None,
    };
    // After the line: what was found on its way is known of the moves.
    let moves = match coordinator.queries.moves(&lookup, play) {
        Ok(moves) => Ok(moves),
        Err(CoordinatorError::Invalid(reason)) => Err(reason),
        Err(error) => return Err(error),
    };
    Ok(Found {
        answer,
        play,
        line,
        moves,
    })
}
