//! Computations as documents in the store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sproutnet_game as game;
use sproutnet_model::{Estimate, Solved, Source};
use sproutnet_notation::ComputationId;
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_solver::search::Numbers;

use crate::scheduler::computation::{Computation, Progress, Request, Status};
use crate::scheduler::history::{History, Sample};
use crate::scheduler::shares::Weight;

/// The document of a computation. The checkpoint is kept separately.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// The canonical text, with the game's name unless it is Sprouts.
    position: String,
    play: Play,
    nimber: bool,
    priority: i32,
    started_at: u64,
    status: Status,
    outcome: Option<Outcome>,
    found_nimber: Option<u32>,
    seconds: f64,
    expansions: u64,
    records: u64,
    /// The time of work left until its deadline, in seconds.
    seconds_left: Option<f64>,
    fault: Option<String>,
    /// Absent in stores of earlier versions, as all below.
    #[serde(default)]
    weight: Option<u32>,
    #[serde(default)]
    owner: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    machine_seconds: f64,
    #[serde(default)]
    paused_by: Option<String>,
    #[serde(default)]
    estimate: Option<Estimate>,
    #[serde(default)]
    history: History,
}

/// The prefix of the names of saved computations.
pub(crate) const PREFIX: &str = "computation/";

/// The number of a computation, from the name of its document.
pub(crate) fn number(name: &str) -> Option<ComputationId> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

impl Saved {
    /// The name of a computation's document.
    pub(crate) fn name(id: ComputationId) -> String {
        // Padded, so that names sort by number.
        format!("{PREFIX}{:020}", id.0)
    }

    /// The document of a computation in its current state.
    pub(crate) fn of(computation: &Computation, now: Instant) -> Self {
        let request = computation.request();
        let progress = computation.progress();
        Self {
            position: qualified(request),
            play: request.play,
            nimber: request.nimber,
            priority: computation.priority,
            started_at: computation.started_at,
            status: progress.status,
            outcome: progress.outcome.outcome(),
            found_nimber: progress.nimber,
            seconds: progress.seconds,
            expansions: progress.expansions,
            records: progress.records,
            seconds_left: computation.time_left(now).map(|left| left.as_secs_f64()),
            fault: progress.fault,
            weight: Some(computation.account().weight().get()),
            owner: computation.owner.clone(),
            label: computation.label.clone(),
            machine_seconds: computation.account().used().as_secs_f64(),
            paused_by: computation.paused_by.clone(),
            estimate: progress.estimate,
            history: computation.history.clone(),
        }
    }

    /// The same, concluded with a result.
    pub(crate) fn solved(mut self, solved: &Solved) -> Self {
        self.history.note_end(Sample::of(solved));
        Self {
            status: Status::Solved,
            outcome: Some(solved.outcome),
            found_nimber: solved.nimber,
            seconds: solved.seconds,
            expansions: solved.expansions,
            records: solved.records,
            fault: None,
            ..self
        }
    }

    /// The same, running again, if it failed or if its result was removed; `is_gone` says so for the name of a result.
    /// `None` if it stays as it is.
    pub(crate) fn reopened(self, is_gone: impl Fn(&str) -> bool) -> Option<Self> {
        let goes_on = match self.status {
            Status::Failed => true,
            Status::Solved => {
                let (game, position) = game::parse_stored(&self.position).ok()?;
                is_gone(&Solved::name(
                    game.name(),
                    self.play,
                    &game.print(&position),
                ))
            }
            _ => false,
        };
        goes_on.then_some(Self {
            status: Status::Running,
            outcome: None,
            found_nimber: None,
            fault: None,
            ..self
        })
    }

    /// Its status.
    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// The computation in its saved state; failed if its position cannot occur, which earlier versions did not check.
    pub(crate) fn restore(self, now: Instant) -> Result<Computation, game::PositionError> {
        let (game, position) = game::parse_stored(&self.position)?;
        let request = Request {
            game: game.name(),
            position,
            play: self.play,
            nimber: self.nimber,
        };
        let last = self.history.samples().last().map(|last| last.root);
        // After a revocation, the last sample may be that of a result that is gone.
        let last = last.filter(|root| root.outcome().is_none());
        let last = last.unwrap_or(Numbers::UNLIMITED);
        let is_over = matches!(self.status, Status::Solved | Status::Failed);
        let refusal = game.parse(&game.print(&request.position)).err();
        let refusal = refusal.filter(|_| !is_over);
        let progress = Progress {
            status: refusal.as_ref().map_or(self.status, |_| Status::Failed),
            outcome: self.outcome.into(),
            nimber: self.found_nimber,
            source: self.outcome.map(|_| Source::Store),
            seconds: self.seconds,
            expansions: self.expansions,
            records: self.records,
            root: self.outcome.map_or(last, Numbers::solved),
            fault: refusal.map_or(self.fault, |refusal| Some(refusal.to_string())),
            estimate: self.estimate,
            ..Progress::default()
        };
        let started_at = self.started_at;
        let mut computation = Computation::restored(request, started_at, progress);
        computation.priority = self.priority;
        let weight = self.weight.and_then(Weight::new).unwrap_or_default();
        let used = Duration::try_from_secs_f64(self.machine_seconds).unwrap_or_default();
        computation.restore_account(weight, used);
        computation.owner = self.owner;
        computation.label = self.label;
        computation.paused_by = self.paused_by;
        computation.history = self.history;
        let left = self.seconds_left.map(Duration::try_from_secs_f64);
        computation.set_deadline(left.and_then(Result::ok), now);
        Ok(computation)
    }
}

/// The canonical text of a request's position.
pub(crate) fn canonical(request: &Request) -> String {
    game_of(request).print(&request.position)
}

/// The canonical text of a request's position, with the game's name unless it is Sprouts.
pub(crate) fn qualified(request: &Request) -> String {
    game::qualified(game_of(request).as_ref(), &canonical(request))
}

fn game_of(request: &Request) -> Arc<dyn game::Game> {
    let mut games = game::all().into_iter();
    let game = games.find(|game| game.name() == request.game);
    game.expect("requests are about games that there are")
}

#[cfg(test)]
mod tests;
