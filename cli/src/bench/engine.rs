//! The engine benchmark: the speed at which the options of lands are found, without a search.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use sproutnet_game::{Game, Land, Lands, Sprouts};
use sproutnet_solver::play::{Convention, Normal, Rules};
use sproutnet_solver::search::{Control, Search, Table};

use super::world::{Budget, too_large};
use crate::terminal::status_line::StatusLine;
use crate::terminal::text::{Show, count, named_values, time};

/// The number of spots of the start position that is searched for lands.
const SPOTS: u32 = 20;

/// The limit of the search's visits.
const VISITS: u64 = 3000;

/// The maximum size of the sample, which is spread evenly over the lands that the search met.
const SAMPLE: usize = 2000;

/// The cost of finding the options of the sample.
#[derive(Serialize)]
pub(super) struct Engine {
    /// The size of the sample.
    pub(super) lands: u64,
    /// The number of their options, without repeats.
    pub(super) options: u64,
    /// The median of the runs, in seconds of wall-clock time.
    pub(super) seconds: f64,
    /// Lands of the sample per second.
    pub(super) expansions_per_second: f64,
    /// Nanoseconds per option.
    pub(super) ns_per_option: f64,
    /// The number of interned lands: the sample, and the lands of its options.
    pub(super) lands_met: u64,
    /// The average size of a land with its options, in bytes.
    pub(super) bytes_per_land: u64,
}

impl Show for Engine {
    fn lines(&self) -> Vec<String> {
        let values = [
            ("lands", count(self.lands)),
            ("options", count(self.options)),
            ("time", time(self.seconds)),
            ("expansions/s", count(self.expansions_per_second as u64)),
            ("ns/option", count(self.ns_per_option.round() as u64)),
            ("lands met", count(self.lands_met)),
            ("bytes/land", count(self.bytes_per_land)),
        ];
        let width = values.iter().map(|(_, value)| value.len()).max();
        let width = width.unwrap_or(0);
        named_values(values.map(|(name, value)| (name, format!("{value:>width$}"))))
    }
}

/// Finds all options of the sample `repeat` times, each time in new [`Lands`]. Returns the median run.
pub(super) fn measure(budget: &Budget, repeat: u16, line: &StatusLine) -> anyhow::Result<Engine> {
    line.set("choosing lands".to_owned());
    let table = Table::new(budget.table).ok_or_else(|| too_large(budget.table))?;
    let sample = sample(budget, &table).context("no thread could be started")?;
    drop(table);
    let mut engines = Vec::new();
    for time in 1..=repeat {
        line.set(format!(
            "options of {} lands: {time} of {repeat}",
            sample.len()
        ));
        engines.push(find_options(&sample));
    }
    engines.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(engines.swap_remove(engines.len() / 2))
}

/// Lands that a bounded search met, in the order of a walk from the start position: it depends on the search alone.
fn sample(budget: &Budget, table: &Table) -> io::Result<Vec<Land>> {
    let lands = Arc::new(Lands::new(Arc::new(Sprouts)));
    let convention = Normal::new(Arc::clone(&lands)).with(budget.switches);
    let start = Sprouts.parse(&Sprouts::start(SPOTS));
    let start = start.expect("the text of a start position is one");
    let control = Control::with_visits(VISITS);
    Search::new(&convention, table, &control).run_on(1, &convention.state(&start))?;
    let mut met = lands.intern_position(&start).to_vec();
    let mut seen: HashSet<_> = met.iter().copied().collect();
    let mut next = 0;
    while let Some(&land) = met.get(next) {
        let options = lands.known_options(land).into_iter();
        let below = options.flat_map(|options| options.iter().flatten());
        met.extend(below.copied().filter(|&land| seen.insert(land)));
        next += 1;
    }
    let count = met.len().min(SAMPLE);
    let spread = (0..count).map(|i| met[i * met.len() / count]);
    Ok(spread.map(|land| lands.land(land)).collect())
}

fn find_options(sample: &[Land]) -> Engine {
    let lands = Lands::new(Arc::new(Sprouts));
    let ids: Vec<_> = sample.iter().map(|land| lands.intern(land)).collect();
    let began = Instant::now();
    let found = ids.iter().map(|&land| {
        let options = lands.options(land, &|| false);
        options.expect("it is never stopped").len() as u64
    });
    let options: u64 = found.sum();
    let seconds = began.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
    Engine {
        lands: ids.len() as u64,
        options,
        seconds,
        expansions_per_second: ids.len() as f64 / seconds,
        ns_per_option: seconds * 1e9 / options as f64,
        lands_met: lands.len() as u64,
        bytes_per_land: (lands.bytes() / lands.len()) as u64,
    }
}
