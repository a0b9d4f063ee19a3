//! What a coordinator serves over HTTP: pages for people, JSON for programs, `/metrics` for Prometheus, and
//! `/healthz`.
//!
//! - [`access`]: which requests are accepted; [`sessions`]: who has signed in.
//! - [`pages`]: the web pages. [`api`]: the JSON API.
//! - [`links`]: the addresses of both.

mod access;
mod api;
mod ask;
mod links;
mod metrics;
mod pages;
mod sessions;

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sproutnet_transport::token::Token;
use tokio::net::TcpListener;

use access::Access;
use metrics::Metrics;
use sproutnet_coordinator::Coordinator;

/// Serves a coordinator until `shutdown` resolves. Where a token is set, everything but `/healthz` and
/// the page to sign in asks for it.
///
/// # Errors
/// The port cannot be served.
pub async fn serve(
    coordinator: Arc<Coordinator>,
    token: Option<Token>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let router = router(coordinator, token, listener.local_addr()?.ip());
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown)
        .await
}

/// What is served, for requests that come in on that address. It needs no network, but a runtime.
pub fn router(coordinator: Arc<Coordinator>, token: Option<Token>, bound: IpAddr) -> Router {
    let access = Arc::new(Access::new(token, bound));
    let metrics = Arc::new(Metrics::of(Arc::clone(&coordinator)));
    let api = api::routes(Arc::clone(&coordinator));
    let pages = pages::of(coordinator, Arc::clone(&access));
    Router::new()
        .merge(api)
        .route("/metrics", get(metrics_text).with_state(metrics))
        .merge(pages.kept)
        .layer(from_fn_with_state(Arc::clone(&access), access::signed_in))
        .merge(pages.open)
        .layer(from_fn_with_state(access, access::own_site))
        .route("/healthz", get(async || "ok\n"))
        .layer(map_response(pages::with_headers))
}

async fn metrics_text(State(metrics): State<Arc<Metrics>>) -> Response {
    // Asking how the coordinator does takes its lock.
    match tokio::task::spawn_blocking(move || metrics.text()).await {
        Ok(Ok(text)) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
