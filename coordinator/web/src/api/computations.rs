//! Computations: listing, starting, changing and following them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use sproutnet_coordinator::{Computations, Coordinator, CoordinatorError, Start, until_ended};
use sproutnet_model::Computation;
use sproutnet_notation::ComputationId;
use sproutnet_solver::play::Play;
use tokio_stream::{Stream, StreamExt};
use utoipa::ToSchema;

use super::paging::{GREATEST, Page, Wanted};
use super::{Answer, Api};
use crate::extract::{self, Asked, At, Numbered};
use crate::links;
use crate::problem::Problem;

/// The minimum time between two events of a stream.
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
    Asked(wanted): Asked<Wanted>,
) -> Answer<Page<Computation>> {
    let mut listed = api
        .ask(|coordinator, _| Ok(coordinator.computations.list()))
        .await?;
    listed.reverse();
    Ok(Json(wanted.of(listed)?))
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
) -> Result<Response, Problem> {
    let Json(to_solve) =
        body.map_err(|error| Problem::unreadable(error.status(), error.body_text()))?;
    extract::position(&to_solve.position)?;
    if to_solve.deadline_ms.is_some_and(|limit| limit > GREATEST) {
        let error = format!("deadline_ms: a number up to {GREATEST} is expected");
        return Err(Problem::bad(error));
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
    At(path): At<Numbered>,
) -> Answer<Computation> {
    let found = api.ask(move |coordinator, _| find(coordinator, path.id.into()));
    found.await.map(Json)
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
    At(path): At<Numbered>,
) -> Answer<Computation> {
    change(&api, path, Computations::pause).await
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
    At(path): At<Numbered>,
) -> Answer<Computation> {
    change(&api, path, Computations::resume).await
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
    At(path): At<Numbered>,
) -> Answer<Computation> {
    change(&api, path, Computations::cancel).await
}

async fn change(
    api: &Api,
    Numbered { id }: Numbered,
    change: fn(&Computations, ComputationId, Instant) -> Result<(), CoordinatorError>,
) -> Answer<Computation> {
    let changed = api.ask(move |coordinator, now| {
        change(&coordinator.computations, id.into(), now)?;
        find(coordinator, id.into())
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
    At(path): At<Numbered>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let watched = api.ask(move |coordinator, _| coordinator.computations.watch(path.id.into()));
    let events = until_ended(watched.await?, PACE, std::future::pending())
        .filter_map(|progress| Event::default().json_data(progress).ok().map(Ok));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn find(coordinator: &Coordinator, id: ComputationId) -> Result<Computation, CoordinatorError> {
    let listed = coordinator.computations.listed(id);
    listed.ok_or(CoordinatorError::Unknown("computation"))
}
