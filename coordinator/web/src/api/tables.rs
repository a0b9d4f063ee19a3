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

use super::paging::{Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new().route("/tables/{play}", get(table))
}

/// A game, and a part of a list.
#[derive(Deserialize)]
struct Asked {
    game: Option<String>,
    offset: Option<usize>,
    limit: Option<usize>,
}

async fn table(
    State(api): State<Arc<Api>>,
    play: Result<Path<Play>, PathRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let missing = "there are two tables, normal and misere";
    let Path(play) = play.map_err(|_| Refusal::missing(missing))?;
    let asked = query(asked)?;
    let game = asked.game.unwrap_or_else(|| "sprouts".to_owned());
    let table = api
        .ask(move |coordinator, _| coordinator.table(&game))
        .await?;
    let of_play: Vec<TableEntry> = table.into_iter().filter(|e| e.play == play).collect();
    reply::json(
        &headers,
        &Wanted::new(asked.offset, asked.limit).of(of_play)?,
    )
}
