//! Computations: listing, starting, changing and following them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use sproutnet_coordinator::{Computations, Coordinator, CoordinatorError, Start, until_ended};
use sproutnet_model::{Computation, Explanation, Known, Progress, Status};
use sproutnet_notation::ComputationId;
use sproutnet_solver::play::Play;
use tokio_stream::StreamExt;
use utoipa::ToSchema;

use super::paging::{GREATEST, Page, Wanted};
use super::{Api, ApiResult, LONGEST_BODY, body};
use crate::extract::{self, Asked, At, Numbered};
use crate::links;
use crate::problem::Problem;

/// The name of the last event of a stream, and its id.
const END: &str = "end";

/// The header in which a browser that connects again sends the id of the last event that it received.
const LAST_EVENT_ID: &str = "last-event-id";

/// The media type of JSON.
const JSON: &str = "application/json";

/// The minimum time between two events of a stream.
const PACE: Duration = Duration::from_millis(250);

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/computations", get(list).post(start))
        .route("/computations/{id}", get(one))
        .route("/computations/{id}/events", get(events))
        .route("/computations/{id}/explanation", get(explanation))
        .route("/computations/{id}/pause", post(pause))
        .route("/computations/{id}/resume", post(resume))
        .route("/computations/{id}/weight", post(weight))
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
    /// Whether the nimber is wanted too; normal play only. Games of heaps, whose searches give nimbers anyway, always
    /// have it under normal play.
    #[serde(default)]
    #[schema(default = false)]
    nimber: bool,
    /// The time limit of the computation, in milliseconds of work.
    #[schema(maximum = 9_007_199_254_740_991_i64)]
    deadline_ms: Option<u64>,
    /// Computations of higher priority get workers first.
    #[schema(minimum = -2_147_483_648_i64, maximum = 2_147_483_647)]
    priority: Option<i32>,
    /// How much machine time it gets, relative to computations of equal priority; 1 unless given.
    #[schema(minimum = 1, maximum = 1000)]
    weight: Option<u32>,
    /// For whom it is computed; the name of the token unless given. Another name needs the role admin if the token has
    /// a name.
    #[serde(default)]
    #[schema(max_length = 64)]
    owner: String,
    /// A short text to tell it from others.
    #[serde(default)]
    #[schema(max_length = 80)]
    label: String,
}

/// The weight of a computation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWeight {
    #[schema(minimum = 1, maximum = 1000)]
    weight: u32,
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
) -> ApiResult<Page<Computation>> {
    let mut listed = api
        .ask(|coordinator, now| Ok(coordinator.computations.list(now)))
        .await?;
    listed.reverse();
    for computation in &mut listed {
        name_outcome(&mut computation.progress);
    }
    Ok(Json(wanted.of(listed)?))
}

/// Start a computation, join one under way, or find its result
#[utoipa::path(
    post,
    path = "/computations",
    request_body = ToSolve,
    responses(
        (
            status = 201,
            description = "It is new; Location names it. If the outcome is known, it is solved already.",
            body = Computation,
            links(
                ("one" = (operation_id = "computation", parameters(("id" = "$response.body#/id")))),
                ("cancel" = (operation_id = "cancel", parameters(("id" = "$response.body#/id"))))
            )
        ),
        (
            status = 200,
            description = "There is one: it was joined, or it solved the position; Location names it.",
            body = Computation
        )
    )
)]
pub(super) async fn start(
    State(api): State<Arc<Api>>,
    request: Request,
) -> Result<Response, Problem> {
    let body = api.bodies.read(request, JSON, LONGEST_BODY).await?;
    let to_solve: ToSolve = body::parse(&body.bytes, "body")?;
    drop(body);
    extract::position(&to_solve.position)?;
    if to_solve.deadline_ms.is_some_and(|limit| limit > GREATEST) {
        let error = format!("deadline_ms: a number up to {GREATEST} is expected");
        return Err(Problem::of_parameter(error));
    }
    let started = api.ask(move |coordinator, now| {
        let start = Start {
            position: &to_solve.position,
            play: to_solve.play,
            nimber: to_solve.nimber,
            deadline: to_solve.deadline_ms.map(Duration::from_millis),
            priority: to_solve.priority,
            weight: to_solve.weight,
            owner: &to_solve.owner,
            label: &to_solve.label,
        };
        let started = coordinator.computations.start_or_find(&start, now)?;
        Ok((find(coordinator, started.id, now)?, started.is_new))
    });
    let (computation, is_new) = started.await?;
    let status = if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    let location = links::api_of_computation(computation.id);
    let headers = [(header::LOCATION, location)];
    Ok((status, headers, Json(computation)).into_response())
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
) -> ApiResult<Computation> {
    let found = api.ask(move |coordinator, now| find(coordinator, path.id.into(), now));
    found.await.map(Json)
}

