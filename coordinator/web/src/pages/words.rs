//! How things are called on pages.

use maud::{Markup, html};
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_solver::search::Numbers;
use sproutnet_system::figures::{count, time};

use crate::links;
use sproutnet_coordinator::scheduler::computation::{Progress, Status};

/// A convention.
pub(super) fn play(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misère",
    }
}

/// What happens to the player to move.
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

/// How far a computation is.
pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Running | Status::Waiting => "in progress",
        other => other.name(),
    }
}

/// A proof number.
pub(super) fn number(number: u32) -> String {
    match number {
        Numbers::INFINITE => "∞".to_owned(),
        number => count(number.into()),
    }
}

/// A number of things: `1 job`, `2,000 jobs`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(number))
}

/// How far a computation is, as a sentence.
pub(super) fn sentence(progress: &Progress) -> String {
    let worked = time(progress.seconds);
    let nimber = progress.nimber;
    let nimber = nimber.map_or_else(String::new, |nimber| format!(", its nimber {nimber}"));
    match (progress.status, progress.outcome.outcome()) {
        (Status::Solved, Some(result)) => format!("A {}{nimber}.", outcome(result)),
        (Status::Running, _) if progress.jobs == 0 && progress.expansions == 0 => {
            "In progress, and waiting for a worker.".to_owned()
        }
        (Status::Running | Status::Waiting, _) => {
            let jobs = counted(progress.jobs.into(), "job");
            format!("In progress for {worked}; {jobs} out.")
        }
        (Status::Paused, _) => format!("Paused after {worked} of work."),
        (Status::Cancelled, _) => {
            format!(
                "Cancelled after {worked} of work. What was proved stays; it can go on from there."
            )
        }
        (Status::Expired, _) => {
            format!("Its time ended after {worked} of work. What was proved stays; it can go on.")
        }
        (Status::Failed | Status::Solved, _) => {
            let fault = progress.fault.as_deref().unwrap_or("no reason was kept");
            format!("Failed after {worked} of work: {fault}.")
        }
    }
}

/// A position with a link to its page.
pub(super) fn position(text: &str) -> Markup {
    html! { a.position href=(links::position(text)) { (text) } }
}

/// A text with a capital letter and a full stop.
pub(super) fn sentence_of(text: &str) -> String {
    let mut rest = text.chars();
    let first: String = rest
        .next()
        .map(char::to_uppercase)
        .into_iter()
        .flatten()
        .collect();
    let stop = if text.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{stop}", rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_and_end_as_such() {
        assert_eq!(sentence_of("no room"), "No room.");
        assert_eq!(sentence_of("Ünd?"), "Ünd?");
        assert_eq!(sentence_of(""), ".");
    }
}
