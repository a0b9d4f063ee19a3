//! Measures the cost of a visit and of an expansion on this machine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use sproutnet_game::{Game, Lands, Position};
use sproutnet_solver::play::{Convention, Misere, Normal, Outcome, Play};
use sproutnet_solver::search::{Control, Search, Table};

use crate::view::View;

/// The measured work of a search.
pub(crate) struct Measured {
    outcome: Outcome,
    /// Visits and expansions.
    pub(crate) really: (u64, u64),
    /// The times with no land expanded before, and with all.
    cold: Duration,
    warm: Duration,
    /// Visits and expansions of a virtual worker.
    pub(crate) virtually: (u64, u64),
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (visits, expansions) = self.really;
        let generating = self.cold.saturating_sub(self.warm);
        write!(
            f,
            "{}, {} visits of {:.0?} each, {} expansions of {:.0?} each; a virtual worker makes {} \
             and {}",
            self.outcome,
            visits,
            self.warm.div_f64(visits as f64),
            expansions,
            generating.div_f64(expansions as f64),
            self.virtually.0,
            self.virtually.1,
        )
    }
}

/// Searches a position three times: with no land expanded before, with all, and as a virtual worker.
pub(crate) fn measure(
    game: &Arc<dyn Game>,
    position: &Position,
    play: Play,
    table: usize,
) -> anyhow::Result<Measured> {
    match play {
        Play::Normal => measure_in::<Normal>(game, position, table),
        Play::Misere => measure_in::<Misere>(game, position, table),
    }
}

fn measure_in<C: Convention>(
    game: &Arc<dyn Game>,
    position: &Position,
    table: usize,
) -> anyhow::Result<Measured> {
    let lands = || Arc::new(Lands::new(Arc::clone(game)));
    let cold = lands();
    let first = search(&C::new(Arc::clone(&cold)), position, table)?;
    let again = search(&C::new(cold), position, table)?;
    let virtually = search(&View::<C>::new(lands()), position, table)?;
    Ok(Measured {
        outcome: first.outcome,
        really: first.counts,
        cold: first.time,
        warm: again.time,
        virtually: virtually.counts,
    })
}

/// The work of one search.
struct Took {
    outcome: Outcome,
    /// Visits and expansions.
    counts: (u64, u64),
    time: Duration,
}

fn search<C: Convention>(
    convention: &C,
    position: &Position,
    table: usize,
) -> anyhow::Result<Took> {
    let table = Table::new(table).context("no memory for a table")?;
    let control = Control::default();
    let began = time_of_thread()?;
    let numbers = Search::new(convention, &table, &control).run(&convention.state(position));
    let outcome = numbers.outcome().context("a search ended too early")?;
    Ok(Took {
        outcome,
        counts: (control.visits(), control.expansions()),
        time: time_of_thread()?.saturating_sub(began),
    })
}

/// The processor time of this thread.
fn time_of_thread() -> anyhow::Result<Duration> {
    let path = "/proc/thread-self/schedstat";
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {path}"))?;
    let run = text.split(' ').next().unwrap_or_default();
    Ok(Duration::from_nanos(
        run.parse().with_context(|| format!("{path}: `{text}`"))?,
    ))
}