/// Why a computation is not finished
///
/// Its hardest open branches, the work that was reported since the coordinator started, and its speed.
#[utoipa::path(
    get,
    path = "/computations/{id}/explanation",
    params(Numbered),
    responses((status = 200, body = Explanation))
)]
pub(super) async fn explanation(
    State(api): State<Arc<Api>>,
    At(path): At<Numbered>,
) -> ApiResult<Explanation> {
    let detail = api.ask(move |c, now| c.computations.detail(path.id.into(), now));
    let mut explanation = Explanation::from(detail.await?);
    name_outcome(&mut explanation.computation.progress);
    Ok(Json(explanation))
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
) -> ApiResult<Computation> {
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
) -> ApiResult<Computation> {
    change(&api, path, Computations::resume).await
}

/// Change the weight of a computation
#[utoipa::path(
    post,
    path = "/computations/{id}/weight",
    params(Numbered),
    request_body = NewWeight,
    responses((status = 200, body = Computation))
)]
pub(super) async fn weight(
    State(api): State<Arc<Api>>,
    At(path): At<Numbered>,
    request: Request,
) -> ApiResult<Computation> {
    let body = api.bodies.read(request, JSON, LONGEST_BODY).await?;
    let NewWeight { weight } = body::parse(&body.bytes, "body")?;
    drop(body);
    let changed = api.ask(move |coordinator, now| {
        let id = path.id.into();
        coordinator.computations.set_weight(id, weight, now)?;
        find(coordinator, id, now)
    });
    changed.await.map(Json)
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
) -> ApiResult<Computation> {
    change(&api, path, Computations::cancel).await
}

async fn change(
    api: &Api,
    Numbered { id }: Numbered,
    change: fn(&Computations, ComputationId, Instant) -> Result<(), CoordinatorError>,
) -> ApiResult<Computation> {
    let changed = api.ask(move |coordinator, now| {
        change(&coordinator.computations, id.into(), now)?;
        find(coordinator, id.into(), now)
    });
    changed.await.map(Json)
}

/// How a computation goes, as a stream that ends with it
#[utoipa::path(
    get,
    path = "/computations/{id}/events",
    params(Numbered),
    responses(
        (
            status = 200,
            description = "Server-sent events. The data of each is a Computation, as JSON. The last event is named \
                           `end`. If the stream ends without it, it was interrupted: ask again.",
            body = String,
            content_type = "text/event-stream"
        ),
        (
            status = 204,
            description = "Last-Event-ID is that of `end`: there are no further events. A browser asks no more then."
        )
    )
)]
pub(super) async fn events(
    State(api): State<Arc<Api>>,
    At(path): At<Numbered>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let last = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok());
    let id = path.id.into();
    let found = api.ask(move |coordinator, now| {
        let watched = coordinator.computations.watch(id)?;
        Ok((watched, find(coordinator, id, now)?))
    });
    let (watched, computation) = found.await?;
    if last == Some(END) && computation.progress.status.has_ended() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    // The count goes on if the stream was interrupted.
    let mut count = last.and_then(|last| last.parse().ok()).unwrap_or(0_u64);
    let events = until_ended(watched, PACE, std::future::pending()).then(move |mut progress| {
        name_outcome(&mut progress);
        count = count.saturating_add(1);
        let event = if progress.status.has_ended() {
            Event::default().id(END).event(END)
        } else {
            Event::default().id(count.to_string())
        };
        let (api, followed) = (Arc::clone(&api), computation.clone());
        async move {
            let listed = api.ask(move |coordinator, now| find(coordinator, id, now));
            let computation = Computation {
                progress,
                ..listed.await.unwrap_or(followed)
            };
            event.json_data(computation).ok().map(Ok::<_, Infallible>)
        }
    });
    let events = events.filter_map(|event| event);
    Ok(Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response())
}

/// Tells an outcome that is being computed from one that is unknown, as answers about positions do.
fn name_outcome(progress: &mut Progress) {
    if progress.status == Status::Running && progress.outcome == Known::Unknown {
        progress.outcome = Known::InProgress;
    }
}

fn find(
    coordinator: &Coordinator,
    id: ComputationId,
    now: Instant,
) -> Result<Computation, CoordinatorError> {
    let listed = coordinator.computations.listed(id, now);
    let mut computation = listed.ok_or(CoordinatorError::Unknown("computation"))?;
    name_outcome(&mut computation.progress);
    Ok(computation)
}
