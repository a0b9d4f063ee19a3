//! A computation, as it is printed.

use sproutnet_model::{Computation, Progress, Status};

use crate::terminal::rate::Rate;
use crate::terminal::text;

/// The convention, and whether the nimber is requested.
pub(crate) fn task(computation: &Computation) -> String {
    let nimber = match computation.nimber_wanted {
        true => "+nimber",
        false => "",
    };
    format!("{}{nimber}", computation.play)
}

/// One line about a running computation, most important first for narrow terminals.
pub(crate) fn describe(title: &str, progress: &Progress, rate: &mut Rate) -> String {
    let status = match progress.status {
        Status::Running => String::new(),
        other => format!("{}, ", other.name()),
    };
    let rate = rate.at(progress.seconds, progress.expansions);
    format!(
        "{title}: {status}{}, proof {} disproof {}, {} expansions ({}/s), {} records, {} jobs, \
         {} nodes",
        text::time(progress.seconds),
        text::number(progress.root.proof),
        text::number(progress.root.disproof),
        text::count(progress.expansions),
        text::count(rate as u64),
        text::count(progress.records),
        progress.jobs,
        text::count(progress.nodes),
    )
}
