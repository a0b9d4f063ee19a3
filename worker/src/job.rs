//! The search of one job.

use std::time::Duration;

use sproutnet_solver::play::{Contradiction, Convention, Knowledge, Outcome, Play, Record, State};
use sproutnet_solver::search::{Control, Numbers, Search, Table, children, numbers_of};

/// Children are told if they take at most about this many bytes.
const MOST_BYTES: usize = 8 << 20;

/// A state to search, as leased.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the lease.
    pub lease: u64,
    /// The computation to which the job belongs.
    pub computation: u64,
    /// The game's name.
    pub game: String,
    /// The convention.
    pub play: Play,
    /// The canonical bytes of the state.
    pub state: Vec<u8>,
    /// How long to search it.
    pub slice: Duration,
}

/// What came of a job.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The state's numbers; they tell the outcome if it was solved.
    pub numbers: Numbers,
    /// If it was not: the bytes of the states of all children that are not proved to be wins, with
    /// their numbers. None if there was no time to tell them, or no room.
    pub children: Vec<(Vec<u8>, Numbers)>,
    /// States visited.
    pub visits: u64,
    /// Lands whose options were looked at, at a glance or all of them.
    pub expansions: u64,
    /// Why nothing that is known here can be trusted, if so.
    pub fault: Option<Contradiction>,
}

impl Job {
    /// Whether two facts that cannot both be true are of the game and convention of this job.
    pub fn is_touched_by(&self, knowledge: &Knowledge, fault: &Contradiction) -> bool {
        let record = Record {
            key: fault.key.clone(),
            value: fault.new,
        };
        let game = knowledge.game(&self.game);
        game.is_some_and(|game| record.subject(game.game().code(), self.play).is_some())
    }
}

/// Why a search told nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The job cannot be read; the text says why.
    #[error("the job cannot be read: {0}")]
    Unreadable(String),
    /// There is a fault in the search.
    #[error("the search panicked: {0}")]
    Panicked(String),
    /// The machine has too many threads already.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Searches a job by that many threads until it is solved or the control says stop.
///
/// # Errors
/// [`SearchError`]
pub fn search(
    job: &Job,
    knowledge: &Knowledge,
    table: &Table,
    control: &Control,
    threads: usize,
) -> Result<Finding, SearchError> {
    let game = knowledge.game(&job.game);
    let unknown = || SearchError::Unreadable(format!("there is no game called `{}`", job.game));
    let game = game.ok_or_else(unknown)?;
    match job.play {
        Play::Normal => search_in(&*game.normal, job, table, control, threads),
        Play::Misere => search_in(&*game.misere, job, table, control, threads),
    }
}

fn search_in<C: Convention>(
    convention: &C,
    job: &Job,
    table: &Table,
    control: &Control,
    threads: usize,
) -> Result<Finding, SearchError> {
    let state = State::decode(&job.state, convention);
    let mut state = state.map_err(|error| SearchError::Unreadable(error.to_string()))?;
    let numbers = Search::new(convention, table, control).run_on(threads, &state)?;
    let children = match numbers.outcome() {
        Some(outcome) => {
            convention.resolve(&mut state);
            convention.settle(&state, outcome);
            Vec::new()
        }
        None => numbers_of_children(convention, state, table, control),
    };
    Ok(Finding {
        numbers,
        children,
        visits: control.visits(),
        expansions: control.expansions(),
        fault: convention.contradiction().cloned(),
    })
}

fn numbers_of_children<C: Convention>(
    convention: &C,
    mut state: State<C::Value>,
    table: &Table,
    control: &Control,
) -> Vec<(Vec<u8>, Numbers)> {
    let open = convention.resolve(&mut state).is_none() && convention.parts(&state).is_none();
    if !open {
        return Vec::new();
    }
    let Some(Err(children)) = children(convention, &state, &|| control.must_stop()) else {
        return Vec::new();
    };
    let mut told = Vec::new();
    for mut child in children {
        let numbers = numbers_of(convention, table, &mut child);
        match (numbers.outcome(), child.encode(convention)) {
            (Some(Outcome::Win), _) => {}
            (_, Some(bytes)) => told.push((bytes, numbers)),
            // A child that cannot be told must not be left out.
            (_, None) => return Vec::new(),
        }
    }
    let size = told
        .iter()
        .map(|(bytes, _)| bytes.len() + 32)
        .sum::<usize>();
    if size > MOST_BYTES { Vec::new() } else { told }
}
