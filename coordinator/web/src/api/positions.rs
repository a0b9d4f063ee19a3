//! What is known of a position, its moves, a line.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde::{Deserialize, Serialize};
use sproutnet_game::{self as game, Game, Position};
use sproutnet_model::Answer;
use sproutnet_solver::play::Play;

use super::paging::{Wanted, query};
use super::refusal::Refusal;
use super::{Api, reply};
use crate::links;

/// For how long small positions are searched unless something else is said.
const WITHIN: u64 = 1000;

/// The longest time that one can say.
const LONGEST: u64 = 10_000;

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/positions/{position}", get(position))
        .route("/positions/{position}/moves", get(moves))
        .route("/positions/{position}/line", get(line))
}

/// For how long a small position may be searched, in milliseconds.
#[derive(Deserialize)]
struct Asked {
    within_ms: Option<u64>,
}

/// A convention, and for how long small positions may be searched.
#[derive(Deserialize)]
struct AskedUnder {
    play: Option<Play>,
    within_ms: Option<u64>,
}

/// A convention, and a part of a list.
#[derive(Deserialize)]
struct AskedForMoves {
    play: Option<Play>,
    offset: Option<usize>,
    limit: Option<usize>,
}

/// What is known of a position, and where more is to be had.
#[derive(Serialize)]
struct Told {
    /// The position as asked for.
    position: String,
    #[serde(flatten)]
    answer: Answer,
    links: Links,
}

#[derive(Serialize)]
struct Links {
    moves: String,
    line: String,
    page: String,
    /// A picture, if the game has any.
    drawing: Option<String>,
    /// Where a POST starts a computation of it; null if nothing is left to prove.
    compute: Option<&'static str>,
}

async fn position(
    State(api): State<Arc<Api>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let within = within(query(asked)?.within_ms)?;
    let (text, game, position) = read(path)?;
    let looked_up = api.ask(move |coordinator, _| {
        let lookup = coordinator.lookup(game, position);
        coordinator.answer(&lookup, within)
    });
    let answer = looked_up.await?;
    let canonical = &answer.canonical;
    let is_open = |play| !answer.standing(play).is_proved();
    let links = Links {
        moves: links::api_of_position(canonical, "moves"),
        line: links::api_of_position(canonical, "line"),
        page: links::position(canonical),
        drawing: (answer.game == "sprouts").then(|| links::drawing(canonical, false)),
        compute: Play::ALL
            .into_iter()
            .any(is_open)
            .then_some(links::API_COMPUTATIONS),
    };
    let told = Told {
        position: text,
        links,
        answer,
    };
    reply::json(&headers, &told)
}

async fn moves(
    State(api): State<Arc<Api>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<AskedForMoves>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asked = query(asked)?;
    let wanted = Wanted::new(asked.offset, asked.limit);
    let play = asked.play.unwrap_or(Play::Normal);
    let (_, game, position) = read(path)?;
    let listed = api.ask(move |coordinator, _| {
        let lookup = coordinator.lookup(game, position);
        coordinator.moves(&lookup, play)
    });
    reply::json(&headers, &wanted.of(listed.await?)?)
}

async fn line(
    State(api): State<Arc<Api>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<AskedUnder>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let asked = query(asked)?;
    let play = asked.play.unwrap_or(Play::Normal);
    let within = within(asked.within_ms)?;
    let (_, game, position) = read(path)?;
    let found = api.ask(move |coordinator, _| {
        let lookup = coordinator.lookup(game, position);
        coordinator.line(&lookup, play, within)
    });
    reply::json(&headers, &found.await?)
}

fn within(asked: Option<u64>) -> Result<Duration, Refusal> {
    match asked.unwrap_or(WITHIN) {
        within @ 0..=LONGEST => Ok(Duration::from_millis(within)),
        _ => Err(Refusal::bad(format!(
            "within_ms: a number of milliseconds up to {LONGEST} is expected"
        ))),
    }
}

/// The position that a path names.
fn read(
    path: Result<Path<String>, PathRejection>,
) -> Result<(String, Arc<dyn Game>, Position), Refusal> {
    let Path(text) = path.map_err(|error| Refusal::bad(error.body_text()))?;
    let (game, position) = game::parse(&text)?;
    Ok((text, game, position))
}
