//! What is known of a position, its moves, a line.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::{Deserialize, Serialize};
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::{Answer, Line, Verdict};
use sproutnet_solver::play::Play;
use utoipa::{IntoParams, ToSchema};

use super::paging::{Page, Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};
use crate::links;

/// For how long small positions are searched unless something else is said.
const WITHIN: u64 = 1000;

/// The longest time that one can say.
const LONGEST: u64 = 10_000;

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/positions/{position}", get(position))
        .route("/positions/{position}/moves", get(moves))
        .route("/positions/{position}/line", get(line))
}

/// A position, as a path names it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Named {
    /// A position as `text` or `game:text`, percent-encoded.
    #[param(min_length = 1, max_length = 6000, example = "0*3.1a1a")]
    position: String,
}

/// How long a small position may be searched.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Within {
    /// The time limit of a search in milliseconds; 0 for no search. A position is searched if its
    /// outcome is unknown and it has at most 35 moves, such as a position of 12 spots.
    #[param(maximum = 10000, default = 1000)]
    within_ms: Option<u64>,
}

/// A convention.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Under {
    /// The convention; moves are sorted by it.
    #[param(inline, default = "normal")]
    play: Option<Play>,
}

/// What is known of a position.
#[derive(Serialize, ToSchema)]
#[schema(as = Position)]
pub(super) struct Described {
    /// The position as requested.
    position: String,
    #[serde(flatten)]
    answer: Answer,
    links: Links,
}

/// Related addresses.
#[derive(Serialize, ToSchema)]
pub(super) struct Links {
    /// The moves.
    moves: String,
    /// A line of play.
    line: String,
    /// The page for people.
    page: String,
    /// The position drawn, as SVG; null for games other than Sprouts. `?thumbnail=1` makes it small.
    /// The address answers 404 where no drawing is possible.
    drawing: Option<String>,
    /// Where a POST of `{"position":…,"play":…}` starts a computation; null if both outcomes are
    /// proved.
    compute: Option<&'static str>,
}

/// What is known of a position
#[utoipa::path(
    get,
    path = "/positions/{position}",
    params(Named, Within),
    responses((status = 200, body = Described))
)]
pub(super) async fn position(
    State(api): State<Arc<Api>>,
    path: Result<Path<Named>, PathRejection>,
    time: Result<Query<Within>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let within = within(time)?;
    let (text, game, position) = read(path)?;
    let looked_up = api.ask(move |coordinator, _| {
        let lookup = coordinator.queries.lookup(game, position);
        coordinator.queries.answer(&lookup, within)
    });
    let answer = looked_up.await?;
    let canonical = &answer.canonical;
    let is_open = |play| !answer.standing(play).is_proved();
    let links = Links {
        moves: links::api_of_position(canonical, "moves"),
        line: links::api_of_position(canonical, "line"),
        page: links::position(canonical),
        drawing: (answer.game == "sprouts").then(|| links::drawing(canonical, false)),
        compute: Play::ALL
            .into_iter()
            .any(is_open)
            .then_some(links::API_COMPUTATIONS),
    };
    let described = Described {
        position: text,
        links,
        answer,
    };
    reply::json(&headers, &described)
}

/// The moves of a position, winning moves first
#[utoipa::path(
    get,
    path = "/positions/{position}/moves",
    params(Named, Under, Wanted),
    responses((status = 200, body = Page<Verdict>))
)]
pub(super) async fn moves(
    State(api): State<Arc<Api>>,
    path: Result<Path<Named>, PathRejection>,
    under: Result<Query<Under>, QueryRejection>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let wanted = query(wanted)?;
    let play = query(under)?.play.unwrap_or(Play::Normal);
    let (_, game, position) = read(path)?;
    let listed = api.ask(move |coordinator, _| {
        let lookup = coordinator.queries.lookup(game, position);
        coordinator.queries.moves(&lookup, play)
    });
    reply::json(&headers, &wanted.of(listed.await?)?)
}

/// How play goes on when the winner plays to win
#[utoipa::path(
    get,
    path = "/positions/{position}/line",
    params(Named, Under, Within),
    responses((status = 200, body = Line))
)]
pub(super) async fn line(
    State(api): State<Arc<Api>>,
    path: Result<Path<Named>, PathRejection>,
    under: Result<Query<Under>, QueryRejection>,
    time: Result<Query<Within>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let play = query(under)?.play.unwrap_or(Play::Normal);
    let within = within(time)?;
    let (_, game, position) = read(path)?;
    let found = api.ask(move |coordinator, _| {
        let lookup = coordinator.queries.lookup(game, position);
        coordinator.queries.line(&lookup, play, within)
    });
    reply::json(&headers, &found.await?)
}

fn within(time: Result<Query<Within>, QueryRejection>) -> Result<Duration, Refusal> {
    match query(time)?.within_ms.unwrap_or(WITHIN) {
        within @ 0..=LONGEST => Ok(Duration::from_millis(within)),
        _ => Err(Refusal::bad(format!(
            "within_ms: a number of milliseconds up to {LONGEST} is expected"
        ))),
    }
}

/// The position that a path names.
fn read(
    path: Result<Path<Named>, PathRejection>,
) -> Result<(String, Arc<dyn Game>, Position), Refusal> {
    let Path(Named { position: text }) = path.map_err(|error| Refusal::bad(error.body_text()))?;
    let (game, position) = game::parse(&text)?;
    Ok((text, game, position))
}
