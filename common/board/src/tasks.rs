//! Tasks: a drawing on which one line is asked for. A task is a match in which one person draws one line; its address
//! names the task beside the match.

use maud::{Markup, html};
use sproutnet_model::Known;

use crate::address::{People, Show};
use crate::collection::Puzzle;
use crate::opponent::Knowledge;
use crate::state::Match;
use crate::task::Task;
use crate::{collection, lesson, puzzles, talk};

/// The reader's line, judged.
enum Judged {
    /// No line has been drawn.
    Open,
    Right,
    Wrong,
    /// The outcome was not found in time.
    Unknown,
}

/// The title of the page.
pub(crate) fn title(task: Task) -> String {
    match task {
        Task::Lesson(step) => lesson::STEPS[step - 1].title.to_owned(),
        Task::Puzzle(Puzzle { grade, number }) => {
            format!("One move wins ({} {number})", grade.name())
        }
    }
}

/// Whether the solver has to know the outcome after the reader's line.
pub(crate) fn is_judged_by_outcome(task: Task) -> bool {
    match task {
        Task::Lesson(step) => lesson::STEPS[step - 1].goal.is_none(),
        Task::Puzzle(_) => true,
    }
}

fn judge(task: Task, game: &Match, known: &Knowledge) -> Judged {
    if game.moves() == 0 {
        return Judged::Open;
    }
    if let Task::Lesson(step) = task
        && let Some(goal) = lesson::STEPS[step - 1].goal
    {
        return if goal(game) {
            Judged::Right
        } else {
            Judged::Wrong
        };
    }
    // The outcome is that for the other player, who moves next.
    match known.outcome {
        Known::Loss => Judged::Right,
        Known::Win => Judged::Wrong,
        Known::Unknown | Known::InProgress => Judged::Unknown,
    }
}

/// The address of the next task; `None` after the last step of the lesson.
fn next(task: Task) -> Option<String> {
    match task {
        Task::Lesson(step) if step == lesson::STEPS.len() => None,
        Task::Lesson(step) => Some(lesson::address(step + 1)),
        Task::Puzzle(Puzzle { grade, number }) => Some(puzzles::address(Puzzle {
            grade,
            number: number % collection::count(grade) + 1,
        })),
    }
}

/// The text beside the board.
pub(crate) fn status(game: &Match, task: Task, show: Option<Show>, known: &Knowledge) -> Markup {
    let judged = judge(task, game, known);
    let (above, to) = match task {
        Task::Lesson(_) => ("Learn", lesson::address(1)),
        Task::Puzzle(_) => ("Puzzles", "/puzzles".to_owned()),
    };
    let [asked, praise, blame] = words(task);
    let (class, told) = match judged {
        Judged::Open => ("", asked),
        Judged::Right => ("win", praise),
        Judged::Wrong => ("loss", blame),
        Judged::Unknown => ("", "The outcome after this line was not found in time."),
    };
    html! {
        p.above {
            a href=(to) { (above) }
            @if let Task::Lesson(step) = task { " / step " (step) " of " (lesson::STEPS.len()) }
        }
        div.verdict.(class) {
            h1 { (title(task)) }
            p.lead { (told) }
            @if matches!(judged, Judged::Open) && show.is_some() {
                p.lead { (talk::standing(game, Show::Hint, known)) }
            }
            @if !matches!(task, Task::Lesson(1..4)) { p.source { (talk::rule(game.terms.play)) } }
        }
        div.buttons {
            @match judged {
                Judged::Right => {
                    @match next(task) {
                        Some(next) => a.button href=(next) { "Next" },
                        None => {
                            a.button href="/board" { "Play a whole game" }
                            a.button.second href="/puzzles" { "Puzzles" }
                        }
                    }
                }
                Judged::Open => {
                    @if matches!(task, Task::Puzzle(_)) && show.is_none() {
                        a.button.second href=(game.with("&show=hint")) { "Show the answer" }
                    }
                    @if let Some(next) = next(task) {
                        a.button.second href=(next) { "Skip" }
                    }
                }
                Judged::Wrong | Judged::Unknown => {}
            }
            @if let Some(back) = game.taken_back() {
                @let class = if matches!(judged, Judged::Wrong) { "button" } else { "button second" };
                a class=(class) href=(back) { "Try again" }
            }
            @if game.moves() > 0 && !game.sheet().is_over() && matches!(task, Task::Puzzle(_)) {
                a.button.second href=(game.among(People::First).link()) { "Play on from here" }
            }
        }
    }
}

/// The task in words, and what is said of a right line and of a wrong one.
fn words(task: Task) -> [&'static str; 3] {
    match task {
        Task::Lesson(step) => {
            let step = &lesson::STEPS[step - 1];
            [step.text, step.praise, step.blame]
        }
        Task::Puzzle(_) => [
            "It is your move. Only one line wins.",
            "Right: no reply to this move wins.",
            "That move loses: the other player has a winning reply.",
        ],
    }
}

#[cfg(test)]
mod tests;
