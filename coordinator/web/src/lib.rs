//! The HTTP server of a coordinator: pages for people, JSON for programs, `/metrics` for Prometheus, and `/healthz`.
//!
//! - [`connections`]: the limits of connections. [`access`]: which requests are accepted; [`sessions`]: sign-in
//!   sessions.
//! - [`pages`]: the web pages. [`api`]: the JSON API. [`metrics`]: the metrics.
//! - [`extract`]: the parts of requests that handlers use; [`links`]: the addresses that answers contain.
//! - [`StaticSite`]: pages for a site without a coordinator.
//! - [`unopened`]: the answers before the store is open.
//! - [`problem`]: problems as answers; [`plain`]: the errors of parsers in plain words; [`entity_tag`]: answers that did
//!   not change.

mod access;
mod api;
mod connections;
mod entity_tag;
mod extract;
mod links;
mod metrics;
mod pages;
mod plain;
mod problem;
mod sessions;
mod unopened;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use sproutnet_coordinator::{Coordinator, CoordinatorError, Health};
use sproutnet_transport::caller;
use sproutnet_transport::listen::Protection;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

use access::Access;
use extract::Encrypted;
use metrics::Metrics;
use problem::Problem;

pub use pages::static_site::{StaticSite, is_static_site};
pub use unopened::{Unopened, serve_unopened};

/// The types of answers that are compressed. Events are not, so that each arrives at once.
const COMPRESSED: [&str; 8] = [
    "application/json",
    "application/x-ndjson",
    "application/openmetrics-text",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "text/plain",
];

/// The size in bytes from which an answer is compressed.
const SHORTEST_COMPRESSED: u16 = 1024;

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
        .layer(from_fn(connections::in_time))
        .layer(from_fn(problems_shown))
        .layer(from_fn_with_state(access, access::own_site))
        .layer(from_fn(api::open_to_sites))
        .route("/healthz", get(healthz).with_state(health))
        .layer(map_response(pages::with_headers))
        .layer(from_fn(pages::inlined::with_style))
        .layer(compressed())
        .layer(map_response(with_version))
        .layer(Extension(Encrypted(protection.tls.is_some())))
        .layer(from_fn(refuse_grpc))
}

/// Shows a problem as JSON to programs, as a page to people.
async fn problems_shown(request: Request, next: Next) -> Response {
    if api::is_of_api(request.uri().path()) {
        api::as_json(next.run(request).await)
    } else {
        pages::problem::as_page(request, next).await
    }
}

/// Says which program answers, in which version.
async fn with_version(mut response: Response) -> Response {
    let version = HeaderValue::from_static(concat!("sproutnet/", env!("CARGO_PKG_VERSION")));
    response.headers_mut().insert(header::SERVER, version);
    response
}

/// Compresses texts of some length, for clients that take gzip. No secret is in a text together with what others wrote.
fn compressed() -> CompressionLayer<impl Predicate> {
    let is_text = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
        COMPRESSED.contains(&kind.trim())
    };
    let layer = CompressionLayer::new().quality(CompressionLevel::Fastest);
    layer.compress_when(SizeAbove::new(SHORTEST_COMPRESSED).and(is_text))
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
