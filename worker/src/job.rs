//! The search of one job.

use std::time::Duration;

use sproutnet_notation::{ComputationId, LeaseId};
use sproutnet_solver::play::{Contradiction, Convention, Knowledge, Play, State, record_subject};
use sproutnet_solver::search::{Control, Found, Numbers, Search, Table, Team};

/// A leased state to search.
#[derive(Clone, Debug)]
pub struct Job {
    /// The lease.
    pub lease: LeaseId,
    /// The job's computation.
    pub computation: ComputationId,
    /// The game's name.
    pub game: String,
    /// The convention.
    pub play: Play,
    /// The canonical bytes of the state.
    pub state: Vec<u8>,
    /// The numbers at which the search ends, since another state is then more proving.
    pub limit: Numbers,
    /// The maximum search time.
    pub slice: Duration,
}

/// The result of a job.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The outcome of the state, or its numbers.
    pub found: Found,
    /// States visited.
    pub visits: u64,
    /// Lands expanded, fully or partially.
    pub expansions: u64,
    /// A contradiction among the facts known here: none of them can be trusted.
    pub fault: Option<Contradiction>,
}

impl Job {
    /// Whether a contradiction is in this job's game and convention.
    pub fn is_touched_by(&self, knowledge: &Knowledge, fault: &Contradiction) -> bool {
        let game = knowledge.game(&self.game);
        game.is_some_and(|game| record_subject(&fault.key, game.game().code(), self.play).is_some())
    }
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The job cannot be read, for this reason.
    #[error("the job cannot be read: {0}")]
    Unreadable(String),
    /// The search has a bug and panicked.
    #[error("the search failed: {0}")]
    Panicked(#[from] tokio::task::JoinError),
    /// The machine has too many threads.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Searches a job on `threads` threads of a team until it is solved, a number reaches its limit, or the control stops it.
///
/// # Errors
/// [`SearchError`]
pub fn search(
    job: &Job,
    knowledge: &Knowledge,
    table: &Table,
    team: &Team,
    control: &Control,
    threads: usize,
) -> Result<Finding, SearchError> {
    let game = knowledge.game(&job.game);
    let unknown = || SearchError::Unreadable(format!("there is no game called `{}`", job.game));
    let game = game.ok_or_else(unknown)?;
    match job.play {
        Play::Normal => search_in(&*game.normal, job, table, team, control, threads),
        Play::Misere => search_in(&*game.misere, job, table, team, control, threads),
    }
}

fn search_in<C: Convention>(
    convention: &C,
    job: &Job,
    table: &Table,
    team: &Team,
    control: &Control,
    threads: usize,
) -> Result<Finding, SearchError> {
    let state = State::decode(&job.state, convention);
    let mut state = state.map_err(|error| SearchError::Unreadable(error.to_string()))?;
    let search = Search::new(convention, table, control);
    let numbers = search.run_until(job.limit, threads, team, &state)?;
    let found = match numbers.outcome() {
        Some(outcome) => {
            convention.resolve(&mut state);
            convention.settle(&state, outcome);
            Found::Solved(outcome)
        }
        None => Found::of(convention, table, state, control.visits(), &|| {
            control.must_stop()
        }),
    };
    Ok(Finding {
        found,
        visits: control.visits(),
        expansions: control.expansions(),
        fault: convention.contradiction().cloned(),
    })
}
