//! The API for programs: JSON under `/api/v1`, described by the OpenAPI document there.
//!
//! - [`positions`]: a position, its moves, a line of play; the start positions.
//! - [`bulk`]: many positions at once.
//! - [`computations`]: listing, starting, pausing, resuming, cancelling, following.
//! - [`certificates`]: those of the atlas, and the check of others.
//! - [`export`]: everything proved, as a file; [`download`]: bodies that are made as the client takes them.
//! - [`games`]: the games, the nimbers of heaps, misère quotients.
//! - [`openapi`]: the document, generated from the types and functions here.
//! - [`paging`]: a part of a list. [`parameters`], [`body`]: what a request may have.
//! - [`sites`]: access from pages of other sites.

mod body;
mod bulk;
mod certificates;
mod computations;
mod download;
mod export;
mod games;
mod openapi;
mod paging;
mod parameters;
mod positions;
mod sites;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::uri::{PathAndQuery, Uri};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Json, Router};
use sproutnet_coordinator::{Coordinator, CoordinatorError};
use sproutnet_model::{AuditEntry, Fleet};
use tokio::sync::{Mutex, Semaphore};
use tower::ServiceExt;

use crate::access::permitted;
use crate::entity_tag::tagged;
use crate::extract::Asked;
use crate::problem::Problem;
use body::Bodies;
pub(crate) use openapi::value as contract;
use paging::{Page, Wanted};
pub(crate) use sites::open_to_sites;

/// Where all addresses of the API begin.
pub(crate) const ROOT: &str = "/api/v1";

/// The maximum number of requests in progress; further ones are refused with 503.
const MOST_AT_ONCE: usize = 256;

/// The maximum size of a body, in bytes: the longest position takes a few thousand.
const LONGEST_BODY: usize = 64 * 1024;

/// The state that the handlers share.
struct Api {
    coordinator: Arc<Coordinator>,
    places: Semaphore,
    bulk_places: Semaphore,
    bodies: Bodies,
    checks: Semaphore,
    check_turn: Mutex<()>,
    theory: Semaphore,
    downloads: Arc<Semaphore>,
    exports: Arc<Semaphore>,
}

/// The result of a handler.
type ApiResult<T> = Result<Json<T>, Problem>;

/// The API of a coordinator.
pub(super) fn routes(coordinator: Arc<Coordinator>) -> Router {
    let api = Arc::new(Api {
        coordinator,
        places: Semaphore::new(MOST_AT_ONCE),
        bulk_places: Semaphore::new(bulk::AT_ONCE),
        bodies: Bodies::default(),
        checks: Semaphore::new(certificates::CHECKS),
        check_turn: Mutex::default(),
        theory: Semaphore::new(games::AT_ONCE),
        downloads: Arc::new(Semaphore::new(certificates::DOWNLOADS)),
        exports: Arc::new(Semaphore::new(export::AT_ONCE)),
    });
    let routes = Router::new()
        .merge(positions::routes())
        .merge(bulk::routes())
        .merge(computations::routes())
        .merge(games::routes())
        .merge(certificates::routes())
        .merge(export::routes())
        .route("/fleet", get(fleet))
        .route("/audit-log", get(audit_log))
        .layer(from_fn(tagged))
        .route("/openapi.json", get(openapi::contract))
        .layer(from_fn(parameters::known_only))
        .method_not_allowed_fallback(no_such_method)
        .route_layer(from_fn(permitted))
        .with_state(api);
    let known = routes.clone();
    let routes = routes.fallback(move |request| elsewhere(known, request));
    Router::new()
        .nest(ROOT, routes)
        // Nesting does not cover this path.
        .route("/api/v1/", any(no_such_resource))
}

/// Whether a path is one of the API.
pub(super) fn is_of_api(path: &str) -> bool {
    let below = path.strip_prefix(ROOT);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// Answers requests at other addresses. In the address of a position or a game, a `/` may be meant as a part of it.
async fn elsewhere(known: Router, mut request: Request) -> Response {
    let Some(escaped) = with_slashes_escaped(request.uri()) else {
        return no_such_resource().await.into_response();
    };
    *request.uri_mut() = escaped;
    known.oneshot(request).await.into_response()
}

/// The address of a position or a game with escaped slashes. `None` if it is none, or has none to escape.
fn with_slashes_escaped(address: &Uri) -> Option<Uri> {
    let path = address.path();
    let (head, rest) = ["/positions/", "/sequences/", "/quotients/"]
        .into_iter()
        .find_map(|head| Some((head, path.strip_prefix(head)?)))?;
    let (position, what) = ["/moves", "/line"]
        .into_iter()
        .find_map(|what| Some((rest.strip_suffix(what)?, what)))
        .unwrap_or((rest, ""));
    if !position.contains('/') {
        return None;
    }
    let query = address.query().map(|query| format!("?{query}"));
    let path = format!(
        "{head}{}{what}{}",
        position.replace('/', "%2F"),
        query.unwrap_or_default()
    );
    let mut parts = address.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(path).ok()?);
    Uri::from_parts(parts).ok()
}

impl Api {
    /// Asks the coordinator, unless too many requests are in progress.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
    ) -> Result<T, Problem> {
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        crate::ask(&self.coordinator, question).await
    }
}

/// The audit log, newest entry first: the last 1000 changes, and who made them
#[utoipa::path(
    get,
    path = "/audit-log",
    tag = "fleet",
    params(Wanted),
    responses((status = 200, body = Page<AuditEntry>))
)]
async fn audit_log(
    State(api): State<Arc<Api>>,
    Asked(wanted): Asked<Wanted>,
) -> ApiResult<Page<AuditEntry>> {
    let entries = api.ask(|coordinator, _| Ok(coordinator.audit_log()));
    Ok(Json(wanted.of(entries.await?)?))
}

/// The coordinator and its workers
#[utoipa::path(get, path = "/fleet", tag = "fleet", responses((status = 200, body = Fleet)))]
async fn fleet(State(api): State<Arc<Api>>) -> ApiResult<Fleet> {
    let state = api.ask(Coordinator::state).await?;
    Ok(Json(state.fleet()))
}

async fn no_such_resource() -> Problem {
    Problem::missing("there is no such resource; /api/v1/openapi.json lists what there is")
}

async fn no_such_method() -> Problem {
    let text = "this method is not allowed here";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, text)
}

fn busy() -> Problem {
    let text = "too many requests at a time; retry in a second";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, text)
}

/// Shows a problem as JSON.
pub(super) fn as_json(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem.into_json(),
        None => response,
    }
}
