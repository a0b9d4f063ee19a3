//! What programs ask for: JSON under `/api/v1`, described by the OpenAPI document there.
//!
//! - [`positions`]: what is known of a position, its moves, a line.
//! - [`tables`]: the start positions.
//! - [`computations`]: what is under way; starting, pausing, resuming, cancelling, following.
//! - [`fleet`]: the coordinator and its workers.
//! - [`openapi`]: the document, made from the types and functions here.
//! - [`refusal`]: what goes wrong, as JSON.
//! - [`reply`]: answers with entity tags, so that nothing is sent twice; [`paging`]: a part of a list.
//!
//! Positions are read here, at the edge: inside there are only valid ones.

mod computations;
mod fleet;
mod openapi;
mod paging;
mod positions;
mod refusal;
mod reply;
mod tables;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tokio::sync::Semaphore;
use tower_http::cors::{Any, CorsLayer};

use super::ask::ask;
use refusal::Refusal;
use sproutnet_coordinator::{Coordinator, CoordinatorError};

/// The maximum number of requests in progress; further ones are refused with 503.
const MOST_AT_ONCE: usize = 256;

/// Requests have no larger bodies: the longest position takes a few thousand bytes.
const LONGEST_BODY: usize = 64 * 1024;

/// What answers are made of.
struct Api {
    coordinator: Arc<Coordinator>,
    places: Semaphore,
}

/// The API of a coordinator. Pages of any site may read what it says, and change nothing.
pub(super) fn routes(coordinator: Arc<Coordinator>) -> Router {
    let api = Arc::new(Api {
        coordinator,
        places: Semaphore::new(MOST_AT_ONCE),
    });
    let readable = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD])
        .allow_headers([header::AUTHORIZATION, header::IF_NONE_MATCH])
        .expose_headers([header::ETAG, HeaderName::from_static("retry-after")]);
    let routes = Router::new()
        .route("/openapi.json", get(openapi::contract))
        .merge(positions::routes())
        .merge(tables::routes())
        .merge(computations::routes())
        .merge(fleet::routes())
        .fallback(no_such_thing)
        .method_not_allowed_fallback(no_such_method)
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(readable)
        .with_state(api);
    Router::new()
        .nest("/api/v1", routes)
        // No part of what is nested.
        .route("/api/v1/", any(no_such_thing))
}

impl Api {
    /// Makes a blocking call of the coordinator, unless too many are in progress.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _place = self.places.try_acquire().map_err(|_| Refusal::busy())?;
        ask(&self.coordinator, question).await
    }
}

async fn no_such_thing() -> Response {
    Refusal::missing("there is no such resource; /api/v1/openapi.json lists what there is")
        .into_response()
}

async fn no_such_method() -> Response {
    Refusal::method().into_response()
}
