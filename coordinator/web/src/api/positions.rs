//! A position, its moves, a line of play; the tables of start positions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup, Queries};
use sproutnet_model::{Answer as Known, Line, Searched, TableEntry, Verdict};
use sproutnet_solver::play::Play;
use utoipa::{IntoParams, ToSchema};

use super::paging::{Page, Wanted};
use super::{Api, ApiResult};
use crate::extract::{Asked, At, Name, Named, PositionText};
use crate::links;
use crate::pages::drawings::has_pictures;
use crate::problem::Problem;

/// The default time limit of a search, in milliseconds.
const WITHIN: u64 = 1000;

/// The maximum time limit of a search, in milliseconds.
const LONGEST: u64 = 10_000;

pub(super) fn routes() -> Router<Arc<Api>> {
    Router::new()
        .route("/positions/{position}", get(position))
        .route("/positions/{position}/moves", get(moves))
        .route("/positions/{position}/line", get(line))
        // The same, with the position in the query.
        .route("/positions", get(position))
        .route("/moves", get(moves))
        .route("/line", get(line))
        .route("/tables/{play}", get(table))
}

/// How long a small position may be searched.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Within {
    /// The time limit of searches in milliseconds, with the wait for other searches; 0 for no search. Positions are
    /// searched if their outcome is unknown and they have at most 35 moves, such as a position of 12 spots.
    #[param(maximum = 10000, default = 1000)]
    pub(super) within_ms: Option<u64>,
}

/// A convention.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Under {
    /// The convention; moves are sorted by it.
    #[param(inline, default = "normal")]
    play: Option<Play>,
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

/// What is known of a position.
#[derive(Serialize, ToSchema)]
#[schema(as = Position)]
pub(super) struct Described {
    /// The position as requested.
    position: String,
    #[serde(flatten)]
    answer: Known,
    searched: Searched,
    links: Links,
}

/// A part of a table.
#[derive(Serialize, ToSchema)]
pub(super) struct TablePage {
    #[serde(flatten)]
    page: Page<TableEntry>,
    /// What came of the searches. After `out of time` or `busy`, small start positions may be missing in the table.
    searched: Searched,
}

/// Related addresses.
#[derive(Serialize, ToSchema)]
pub(super) struct Links {
    /// The moves.
    moves: String,
    /// A line of play.
    line: String,
    /// The page for people.
    page: String,
    /// The position drawn, as SVG; null for games without pictures. `?thumbnail=1` makes it small.
    /// The address answers 404 where no drawing is possible.
    drawing: Option<String>,
    /// Where a POST of `{"position":…,"play":…}` starts a computation; null if both outcomes are
    /// proved.
    compute: Option<&'static str>,
}

/// What is known of a position
#[utoipa::path(
    get,
    path = "/positions/{position}",
    params(PositionText, Within),
    responses((status = 200, body = Described))
)]
pub(super) async fn position(
    State(api): State<Arc<Api>>,
    Asked(time): Asked<Within>,
    named: Named,
) -> ApiResult<Described> {
    let within = time.limit()?;
    let described = api.ask(move |coordinator, _| {
        let until = coordinator.queries.until(within);
        Described::of(coordinator, named, &Play::ALL, until)
    });
    let mut described = described.await?;
    described.forget_search_unless_wanted(within);
    Ok(Json(described))
}

/// The moves of a position, winning moves first
#[utoipa::path(
    get,
    path = "/positions/{position}/moves",
    params(PositionText, Under, Within, Wanted),
    responses((status = 200, body = Page<Verdict>))
)]
pub(super) async fn moves(
    State(api): State<Arc<Api>>,
    Asked(wanted): Asked<Wanted>,
    Asked(under): Asked<Under>,
    Asked(time): Asked<Within>,
    named: Named,
) -> ApiResult<Page<Verdict>> {
    let listed = under.ask(&api, &time, named, Queries::moves);
    Ok(Json(wanted.of(listed.await?)?))
}

