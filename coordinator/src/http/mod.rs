//! What is served over HTTP: `/metrics` for Prometheus, `/healthz` for those who ask whether the
//! coordinator lives.

mod metrics;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sproutnet_proto::token::Token;
use tokio::net::TcpListener;

use crate::Coordinator;
use metrics::Metrics;

#[derive(Clone)]
struct Served {
    metrics: Arc<Metrics>,
    token: Option<Token>,
}

/// Serves a coordinator until `shutdown` resolves. Where a token is set, `/metrics` asks for it.
///
/// # Errors
/// The port cannot be served.
pub async fn serve(
    coordinator: Arc<Coordinator>,
    token: Option<Token>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let served = Served {
        metrics: Arc::new(Metrics::of(coordinator)),
        token,
    };
    let routes = Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/metrics", get(metrics_text))
        .with_state(served);
    axum::serve(listener, routes)
        .with_graceful_shutdown(shutdown)
        .await
}

async fn metrics_text(State(served): State<Served>, headers: HeaderMap) -> Response {
    if let Some(token) = &served.token
        && let Err(refused) = token.check(&headers)
    {
        let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
        return (StatusCode::UNAUTHORIZED, challenge, format!("{refused}\n")).into_response();
    }
    let metrics = Arc::clone(&served.metrics);
    // Asking how the coordinator does takes its lock.
    match tokio::task::spawn_blocking(move || metrics.text()).await {
        Ok(Ok(text)) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
