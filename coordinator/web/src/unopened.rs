//! The HTTP port of a coordinator whose store is not open yet.

use std::path::PathBuf;
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
use crate::problem::{Code, Problem};
use crate::{connections, metrics_text, pages, refuse_grpc};

/// A coordinator whose store is not open yet.
#[derive(Clone, Debug)]
pub struct Unopened {
    /// Whether it waits for room on the disk; else the store is being opened.
    pub is_disk_full: bool,
    /// The folder of the store.
    pub data: PathBuf,
    /// How much of the disk is kept free, in bytes; `None` for the default.
    pub disk_reserve: Option<u64>,
}

impl Unopened {
    /// Why it cannot be used yet. Strangers may know it; details are in the log.
    pub fn why(&self) -> &'static str {
        if self.is_disk_full {
            "disk full: waiting for room to open the store"
        } else {
            "opening the store"
        }
    }
}

/// Serves the health, with status 503, and the metrics of the disk and the process. All other requests get status 503
/// and the reason.
///
/// # Errors
/// The listener has no address.
pub async fn serve_unopened(
    unopened: &Unopened,
    protection: &Protection,
    listener: TcpListener,
) -> std::io::Result<()> {
    let bound = listener.local_addr()?.ip();
    let access = Arc::new(Access::new(protection.tokens.clone(), bound));
    let disk = Disk::of(&unopened.data, unopened.disk_reserve);
    let metrics = Arc::new(Metrics::before_open(disk, unopened.is_disk_full));
    let why = unopened.why();
    let router = Router::new()
        .route("/metrics", get(metrics_text).with_state(metrics))
        .layer(from_fn_with_state(Arc::clone(&access), access::signed_in))
        .fallback(async move || -> Response {
            let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, why);
            problem.with(Code::NotReady).into_json()
        })
        .layer(from_fn_with_state(access, access::own_site))
        .route(
            "/healthz",
            get(async move || (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n"))),
        )
        .layer(map_response(pages::with_headers))
        .layer(from_fn(refuse_grpc));
    connections::serve(router, listener, std::future::pending()).await;
    Ok(())
}
