//! The games; the nimbers of heaps, and misère quotients.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use sproutnet_model::{FoundQuotient, Game, Nimbers};
use sproutnet_query as query;
use utoipa::IntoParams;

use super::paging::{Page, Wanted};
use super::positions::Within;
use super::{Api, ApiResult, busy};
use crate::extract::{Asked, At, Name};
use crate::problem::Problem;

/// The maximum number of simultaneous requests for sequences and quotients; further ones are refused with 503. So those
/// that wait for a quotient leave most places to others.
pub(super) const AT_ONCE: usize = 32;

/// The largest heap of a sequence, and of a quotient.
const LARGEST: u32 = 100_000;
const LARGEST_OF_QUOTIENT: u32 = 1000;

/// The default ones.
const USUAL: u32 = 100;
const USUAL_OF_QUOTIENT: u32 = 200;

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/games", get(list))
        .route("/games/{game}", get(one))
        .route("/sequences/{name}", get(sequence))
        .route("/quotients/{name}", get(quotient))
}

/// The name of a game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Called {
    /// The name or another name of the game.
    #[param(min_length = 1, max_length = 100, example = "kayles")]
    game: String,
}

/// A game of heaps, or a family.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Family {
    /// A game of heaps with its parameters, such as `octal(0.137)`; of sequences also a family of positions, such as
    /// `cram:3xN`. Percent-encoded.
    #[param(min_length = 1, max_length = 2000, example = "kayles")]
    name: String,
}

/// How far a sequence is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Heaps {
    /// The largest heap, or the largest N of a family.
    #[param(maximum = 100_000, default = 100)]
    heaps: Option<u32>,
    /// The time limit in milliseconds, with the wait for searches of others. The answer has what was found until then.
    #[param(maximum = 10000, default = 1000)]
    within_ms: Option<u64>,
}

/// How far a quotient is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Largest {
    /// The largest heap, unless smaller heaps prove the quotient of the whole game.
    #[param(maximum = 1000, default = 200)]
    heaps: Option<u32>,
    /// How long to wait for the quotient, in milliseconds.
    #[param(maximum = 10000, default = 1000)]
    within_ms: Option<u64>,
}

impl Name for Called {
    const MISSING: &'static str = "there is no such game";
}

impl Name for Family {
    const MISSING: &'static str = "there is no such game";
}

/// The games
#[utoipa::path(
    get,
    path = "/games",
    operation_id = "games",
    params(Wanted),
    responses((status = 200, body = Page<Game>))
)]
pub(super) async fn list(Asked(wanted): Asked<Wanted>) -> ApiResult<Page<Game>> {
    Ok(Json(wanted.of(query::games())?))
}

/// One game
#[utoipa::path(
    get,
    path = "/games/{game}",
    operation_id = "game",
    params(Called),
    responses((status = 200, body = Game))
)]
pub(super) async fn one(At(called): At<Called>) -> ApiResult<Game> {
    let found = query::game(&called.game);
    found
        .map(Json)
        .map_err(|error| Problem::missing(error.to_string()))
}

/// The nimbers of the heaps of a game, or of the positions of a family
///
/// Looks at 10,000,000 options of heaps at most, and reports how far it got. The command line goes further.
#[utoipa::path(
    get,
    path = "/sequences/{name}",
    tag = "games",
    params(Family, Heaps),
    responses((status = 200, body = Nimbers))
)]
pub(super) async fn sequence(
    State(api): State<Arc<Api>>,
    At(family): At<Family>,
    Asked(heaps): Asked<Heaps>,
) -> ApiResult<Nimbers> {
    let within_ms = heaps.within_ms;
    let within = Within { within_ms }.limit()?;
    let last = bounded(heaps.heaps, USUAL, LARGEST)?;
    let _place = api.theory.try_acquire().map_err(|_| busy())?;
    let asked = api.ask(move |coordinator, _| {
        let queries = &coordinator.queries;
        queries.sequence(&family.name, last, queries.until(within))
    });
    asked.await.map(Json)
}

/// The misère quotient of a game of heaps
///
/// The coordinator finds the quotient of one game at a time, and goes on after the answer.
#[utoipa::path(
    get,
    path = "/quotients/{name}",
    tag = "games",
    params(Family, Largest),
    responses((status = 200, body = FoundQuotient))
)]
pub(super) async fn quotient(
    State(api): State<Arc<Api>>,
    At(family): At<Family>,
    Asked(heaps): Asked<Largest>,
) -> ApiResult<FoundQuotient> {
    let within_ms = heaps.within_ms;
    let within = Within { within_ms }.limit()?;
    let largest = bounded(heaps.heaps, USUAL_OF_QUOTIENT, LARGEST_OF_QUOTIENT)?;
    let _place = api.theory.try_acquire().map_err(|_| busy())?;
    let asked = api.ask(move |coordinator, _| {
        let queries = &coordinator.queries;
        queries.quotient(&family.name, largest, queries.until(within))
    });
    asked.await.map(Json)
}

fn bounded(heaps: Option<u32>, usual: u32, most: u32) -> Result<u32, Problem> {
    let heaps = heaps.unwrap_or(usual);
    if heaps <= most {
        return Ok(heaps);
    }
    let error = format!("heaps: a number up to {most} is expected; the command line goes further");
    Err(Problem::of_parameter(error))
}
