//! `sproutnet bench`: the speed at which this machine solves positions, without a coordinator or a store.
//!
//! - [`suites`]: the positions that are measured.
//! - [`world`]: searches with measured time and memory.
//! - [`figures`]: the results of the runs of one position.
//! - [`engine`]: the rules without a search.

mod engine;
mod figures;
mod head;
mod suites;
mod world;

use std::collections::BTreeMap;

use sproutnet_model::Known;
use sproutnet_notation::Play;
use sproutnet_solver::play::Switches;
use sproutnet_solver::search::Table;
use sproutnet_system::options::Cores;

use self::figures::{Figures, Totals};
use self::head::Head;
use self::suites::Subject;
use self::world::{Budget, Run, Searcher};
use crate::args::{Bench, Common};
use crate::exit::{BadInput, Exit};
use crate::terminal::status_line::StatusLine;
use crate::terminal::table::Rows;
use crate::terminal::text::print;

pub(crate) use self::suites::Suite;

/// Measures a suite, or the positions given.
pub(crate) fn run(bench: &Bench, common: &Common) -> anyhow::Result<Exit> {
    let suite = suites::chosen(bench)?;
    let budget = budget(bench)?;
    let subjects = suites::subjects(suite, bench)?;
    print(common.json, &Head::of(bench, suite, &budget))?;
    let line = StatusLine::new(!common.json);
    let exit = match suite {
        Some(Suite::Engine) => engine::measure(&budget, bench.repeat, &line).and_then(|engine| {
            line.suspend(|| print(common.json, &engine))?;
            Ok(Exit::Fine)
        }),
        _ => measure_all(&subjects, suite, bench, &budget, common.json, &line),
    };
    line.clear();
    exit
}

/// Measures positions, and compares the times of a suite with those of another program.
fn measure_all(
    subjects: &[Subject],
    suite: Option<Suite>,
    bench: &Bench,
    budget: &Budget,
    json: bool,
    line: &StatusLine,
) -> anyhow::Result<Exit> {
    let mut widths = vec![10, 6, 7, 6, 11, 10, 10, 8, 10, 6, 8, 10, 9];
    if bench.repeat > 1 || bench.seeds > 1 {
        widths.insert(5, 13);
    }
    let mut rows = Rows::new(json, &widths);
    let mut exit = Exit::Fine;
    let mut compared = Vec::new();
    let mut totals = Totals::default();
    measure(subjects, bench, budget, line, |subject, runs| {
        totals.add(runs);
        let figures = Figures::of(subject, runs)?;
        match figures.outcome {
            Known::Unknown => exit = Exit::Unknown,
            _ => compared.extend(suites::compared(suite, subject, figures.cpu_seconds)),
        }
        line.suspend(|| rows.print(&figures))
    })?;
    if subjects.len() > 1 {
        line.suspend(|| print(json, &totals))?;
    }
    if let Some(comparison) = suites::comparison(&compared) {
        line.suspend(|| print(json, &comparison))?;
    }
    Ok(exit)
}

/// The settings of each search.
fn budget(bench: &Bench) -> Result<Budget, BadInput> {
    let Cores(threads) = bench.threads;
    let table = bench.memory.bytes();
    let table = table.ok_or_else(|| {
        let memory = bench.memory;
        BadInput(format!(
            "--memory {memory}: cannot determine the memory of this machine; name an amount"
        ))
    })?;
    if !Table::fits(table) {
        return Err(world::too_large(table));
    }
    Ok(Budget {
        switches: switches(bench, bench.seed),
        threads,
        table,
        deadline: bench.deadline,
    })
}

/// The features of a search with this seed, except for those that the user turned off.
fn switches(bench: &Bench, seed: u64) -> Switches {
    let off = bench.without.iter().copied();
    off.fold(Switches::seeded(seed), Switches::without)
}

/// Runs all searches, and reports each position after its last run. Cold: all runs of one position, then the next
/// position. Warm: each run takes all positions in turn, and later ones use earlier results.
fn measure(
    subjects: &[Subject],
    bench: &Bench,
    budget: &Budget,
    line: &StatusLine,
    mut report: impl FnMut(&Subject, &[Run]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let repeat = usize::from(bench.repeat);
    let number_of_runs = usize::from(bench.seeds) * repeat;
    let mut order: Vec<(usize, usize)> = (0..subjects.len())
        .flat_map(|subject| (0..number_of_runs).map(move |run| (subject, run)))
        .collect();
    if bench.warm {
        order.sort_by_key(|&(subject, run)| (run, subject));
    }
    let mut runs: Vec<Vec<Run>> = subjects.iter().map(|_| Vec::new()).collect();
    let mut searchers: BTreeMap<(&str, Play), Box<dyn Searcher>> = BTreeMap::new();
    for (number, run) in order {
        let seed = bench.seed.wrapping_add((run / repeat) as u64);
        let budget = &Budget {
            switches: switches(bench, seed),
            ..budget.clone()
        };
        let subject = &subjects[number];
        if !bench.warm || number == 0 {
            // Dropped before the next searcher is made: memory holds only one at a time.
            searchers.clear();
        }
        let name = subject.game.name();
        let known = searchers.remove(&(name, subject.play));
        let searcher = match known {
            Some(searcher) => searcher,
            None => world::searcher(&subject.game, subject.play, budget)?,
        };
        let Subject { text, play, .. } = subject;
        line.set(format!("{text} {play}: {} of {number_of_runs}", run + 1));
        let run = searcher.search(&subject.position, budget)?;
        searchers.insert((name, subject.play), searcher);
        runs[number].push(run);
        if runs[number].len() == number_of_runs {
            report(subject, &runs[number])?;
        }
    }
    Ok(())
}
