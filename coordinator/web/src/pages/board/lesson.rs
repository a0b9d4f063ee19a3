//! The lesson: the game in five steps, each a line to draw.

use axum::response::Redirect;
use serde::Deserialize;
use sproutnet_solver::play::Play;

use super::address::{People, Terms};
use super::form;
use super::state::Match;
use super::task::{self, Task};
use crate::extract::{At, Name};
use crate::links;
use crate::problem::Problem;

/// A step of the lesson.
pub(super) struct Step {
    pub(super) title: &'static str,
    /// The position to begin with.
    start: &'static str,
    play: Play,
    /// The task in words.
    pub(super) text: &'static str,
    /// What to do if the line is not the one that was asked for.
    pub(super) blame: &'static str,
    pub(super) praise: &'static str,
    /// Whether the line is the one that was asked for. `None` if it has to win.
    pub(super) goal: Option<fn(&Match) -> bool>,
}

/// All steps.
pub(super) const STEPS: [Step; task::STEPS] = [
    Step {
        title: "Draw a line",
        start: "0*2",
        play: Play::Normal,
        text: "A move joins two spots by a line. Draw a line from one spot to the other.",
        blame: "This line is a loop: it joins a spot to itself. That is also a move, but here, join two different spots.",
        praise: "A new spot appeared in the middle of your line. Every move adds a line and a spot.",
        goal: Some(joins_two),
    },
    Step {
        title: "Three lines a spot",
        start: "1a1a",
        play: Play::Normal,
        text: "No spot takes more than three lines, and lines never cross. The spot in the middle has two lines. Draw a \
               line that ends at it.",
        blame: "The spot in the middle still has room for a line. Try to end a line at it.",
        praise: "The spot has three lines now. It turned grey: no line can end there any more.",
        goal: Some(fills_a_spot),
    },
    Step {
        title: "Regions",
        start: "0*3",
        play: Play::Normal,
        text: "Lines cut the paper into regions, and spots in different regions can never be joined. Draw a loop at one \
               spot, so that the two others lie on different sides of it.",
        blame: "The two other spots can still be joined. Try a loop with one of them inside.",
        praise: "One spot is inside, one is outside. No line can join them any more.",
        goal: Some(separates),
    },
    Step {
        title: "Who moves last",
        start: "AB|AB",
        play: Play::Normal,
        text: "Every game ends: spots fill up, and regions close. In normal play the player who makes the last move wins. \
               It is your move: win.",
        blame: "The other player can still move.",
        praise: "You made the last move. The other player cannot move, and has lost.",
        goal: Some(ends_it),
    },
    Step {
        title: "Misère play",
        start: "1a1a",
        play: Play::Misere,
        text: "In misère play the player who makes the last move loses. Only one of the moves here wins: after it, the \
               other player has to make the last move, whatever they do.",
        blame: "After this move the other player can win.",
        praise: "Whatever the other player does, the last move is theirs. You know the whole game now.",
        goal: None,
    },
];

/// A step in an address.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "usize")]
pub(in crate::pages) struct Numbered(usize);

impl TryFrom<usize> for Numbered {
    type Error = &'static str;

    fn try_from(step: usize) -> Result<Self, Self::Error> {
        let exists = (1..=STEPS.len()).contains(&step);
        exists.then_some(Self(step)).ok_or("there is no such step")
    }
}

impl Name for Numbered {
    const MISSING: &'static str = "there is no such step of the lesson";
}

/// The address of a step.
pub(super) fn address(step: usize) -> String {
    format!("/lesson/{step}")
}

/// Redirects to the first step.
pub(in crate::pages) async fn begin() -> Redirect {
    Redirect::to(&address(1))
}

/// Redirects to the board with a step.
pub(in crate::pages) async fn step(At(Numbered(step)): At<Numbered>) -> Result<Redirect, Problem> {
    let Step { start, play, .. } = STEPS[step - 1];
    let text = crate::blocking(move || form::drawn(start)).await??;
    let terms = Terms {
        play,
        you: People::Both,
        task: Some(Task::Lesson(step)),
        ..Terms::default()
    };
    Ok(Redirect::to(&links::board(&text, "", terms)))
}

fn joins_two(game: &Match) -> bool {
    let [one, other] = game.ends(0);
    one != other
}

fn fills_a_spot(game: &Match) -> bool {
    let before = game.sheet_after(0).spots().len();
    (0..before).any(|spot| game.sheet().lives(spot) == 0)
}

fn separates(game: &Match) -> bool {
    let sheet = game.sheet();
    let [one, other] = game.ends(0).map(|end| end - 1);
    let mut others = (0..game.sheet_after(0).spots().len()).filter(|&spot| spot != one);
    match (one == other, others.next(), others.next()) {
        (true, Some(a), Some(b)) => !sheet.partners(a).contains(&b),
        _ => false,
    }
}

fn ends_it(game: &Match) -> bool {
    game.sheet().is_over()
}
