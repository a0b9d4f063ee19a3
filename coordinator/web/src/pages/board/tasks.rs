//! Tasks: a drawing on which one line is asked for. A task is a match in which one person draws one line; its address
//! names the task beside the match.

use std::fmt::{self, Display, Formatter};

use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_model::Known;
use sproutnet_solver::play::Play;

use super::opponent::Knowledge;
use super::state::{Match, People, Show};
use super::{lesson, puzzles, talk};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::pages) enum Task {
    /// A step of the lesson, counted from 1.
    Lesson(usize),
    /// The only winning move.
    Puzzle(Puzzle),
}

/// A puzzle: its grade, and its number in this grade, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::pages) struct Puzzle {
    pub(super) grade: Grade,
    pub(super) number: u32,
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Grade {
    Easy,
    Medium,
    Hard,
}

/// The reader's line, judged.
enum Judged {
    /// No line has been drawn.
    Open,
    Right,
    Wrong,
    /// The outcome was not found in time.
    Unknown,
}

impl Grade {
    pub(super) const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl TryFrom<String> for Puzzle {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const EXPECTED: &str = "a puzzle is expected, such as easy-1";
        let (grade, number) = text.split_once('-').ok_or(EXPECTED)?;
        let grade = Grade::ALL.into_iter().find(|of| of.name() == grade);
        let number = number.parse().ok();
        let number = number.filter(|number| (1..=puzzles::MOST).contains(number));
        Ok(Self {
            grade: grade.ok_or(EXPECTED)?,
            number: number.ok_or(EXPECTED)?,
        })
    }
}

impl TryFrom<String> for Task {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let Some(step) = text.strip_prefix("lesson-") else {
            return Puzzle::try_from(text).map(Self::Puzzle);
        };
        let step = step.parse().ok();
        let step = step.filter(|step| (1..=lesson::STEPS.len()).contains(step));
        step.map(Self::Lesson).ok_or("there is no such lesson")
    }
}

impl Display for Puzzle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.grade.name(), self.number)
    }
}

impl Display for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lesson(step) => write!(f, "lesson-{step}"),
            Self::Puzzle(puzzle) => write!(f, "{puzzle}"),
        }
    }
}

impl Task {
    pub(super) fn title(self) -> String {
        match self {
            Self::Lesson(step) => lesson::STEPS[step - 1].title.to_owned(),
            Self::Puzzle(Puzzle { grade, number }) => {
                format!("One move wins ({} {number})", grade.name())
            }
        }
    }

    /// Whether the solver has to know the outcome after the reader's line.
    pub(super) fn is_judged_by_outcome(self) -> bool {
        match self {
            Self::Lesson(step) => lesson::STEPS[step - 1].goal.is_none(),
            Self::Puzzle(_) => true,
        }
    }

    fn judge(self, game: &Match, known: &Knowledge) -> Judged {
        if game.moves() == 0 {
            return Judged::Open;
        }
        if let Self::Lesson(step) = self
            && let Some(goal) = lesson::STEPS[step - 1].goal
        {
            return match goal(game) {
                true => Judged::Right,
                false => Judged::Wrong,
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
    fn next(self) -> Option<String> {
        match self {
            Self::Lesson(step) if step == lesson::STEPS.len() => None,
            Self::Lesson(step) => Some(lesson::address(step + 1)),
            Self::Puzzle(Puzzle { grade, number }) => Some(puzzles::address(Puzzle {
                grade,
                number: number % puzzles::MOST + 1,
            })),
        }
    }
}

/// The text beside the board.
pub(super) fn status(game: &Match, task: Task, show: Option<Show>, known: &Knowledge) -> Markup {
    let judged = task.judge(game, known);
    let (above, to) = match task {
        Task::Lesson(_) => ("Learn", lesson::address(1)),
        Task::Puzzle(_) => ("Puzzles", "/puzzles".to_owned()),
    };
    let (class, told) = match judged {
        Judged::Open => ("", asked(game, task)),
        Judged::Right => ("win", praise(task)),
        Judged::Wrong => ("loss", blame(task)),
        Judged::Unknown => ("", "The outcome after this line was not found in time."),
    };
    html! {
        p.above {
            a href=(to) { (above) }
            @if let Task::Lesson(step) = task { " / step " (step) " of " (lesson::STEPS.len()) }
        }
        div.verdict.(class) {
            h1 { (task.title()) }
            p.lead { (told) }
            @if matches!(judged, Judged::Open) && show.is_some() {
                p.lead { (talk::standing(game, Show::Hint, known)) }
            }
            @if !matches!(task, Task::Lesson(1..4)) { p.source { (talk::rule(game.terms.play)) } }
        }
        div.buttons {
            @match judged {
                Judged::Right => {
                    @match task.next() {
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
                    @if let Some(next) = task.next() {
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

fn asked(game: &Match, task: Task) -> &'static str {
    match (task, game.terms.play) {
        (Task::Lesson(step), _) => lesson::STEPS[step - 1].text,
        (Task::Puzzle(_), Play::Normal) => {
            "It is your move. One line wins, all others lose: who cannot move any more has lost."
        }
        (Task::Puzzle(_), Play::Misere) => {
            "It is your move. One line wins, all others lose: in misère play, who cannot move any more has won."
        }
    }
}

fn praise(task: Task) -> &'static str {
    match task {
        Task::Lesson(step) => lesson::STEPS[step - 1].praise,
        Task::Puzzle(_) => "Right: against this move there is no winning reply.",
    }
}

fn blame(task: Task) -> &'static str {
    match task {
        Task::Lesson(step) => lesson::STEPS[step - 1].blame,
        Task::Puzzle(_) => "That move loses: the other player has a winning reply.",
    }
}

#[cfg(test)]
mod tests;
