//! The HTTP port of a coordinator whose store is not open yet.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::get;
use sproutnet_system::disk::Disk;
use sproutnet_transport::listen::Protection;
use tokio::net::TcpListener;

use crate::access::{self, Access};
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::{connections, metrics_text, pages, refuse_grpc};

/// A coordinator whose store is not open yet.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<'a> {
    /// Why.
    pub why: &'a str,
    /// Whether it waits for room on the disk.
    pub is_disk_full: bool,
    /// The folder of the store.
    pub data: &'a Path,
    /// How much of the disk is kept free, in bytes; `None` for the default.
    pub disk_reserve: Option<u64>,
}

/// Serves the health, with status 503, and the metrics of the disk and the process. All other requests get status 503
/// and the reason.
///
/// # Errors
/// The listener has no address.
pub async fn serve_waiting(
    waiting: Waiting<'_>,
    protection: &Protection,
    listener: TcpListener,
) -> std::io::Result<()> {
    let bound = listener.local_addr()?.ip();
    let access = Arc::new(Access::new(protection.tokens.clone(), bound));
    let disk = Disk::of(waiting.data, waiting.disk_reserve);
    let metrics = Arc::new(Metrics::before_open(disk, waiting.is_disk_full));
    let (why, health) = (waiting.why.to_owned(), format!("{}\n", waiting.why));
    let router = Router::new()
        .route("/metrics", get(metrics_text).with_state(metrics))
        .layer(from_fn_with_state(Arc::clone(&access), access::signed_in))
        .fallback(async move || -> Response {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, why.clone()).into_json()
        })
        .layer(from_fn_with_state(access, access::own_site))
        .route(
            "/healthz",
            get(async move || (StatusCode::SERVICE_UNAVAILABLE, health.clone())),
        )
        .layer(map_response(pages::with_headers))
        .layer(from_fn(refuse_grpc));
    connections::serve(router, listener, std::future::pending()).await;
    Ok(())
}
