//! Computations: listing, starting, changing and following them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::Router;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use sproutnet_game as game;
use sproutnet_model::Computation;
use sproutnet_solver::play::Play;
use tokio_stream::{Stream, StreamExt};
use utoipa::{IntoParams, ToSchema};

use super::paging::{GREATEST, Page, Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};
use crate::links;
use sproutnet_coordinator::until_ended;
use sproutnet_coordinator::{Computations, Coordinator, CoordinatorError, Start};
use sproutnet_notation::ComputationId;

/// At least so long between two events of a stream.
const PACE: Duration = Duration::from_millis(250);

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/computations", get(list).post(start))
        .route("/computations/{id}", get(one))
        .route("/computations/{id}/events", get(events))
        .route("/computations/{id}/pause", post(pause))
        .route("/computations/{id}/resume", post(resume))
        .route("/computations/{id}/cancel", post(cancel))
}

/// The computation that a path names.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Numbered {
    /// The number of a computation.
    #[param(maximum = 9_007_199_254_740_991_i64)]
    id: u64,
}

/// A position to solve.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToSolve {
    /// A position as `text` or `game:text`.
    #[schema(max_length = 20000, example = "0*8")]
    position: String,
    play: Play,
    /// Whether the nimber is wanted too; normal play only.
    #[serde(default)]
    #[schema(default = false)]
    nimber: bool,
    /// The time limit of the computation, in milliseconds of work.
    #[schema(maximum = 9_007_199_254_740_991_i64)]
    deadline_ms: Option<u64>,
    /// Computations of higher priority get workers first.
    #[schema(minimum = -2_147_483_648_i64, maximum = 2_147_483_647)]
    priority: Option<i32>,
}

/// Computations, newest first
#[utoipa::path(
    get,
    path = "/computations",
    operation_id = "computations",
    params(Wanted),
    responses((status = 200, body = Page<Computation>))
)]
pub(super) async fn list(
    State(api): State<Arc<Api>>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let wanted = query(wanted)?;
    let listed = api
        .ask(|coordinator, _| Ok(coordinator.computations.list()))
        .await?;
    // Newest first.
    let listed = listed.into_iter().rev().collect::<Vec<_>>();
    reply::json(&headers, &wanted.of(listed)?)
}

/// Start a computation, join one under way, or find its result
#[utoipa::path(
    post,
    path = "/computations",
    request_body = ToSolve,
    responses((
        status = 201,
        description = "It is under way, or its result is known; Location names it.",
        body = Computation,
        links(
            ("one" = (operation_id = "computation", parameters(("id" = "$response.body#/id")))),
            ("cancel" = (operation_id = "cancel", parameters(("id" = "$response.body#/id"))))
        )
    ))
)]
pub(super) async fn start(
    State(api): State<Arc<Api>>,
    body: Result<Json<ToSolve>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Json(to_solve) =
        body.map_err(|error| Refusal::unreadable(error.status(), error.body_text()))?;
    game::parse(&to_solve.position)?;
    if to_solve.deadline_ms.is_some_and(|limit| limit > GREATEST) {
        let error = format!("deadline_ms: a number up to {GREATEST} is expected");
        return Err(Refusal::bad(error));
    }
    let started = api.ask(move |coordinator, now| {
        let start = Start {
            position: &to_solve.position,
            play: to_solve.play,
            nimber: to_solve.nimber,
            deadline: to_solve.deadline_ms.map(Duration::from_millis),
            priority: to_solve.priority,
        };
        let (id, _) = coordinator.computations.start(&start, now)?;
        find(coordinator, id)
    });
    let computation = started.await?;
    let location = links::api_of_computation(computation.id);
    let headers = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, headers, Json(computation)).into_response())
}

/// A computation
#[utoipa::path(
    get,
    path = "/computations/{id}",
    operation_id = "computation",
    params(Numbered),
    responses((status = 200, body = Computation))
)]
pub(super) async fn one(
    State(api): State<Arc<Api>>,
    id: Result<Path<Numbered>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = number(id)?;
    let found = api.ask(move |coordinator, _| find(coordinator, id)).await?;
    reply::json(&headers, &found)
}

/// Stop leasing jobs of a computation until it is resumed
#[utoipa::path(
    post,
    path = "/computations/{id}/pause",
    params(Numbered),
    responses((status = 200, body = Computation))
)]
pub(super) async fn pause(
    State(api): State<Arc<Api>>,
    id: Result<Path<Numbered>, PathRejection>,
) -> Result<Json<Computation>, Refusal> {
    change(&api, id, Computations::pause).await
}

/// Let a computation go on
#[utoipa::path(
    post,
    path = "/computations/{id}/resume",
    params(Numbered),
    responses((status = 200, body = Computation))
)]
pub(super) async fn resume(
    State(api): State<Arc<Api>>,
    id: Result<Path<Numbered>, PathRejection>,
) -> Result<Json<Computation>, Refusal> {
    change(&api, id, Computations::resume).await
}

/// End a computation; what it proved stays
#[utoipa::path(
    post,
    path = "/computations/{id}/cancel",
    params(Numbered),
    responses((status = 200, body = Computation))
)]
pub(super) async fn cancel(
    State(api): State<Arc<Api>>,
    id: Result<Path<Numbered>, PathRejection>,
) -> Result<Json<Computation>, Refusal> {
    change(&api, id, Computations::cancel).await
}

async fn change(
    api: &Api,
    id: Result<Path<Numbered>, PathRejection>,
    change: fn(&Computations, ComputationId, Instant) -> Result<(), CoordinatorError>,
) -> Result<Json<Computation>, Refusal> {
    let id = number(id)?;
    let changed = api.ask(move |coordinator, now| {
        change(&coordinator.computations, id, now)?;
        find(coordinator, id)
    });
    changed.await.map(Json)
}

/// How a computation goes, as a stream that ends with it
#[utoipa::path(
    get,
    path = "/computations/{id}/events",
    params(Numbered),
    responses((
        status = 200,
        description = "Server-sent events; the data of each is the part of a Computation from `status` to `fault`, as JSON.",
        body = String,
        content_type = "text/event-stream"
    ))
)]
pub(super) async fn events(
    State(api): State<Arc<Api>>,
    id: Result<Path<Numbered>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let id = number(id)?;
    let progress = api
        .ask(move |coordinator, _| coordinator.computations.watch(id))
        .await?;
    let events = until_ended(progress, PACE, std::future::pending()).filter_map(|progress| {
        let event = Event::default().json_data(progress);
        event.ok().map(Ok)
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn number(id: Result<Path<Numbered>, PathRejection>) -> Result<ComputationId, Refusal> {
    id.map(|Path(Numbered { id })| id.into())
        .map_err(|_| Refusal::missing("computations have numbers"))
}

fn find(coordinator: &Coordinator, id: ComputationId) -> Result<Computation, CoordinatorError> {
    let listed = coordinator.computations.listed(id);
    listed.ok_or(CoordinatorError::Unknown("computation"))
}