/// A line of play in which the winner plays to win
#[utoipa::path(
    get,
    path = "/positions/{position}/line",
    params(PositionText, Under, Within),
    responses((status = 200, body = Line))
)]
pub(super) async fn line(
    State(api): State<Arc<Api>>,
    Asked(under): Asked<Under>,
    Asked(time): Asked<Within>,
    named: Named,
) -> ApiResult<Line> {
    let found = under.ask(&api, &time, named, Queries::line);
    found.await.map(Json)
}

/// The start positions, proved here or published
#[utoipa::path(
    get,
    path = "/tables/{play}",
    tag = "tables",
    params(Table, OfGame, Within, Wanted),
    responses((status = 200, body = TablePage))
)]
pub(super) async fn table(
    State(api): State<Arc<Api>>,
    At(table): At<Table>,
    Asked(wanted): Asked<Wanted>,
    Asked(of): Asked<OfGame>,
    Asked(time): Asked<Within>,
) -> ApiResult<TablePage> {
    let within = time.limit()?;
    let game = of.game.unwrap_or_else(|| "sprouts".to_owned());
    let (mut entries, searched) = api
        .ask(move |coordinator, _| {
            let queries = &coordinator.queries;
            queries.table(&game, queries.until(within))
        })
        .await?;
    entries.retain(|entry| entry.play == table.play);
    Ok(Json(TablePage {
        page: wanted.of(entries)?,
        searched: if within.is_zero() {
            Searched::No
        } else {
            searched
        },
    }))
}

impl Described {
    /// The answer for a position, searched under these conventions.
    pub(super) fn of(
        coordinator: &Coordinator,
        Named {
            text,
            game,
            position,
        }: Named,
        plays: &[Play],
        until: Instant,
    ) -> Result<Self, CoordinatorError> {
        let queries = &coordinator.queries;
        let lookup = queries.lookup(game, position);
        let (answer, searched) = queries.answer_and_search(&lookup, plays, until)?;
        let canonical = &answer.canonical;
        let is_open = |play| !answer.standing(play).is_proved();
        let links = Links {
            moves: links::api_of_position(canonical, "moves"),
            line: links::api_of_position(canonical, "line"),
            page: links::position(canonical),
            drawing: has_pictures(&answer.game).then(|| links::drawing(canonical, false)),
            compute: Play::ALL
                .into_iter()
                .any(is_open)
                .then_some(links::API_COMPUTATIONS),
        };
        Ok(Self {
            position: text,
            answer,
            searched,
            links,
        })
    }

    /// Without time for a search there was none, however large the position is.
    pub(super) fn forget_search_unless_wanted(&mut self, within: Duration) {
        if within.is_zero() {
            self.searched = Searched::No;
        }
    }
}

impl Under {
    /// Asks a question about a position that depends on the convention and on the answer for the position.
    async fn ask<T: Send + 'static>(
        self,
        api: &Api,
        time: &Within,
        Named { game, position, .. }: Named,
        what: fn(&Queries, &Lookup, &Known, Play, Instant) -> Result<T, CoordinatorError>,
    ) -> Result<T, Problem> {
        let within = time.limit()?;
        let play = self.play.unwrap_or(Play::Normal);
        let asked = api.ask(move |coordinator, _| {
            let queries = &coordinator.queries;
            let lookup = queries.lookup(game, position);
            let until = queries.until(within);
            let answer = queries.answer(&lookup, until)?;
            what(queries, &lookup, &answer, play, until)
        });
        asked.await
    }
}

impl Name for Table {
    const MISSING: &'static str = "there are two tables, normal and misere";
}

impl Within {
    /// The time limit.
    ///
    /// # Errors
    /// It is too long.
    pub(super) fn limit(&self) -> Result<Duration, Problem> {
        match self.within_ms.unwrap_or(WITHIN) {
            within @ 0..=LONGEST => Ok(Duration::from_millis(within)),
            _ => Err(Problem::of_parameter(format!(
                "within_ms: a number of milliseconds up to {LONGEST} is expected"
            ))),
        }
    }
}
