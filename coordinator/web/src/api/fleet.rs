//! The coordinator and its workers.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use sproutnet_model::Fleet;

use super::refusal::Refusal;
use super::{Api, reply};
use sproutnet_coordinator::Coordinator;

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new().route("/fleet", get(fleet))
}

/// The coordinator and its workers
#[utoipa::path(get, path = "/fleet", responses((status = 200, body = Fleet)))]
pub(super) async fn fleet(
    State(api): State<Arc<Api>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let state = api.ask(Coordinator::state).await?;
    reply::json(&headers, &state.fleet())
}
