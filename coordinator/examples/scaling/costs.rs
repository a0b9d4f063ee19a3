//! What a visit of a state and an expansion of a land cost on this machine.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use sproutnet_game::{Lands, Position, expansions_by_this_thread};
use sproutnet_solver::play::{Convention, Normal, Outcome};
use sproutnet_solver::search::{Control, Search, Table};

use crate::view::{View, WITHOUT_PARTIAL};

/// What a search of a position took.
pub(crate) struct Measured {
    outcome: Outcome,
    /// Visits and expansions.
    pub(crate) really: (u64, u64),
    /// With no land expanded before, and with all.
    cold: Duration,
    warm: Duration,
    /// Visits and expansions as a virtual worker counts them.
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

/// Searches a position thrice: with no land expanded before, with all, and as a virtual worker.
pub(crate) fn measure(
    lands: &Arc<Lands>,
    position: &Position,
    table: usize,
) -> anyhow::Result<Measured> {
    let expanded = expansions_by_this_thread();
    let (outcome, visits, cold) = search(&normal(lands), position, table)?;
    let expansions = expansions_by_this_thread() - expanded;
    let (_, _, warm) = search(&normal(lands), position, table)?;
    let view = View::new(Arc::clone(lands));
    search(&view, position, table)?;
    Ok(Measured {
        outcome,
        really: (visits, expansions),
        cold,
        warm,
        virtually: (view.visits(), view.expansions()),
    })
}

/// Knows nothing yet, and searches as a virtual worker does.
fn normal(lands: &Arc<Lands>) -> Normal {
    Normal::new(Arc::clone(lands)).with(WITHOUT_PARTIAL)
}

fn search<C: Convention>(
    convention: &C,
    position: &Position,
    table: usize,
) -> anyhow::Result<(Outcome, u64, Duration)> {
    let table = Table::new(table).context("no memory for a table")?;
    let control = Control::default();
    let began = time_of_thread()?;
    let numbers = Search::new(convention, &table, &control).run(&convention.state(position));
    let outcome = numbers.outcome().context("a search ended too early")?;
    let took = time_of_thread()?.saturating_sub(began);
    Ok((outcome, control.visits(), took))
}

/// How long this thread has run, whatever else the machine had to do meanwhile.
fn time_of_thread() -> anyhow::Result<Duration> {
    let path = "/proc/thread-self/schedstat";
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {path}"))?;
    let run = text.split(' ').next().unwrap_or_default();
    Ok(Duration::from_nanos(
        run.parse().with_context(|| format!("{path}: `{text}`"))?,
    ))
}
