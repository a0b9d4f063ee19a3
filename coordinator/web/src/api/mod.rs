//! The API for programs: JSON under `/api/v1`, described by the OpenAPI document there.
//!
//! - [`positions`]: a position, its moves, a line of play; the start positions.
//! - [`bulk`]: many positions at once.
//! - [`computations`]: listing, starting, pausing, resuming, cancelling, following.
//! - [`openapi`]: the document, generated from the types and functions here.
//! - [`paging`]: a part of a list.

mod bulk;
mod computations;
mod openapi;
mod paging;
mod positions;

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::middleware::{from_fn, map_response};
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Json, Router};
use sproutnet_coordinator::{Coordinator, CoordinatorError};
use sproutnet_model::Fleet;
use tokio::sync::Semaphore;
use tower_http::cors::{Any, CorsLayer};

use crate::entity_tag::tagged;
use crate::problem::Problem;

/// The maximum number of requests in progress; further ones are refused with 503.
const MOST_AT_ONCE: usize = 256;

/// The maximum size of a body, in bytes: the longest position takes a few thousand.
const LONGEST_BODY: usize = 64 * 1024;

/// The state that the handlers share.
struct Api {
    coordinator: Arc<Coordinator>,
    places: Semaphore,
    bulk_places: Arc<Semaphore>,
}

/// The result of a handler.
type Answer<T> = Result<Json<T>, Problem>;

/// The API of a coordinator. Pages of all sites may read it, and change nothing.
pub(super) fn routes(coordinator: Arc<Coordinator>) -> Router {
    let api = Arc::new(Api {
        coordinator,
        places: Semaphore::new(MOST_AT_ONCE),
        bulk_places: Arc::new(Semaphore::new(bulk::AT_ONCE)),
    });
    let readable = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD])
        .allow_headers([header::AUTHORIZATION, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, HeaderName::from_static("retry-after")]);
    let routes = Router::new()
        .merge(positions::routes())
        .merge(bulk::routes())
        .merge(computations::routes())
        .route("/fleet", get(fleet))
        .layer(from_fn(tagged))
        .route("/openapi.json", get(openapi::contract))
        .fallback(no_such_resource)
        .method_not_allowed_fallback(no_such_method)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(map_response(as_json))
        .layer(readable)
        .with_state(api);
    Router::new()
        .nest("/api/v1", routes)
        // Nesting does not cover this path.
        .route(
            "/api/v1/",
            any(no_such_resource).layer(map_response(as_json)),
        )
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

/// The coordinator and its workers
#[utoipa::path(get, path = "/fleet", tag = "fleet", responses((status = 200, body = Fleet)))]
async fn fleet(State(api): State<Arc<Api>>) -> Answer<Fleet> {
    let state = api.ask(Coordinator::state).await?;
    Ok(Json(state.fleet()))
}

async fn no_such_resource() -> Problem {
    Problem::missing("there is no such resource; /api/v1/openapi.json lists what there is")
}

async fn no_such_method() -> Problem {
    let text = "this method is not allowed here; /api/v1/openapi.json lists what is";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, text)
}

fn busy() -> Problem {
    let text = "too many requests at a time; retry in a second";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, text)
}

/// Shows a problem as JSON.
async fn as_json(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem.into_json(),
        None => response,
    }
}
