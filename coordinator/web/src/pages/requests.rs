//! What forms ask for.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::{FormRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::response::Redirect;
use serde::Deserialize;
use sproutnet_solver::play::Play;

use super::Site;
use super::problem::Problem;
use crate::links;
use sproutnet_coordinator::{Coordinator, CoordinatorError, Start};

/// A position to look up.
#[derive(Deserialize)]
pub(super) struct Asked {
    position: String,
}

/// A position to solve.
#[derive(Deserialize)]
pub(super) struct ToSolve {
    position: String,
    play: Plays,
}

/// Under which conventions.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Plays {
    Normal,
    Misere,
    Both,
}

/// A change to a computation.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Change {
    Pause,
    Resume,
    Cancel,
}

impl Plays {
    fn each(self) -> &'static [Play] {
        match self {
            Self::Normal => &[Play::Normal],
            Self::Misere => &[Play::Misere],
            Self::Both => &Play::ALL,
        }
    }
}

/// Leads to the page of the position asked for.
pub(super) async fn look_up(
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Redirect, Problem> {
    let Query(Asked { position }) = asked.map_err(|_| Problem::bad("a position is expected"))?;
    let position = position.trim();
    match Problem::of_position(position) {
        Some(problem) => Err(problem),
        None => Ok(Redirect::to(&links::position(position))),
    }
}

/// Leads to where computations are listed.
pub(super) async fn to_list() -> Redirect {
    Redirect::to("/#computations")
}

/// Starts a computation, or two, or joins those under way.
pub(super) async fn start(
    State(site): State<Arc<Site>>,
    form: Result<Form<ToSolve>, FormRejection>,
) -> Result<Redirect, Problem> {
    let expected = "a position and normal, misere or both are expected";
    let Form(ToSolve { position, play }) = form.map_err(|_| Problem::bad(expected))?;
    if let Some(problem) = Problem::of_position(position.trim()) {
        return Err(problem);
    }
    let asked = site.ask(move |coordinator, now| {
        let start = |&play: &Play| {
            let start = Start {
                position: position.trim(),
                play,
                nimber: false,
                deadline: None,
                priority: None,
            };
            coordinator
                .computations
                .start(&start, now)
                .map(|(id, _)| id.0)
        };
        play.each()
            .iter()
            .map(start)
            .collect::<Result<Vec<u64>, CoordinatorError>>()
    });
    match asked.await?[..] {
        [id] => Ok(Redirect::to(&links::computation(id))),
        _ => Ok(to_list().await),
    }
}

/// Pauses, resumes or cancels a computation.
pub(super) async fn change(
    State(site): State<Arc<Site>>,
    path: Result<Path<(u64, Change)>, PathRejection>,
) -> Result<Redirect, Problem> {
    let Path((id, change)) = path.map_err(|_| Problem::missing("There is no such page"))?;
    let change = move |coordinator: &Coordinator, now| match change {
        Change::Pause => coordinator.computations.pause(id.into(), now),
        Change::Resume => coordinator.computations.resume(id.into(), now),
        Change::Cancel => coordinator.computations.cancel(id.into(), now),
    };
    site.ask(change).await?;
    Ok(Redirect::to(&links::computation(id)))
}
