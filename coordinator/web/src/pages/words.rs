//! The words of pages.

use maud::{Markup, html};
use sproutnet_board::words::things;
pub(super) use sproutnet_board::words::{capital, named, play, sentence_of, spots, when};
use sproutnet_coordinator::scheduler::computation::{Progress, Status};
use sproutnet_model::{Computation, Estimate, WaitsFor};
use sproutnet_solver::play::Outcome;
use sproutnet_solver::search::Numbers;
use sproutnet_system::figures::{between, count, moment, time};

use crate::links;

/// The note on a computation that stopped.
const KEPT: &str = "Every proved fact is kept, and it can be resumed.";

/// The outcome for the player to move.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win for the player to move",
        Outcome::Loss => "loss for the player to move",
    }
}

/// One letter for an outcome.
pub(super) fn letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "W",
        Outcome::Loss => "L",
    }
}

/// The status of a computation.
pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Running => "in progress",
        other => other.name(),
    }
}

/// A proof number.
pub(super) fn number(number: u32) -> String {
    match number {
        Numbers::INFINITE => "∞".to_owned(),
        // A sum stops there, so it says only that the effort is larger than can be counted.
        Numbers::LARGEST => "over 4 billion".to_owned(),
        number => count(number.into()),
    }
}

/// A number of things: `1 job`, `2,000 jobs`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    format!("{} {}", count(number), things(number, thing))
}

/// The status of a computation, as a sentence.
pub(super) fn sentence(progress: &Progress) -> String {
    let worked = time(progress.seconds);
    let nimber = progress.nimber;
    let nimber = nimber.map_or_else(String::new, |nimber| format!(", its nimber {nimber}"));
    match (progress.status, progress.outcome.outcome()) {
        (Status::Solved, Some(result)) => format!("A {}{nimber}.", outcome(result)),
        (Status::Running, _) => {
            let jobs = counted(progress.jobs.into(), "job");
            format!("In progress for {worked}; {jobs} out.")
        }
        (Status::Paused, _) => format!("Paused after {worked} of work."),
        (Status::Cancelled, _) => format!("Cancelled after {worked} of work. {KEPT}"),
        (Status::Expired, _) => format!("Reached its time limit after {worked} of work. {KEPT}"),
        (Status::Failed | Status::Solved, _) => {
            let fault = progress.fault.as_deref().unwrap_or("no reason was kept");
            format!("Failed after {worked} of work: {fault}.")
        }
    }
}

/// Why a computation waits, as a sentence.
pub(super) fn waits(listed: &Computation) -> Option<String> {
    let why = listed.waits_for?;
    match (why, &listed.paused_by) {
        (WaitsFor::Resumption, None) => None,
        (WaitsFor::Resumption, Some(by)) => Some(format!("Paused by {by}.")),
        _ => Some(format!("It waits: {}.", why.reason())),
    }
}

/// The label, the owner and the weight of a computation: those that were set.
pub(super) fn described(listed: &Computation) -> String {
    let owner = Some(&listed.owner).filter(|owner| !owner.is_empty());
    let label = Some(&listed.label).filter(|label| !label.is_empty());
    let weight = (listed.weight != 1).then(|| format!("weight {}", listed.weight));
    let owner = owner.map(|owner| format!("for {owner}"));
    let parts = [label.cloned(), owner, weight];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The estimated time of a computation, and its real time once it is solved, as a sentence.
pub(super) fn estimate(progress: &Progress) -> Option<String> {
    let Estimate { low, high, behind } = progress.estimate?;
    let estimate = between(low, high);
    Some(match progress.status {
        Status::Solved => format!(
            "It took {}; estimated were {estimate}.",
            time(progress.seconds)
        ),
        _ => format!(
            "It may take {estimate} of work, judging by {} that were solved.",
            counted(behind.into(), "smaller start")
        ),
    })
}

/// A position with a link to its page.
pub(super) fn position(text: &str) -> Markup {
    html! { a.position href=(links::position(text)) { (text) } }
}

/// A day in the Gregorian calendar (UTC), given in seconds since 1970: for machines, as in `2026-11-22`, and
/// for people.
pub(super) fn day(seconds: u64) -> (String, String) {
    const MONTHS: &str = "January February March April May June July August September October November \
                          December";
    let mut iso = humantime::format_rfc3339_seconds(moment(seconds)).to_string();
    iso.truncate("2026-11-22".len());
    let parts: Vec<usize> = iso
        .split('-')
        .filter_map(|part| part.parse().ok())
        .collect();
    let text = match parts[..] {
        [year, month @ 1..=12, day] => {
            let month = MONTHS.split(' ').nth(month - 1).unwrap_or_default();
            format!("{day} {month} {year}")
        }
        _ => iso.clone(),
    };
    (iso, text)
}

#[cfg(test)]
mod tests;
