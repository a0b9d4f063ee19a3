//! Computations: listing, starting, changing and following them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

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

use super::paging::{GREATEST, Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};
use crate::links;
use sproutnet_coordinator::until_ended;
use sproutnet_coordinator::{Coordinator, CoordinatorError, Start};

/// At least so long between two events of a stream.
const PACE: Duration = Duration::from_millis(250);

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/computations", get(list).post(start))
        .route("/computations/{id}", get(one))
        .route("/computations/{id}/events", get(events))
        .route("/computations/{id}/{change}", post(change))
}

/// A position to solve.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToSolve {
    position: String,
    play: Play,
    #[serde(default)]
    nimber: bool,
    deadline_ms: Option<u64>,
    priority: Option<i32>,
}

/// A change to a computation.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Change {
    Pause,
    Resume,
    Cancel,
}

async fn list(
    State(api): State<Arc<Api>>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let wanted = query(wanted)?;
    let listed = api.ask(|coordinator, _| Ok(coordinator.list())).await?;
    // Newest first.
    let listed = listed.into_iter().rev().collect::<Vec<_>>();
    reply::json(&headers, &wanted.of(listed)?)
}

async fn start(
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
        let (id, _) = coordinator.start(&start, now)?;
        find(coordinator, id)
    });
    let computation = started.await?;
    let location = links::api_of_computation(computation.id);
    let headers = [(header::LOCATION, location)];
    Ok((StatusCode::CREATED, headers, Json(computation)).into_response())
}

async fn one(
    State(api): State<Arc<Api>>,
    id: Result<Path<u64>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = number(id)?;
    let found = api.ask(move |coordinator, _| find(coordinator, id)).await?;
    reply::json(&headers, &found)
}

async fn change(
    State(api): State<Arc<Api>>,
    path: Result<Path<(u64, Change)>, PathRejection>,
) -> Result<Json<Computation>, Refusal> {
    let missing = "there are pause, resume and cancel, each of the number of a computation";
    let Path((id, change)) = path.map_err(|_| Refusal::missing(missing))?;
    let changed = api.ask(move |coordinator, now| {
        match change {
            Change::Pause => coordinator.pause(id, now),
            Change::Resume => coordinator.resume(id, now),
            Change::Cancel => coordinator.cancel(id, now),
        }?;
        find(coordinator, id)
    });
    changed.await.map(Json)
}

async fn events(
    State(api): State<Arc<Api>>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let id = number(id)?;
    let progress = api.ask(move |coordinator, _| coordinator.watch(id)).await?;
    let events = until_ended(progress, PACE, std::future::pending()).filter_map(|progress| {
        let event = Event::default().json_data(progress);
        event.ok().map(Ok)
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn number(id: Result<Path<u64>, PathRejection>) -> Result<u64, Refusal> {
    id.map(|Path(id)| id)
        .map_err(|_| Refusal::missing("computations have numbers"))
}

fn find(coordinator: &Coordinator, id: u64) -> Result<Computation, CoordinatorError> {
    let listed = coordinator.listed(id);
    listed.ok_or(CoordinatorError::Unknown("computation"))
}
