//! The HTTP server of a coordinator: pages for people, JSON for programs, `/metrics` for Prometheus, and `/healthz`.
//!
//! - [`connections`]: the limits of connections. [`access`]: which requests are accepted; [`sessions`]: sign-in
//!   sessions.
//! - [`pages`]: the web pages. [`api`]: the JSON API. [`metrics`]: the metrics.
//! - [`extract`]: the parts of requests that handlers use; [`links`]: the addresses that answers contain.
//! - [`waiting`]: the answers before the store is open.
//! - [`problem`]: problems as answers; [`entity_tag`]: answers that did not change.

mod access;
mod api;
mod connections;
mod entity_tag;
mod extract;
mod links;
mod metrics;
mod pages;
mod problem;
mod sessions;
mod waiting;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sproutnet_coordinator::{Coordinator, CoordinatorError, Health};
use sproutnet_transport::caller;
use sproutnet_transport::listen::Protection;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use access::Access;
use metrics::Metrics;
use problem::Problem;

pub use waiting::{Waiting, serve_waiting};

/// Serves a coordinator until `shutdown` resolves. With tokens, everything but `/healthz` and the
/// sign-in page requires one.
///
/// # Errors
/// The listener has no address.
pub async fn serve(
    coordinator: Arc<Coordinator>,
    protection: &Protection,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let router = router(coordinator, protection, listener.local_addr()?.ip());
    connections::serve(router, listener, shutdown).await;
    Ok(())
}

/// All routes, for a port bound to this address. They need a runtime, but no network.
pub fn router(coordinator: Arc<Coordinator>, protection: &Protection, bound: IpAddr) -> Router {
    let access = Arc::new(Access::new(protection.tokens.clone(), bound));
    let metrics = Arc::new(Metrics::of(
        Arc::clone(&coordinator),
        protection.tls.clone(),
    ));
    let health = coordinator.health();
    let api = api::routes(Arc::clone(&coordinator));
    let pages = pages::of(coordinator, Arc::clone(&access));
    Router::new()
        .merge(api)
        .route("/metrics", get(metrics_text).with_state(metrics))
        .merge(pages.kept)
        .layer(from_fn_with_state(Arc::clone(&access), access::signed_in))
        .merge(pages.open)
        .layer(from_fn(pages::problem::as_page))
        .layer(from_fn_with_state(access, access::own_site))
        .route("/healthz", get(healthz).with_state(health))
        .layer(map_response(pages::with_headers))
        .layer(from_fn(refuse_grpc))
}

/// Answers gRPC calls on the wrong port with a gRPC status.
async fn refuse_grpc(request: Request, next: Next) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc")) {
        return next.run(request).await;
    }
    let text = "this is the HTTP port of a coordinator; its gRPC port is another, 7350 by default";
    let headers = [
        ("content-type", "application/grpc"),
        // FAILED_PRECONDITION: no retry helps.
        ("grpc-status", "9"),
        ("grpc-message", text),
    ];
    headers.into_response()
}

/// The health of the coordinator, as text; with status 503 if it cannot do its work.
async fn healthz(State(health): State<watch::Receiver<Health>>) -> (StatusCode, String) {
    let health = health.borrow().clone();
    let status = if health.is_well() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, format!("{health}\n"))
}

async fn metrics_text(State(metrics): State<Arc<Metrics>>) -> Response {
    match blocking(move || metrics.text()).await {
        Ok(Ok(text)) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Runs work that may take the coordinator's lock, wait for the disk, or compute for long.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    Ok(spawn_blocking(caller::carried(work)).await?)
}

/// Asks the coordinator, on a thread that may block.
async fn ask<T: Send + 'static>(
    coordinator: &Arc<Coordinator>,
    question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, Problem> {
    let coordinator = Arc::clone(coordinator);
    Ok(blocking(move || question(&coordinator, Instant::now())).await??)
}
