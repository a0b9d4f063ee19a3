//! The tables of start positions.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;
use sproutnet_model::TableEntry;
use sproutnet_solver::play::Play;
use utoipa::IntoParams;

use super::paging::{Page, Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new().route("/tables/{play}", get(table))
}

/// One of the tables.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Table {
    play: Play,
}

/// A game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OfGame {
    /// The game.
    #[param(default = "sprouts")]
    game: Option<String>,
}

/// The start positions, solved here or published
#[utoipa::path(
    get,
    path = "/tables/{play}",
    params(Table, OfGame, Wanted),
    responses((status = 200, body = Page<TableEntry>))
)]
pub(super) async fn table(
    State(api): State<Arc<Api>>,
    table: Result<Path<Table>, PathRejection>,
    game: Result<Query<OfGame>, QueryRejection>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let missing = "there are two tables, normal and misere";
    let Path(Table { play }) = table.map_err(|_| Refusal::missing(missing))?;
    let wanted = query(wanted)?;
    let game = query(game)?.game.unwrap_or_else(|| "sprouts".to_owned());
    let table = api
        .ask(move |coordinator, _| coordinator.queries.table(&game))
        .await?;
    let of_play: Vec<TableEntry> = table.into_iter().filter(|e| e.play == play).collect();
    reply::json(&headers, &wanted.of(of_play)?)
}
