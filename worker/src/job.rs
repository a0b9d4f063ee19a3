//! The search of one job.

use std::time::Duration;

use sproutnet_common::game::expansions_by_this_thread;
use sproutnet_common::play::{Contradiction, Convention, Knowledge, Outcome, Play, Record, State};
use sproutnet_common::search::{Control, Numbers, Search, Table, children, numbers_of};

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
    /// Lands whose options were generated.
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
        game.is_some_and(|game| record.subject(game.game().as_ref(), self.play).is_some())
    }
}

/// Searches a job until it is solved or the control says stop.
///
/// # Errors
/// The job cannot be read; the text says why.
pub fn search(
    job: &Job,
    knowledge: &Knowledge,
    table: &Table,
    control: &Control,
) -> Result<Finding, String> {
    let game = knowledge.game(&job.game);
    let game = game.ok_or_else(|| format!("there is no game called `{}`", job.game))?;
    match job.play {
        Play::Normal => search_in(&*game.normal, job, table, control),
        Play::Misere => search_in(&*game.misere, job, table, control),
    }
}

fn search_in<C: Convention>(
    convention: &C,
    job: &Job,
    table: &Table,
    control: &Control,
) -> Result<Finding, String> {
    let mut state = State::decode(&job.state, convention).map_err(|error| error.to_string())?;
    let expansions_before = expansions_by_this_thread();
    let numbers = Search::new(convention, table, control).run(&state);
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
        expansions: expansions_by_this_thread() - expansions_before,
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
