//! `sproutnet bench`: how fast positions are solved on this machine, with nothing but the library.
//!
//! - [`suites`]: what is measured.
//! - [`world`]: what a search knows, and the measuring of a search.
//! - [`figures`]: the results of the runs of one position.
//! - [`engine`]: the rules alone.
//! - [`report`]: tables and JSON.

mod engine;
mod figures;
mod head;
mod report;
mod suites;
mod world;

use std::collections::BTreeMap;

use sproutnet_solver::play::{Play, Switches};
use sproutnet_solver::search::Table;
use sproutnet_system::options::Cores;

use self::figures::Figures;
use self::head::Head;
use self::report::Report;
use self::suites::Subject;
use self::world::{Budget, Run, Searcher};
use crate::args::{Bench, Common};
use crate::exit::{BadInput, Exit};

pub(crate) use self::suites::Suite;

/// Measures a suite, or the positions given.
pub(crate) fn run(bench: &Bench, common: &Common) -> anyhow::Result<Exit> {
    let suite = suites::chosen(bench)?;
    let budget = budget(bench)?;
    let subjects = suites::subjects(suite, bench)?;
    let head = Head::of(bench, suite, &budget);
    let mut report = Report::new(common.json, &head)?;
    if suite == Some(Suite::Engine) {
        let line = report.line().clone();
        report.engine(&engine::measure(&budget, bench.repeat, &line)?)?;
        return Ok(Exit::Fine);
    }
    let mut exit = Exit::Fine;
    let mut compared = Vec::new();
    measure(
        &subjects,
        bench,
        &budget,
        &mut report,
        |subject, figures| {
            if figures.outcome.is_none() {
                exit = Exit::Unknown;
            }
            compared.extend(suites::compared(suite, subject, figures));
        },
    )?;
    if let Some(comparison) = suites::comparison(&compared) {
        report.comparison(&comparison)?;
    }
    Ok(exit)
}

/// The means of each search.
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
    let all_on = Switches::seeded(bench.seed);
    let switches = bench.without.iter().copied();
    Ok(Budget {
        switches: switches.fold(all_on, Switches::without),
        threads,
        table,
        deadline: bench.deadline,
    })
}

/// Runs all searches, and reports on each position once its last run is over. Cold, the runs of a
/// position follow each other; warm, each time all positions do.
fn measure(
    subjects: &[Subject],
    bench: &Bench,
    budget: &Budget,
    report: &mut Report,
    mut and: impl FnMut(&Subject, &Figures),
) -> anyhow::Result<()> {
    let repeat = usize::from(bench.repeat);
    let mut order: Vec<(usize, usize)> = (0..subjects.len())
        .flat_map(|subject| (0..repeat).map(move |time| (subject, time)))
        .collect();
    if bench.warm {
        order.sort_by_key(|&(subject, time)| (time, subject));
    }
    let mut runs: Vec<Vec<Run>> = subjects.iter().map(|_| Vec::new()).collect();
    let mut searchers: BTreeMap<(&str, Play), Box<dyn Searcher>> = BTreeMap::new();
    for (number, time) in order {
        let subject = &subjects[number];
        if !bench.warm || number == 0 {
            // Before the next is made, so that both never take memory at a time.
            searchers.clear();
        }
        let name = subject.game.name();
        let known = searchers.remove(&(name, subject.play));
        let searcher = match known {
            Some(searcher) => searcher,
            None => world::searcher(&subject.game, subject.play, budget)?,
        };
        report.under_way(subject, time + 1, repeat);
        let run = searcher.search(&subject.position, budget)?;
        searchers.insert((name, subject.play), searcher);
        runs[number].push(run);
        if runs[number].len() == repeat {
            let figures = Figures::of(&runs[number])?;
            report.position(subject, &figures)?;
            and(subject, &figures);
        }
    }
    Ok(())
}
