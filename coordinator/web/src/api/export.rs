//! The records of the store, as an export.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use sproutnet_coordinator::CoordinatorError;
use sproutnet_solver::play::Play;
use utoipa::IntoParams;

use super::download::download;
use super::{Api, busy};
use crate::extract::Asked;
use crate::problem::Problem;

/// The maximum number of exports that are made at a time; further ones are refused with 503.
pub(super) const AT_ONCE: usize = 1;

/// The time limit for the client to take the whole export.
const PATIENCE: Duration = Duration::from_hours(6);

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new().route("/export", get(export))
}

/// The records of an export.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Selection {
    /// The convention; both unless given.
    #[param(inline)]
    play: Option<Play>,
}

/// Everything proved, as an export
///
/// The file that `sproutnet export` writes and `sproutnet import` reads. It has all records that were acknowledged
/// before the request, the results, and who proved what. A file that was cut short has no end, and an import refuses
/// it. One export is made at a time.
#[utoipa::path(
    get,
    path = "/export",
    operation_id = "export",
    tag = "fleet",
    params(Selection),
    responses((
        status = 200,
        description = "The export.",
        body = String,
        content_type = "application/octet-stream"
    ))
)]
pub(super) async fn export(
    State(api): State<Arc<Api>>,
    Asked(selection): Asked<Selection>,
) -> Result<Response, Problem> {
    let place = Arc::clone(&api.exports).try_acquire_owned();
    let place = place.map_err(|_| busy())?;
    let coordinator = Arc::clone(&api.coordinator);
    let plays = selection.play.map_or(Play::ALL.to_vec(), |play| vec![play]);
    let body = download(PATIENCE, move |out, taker| {
        let _place = place;
        let written = coordinator.export(&plays, out, || taker.is_gone());
        written.map_err(|error| {
            if !matches!(error, CoordinatorError::Stopped) {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "an export ended early"
                );
            }
            io::Error::other(error)
        })
    });
    let mut headers = HeaderMap::new();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"sproutnet.export\""),
    );
    Ok((headers, body).into_response())
}
