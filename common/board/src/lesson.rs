//! The lesson: the game in five steps, each a line to draw.

use serde::Deserialize;
use sproutnet_solver::play::Play;

use crate::address::{People, Terms};
use crate::form;
use crate::links;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::state::Match;
use crate::task::{self, Task};

/// A step of the lesson.
pub(crate) struct Step {
    pub(crate) title: &'static str,
    /// The position to begin with.
    start: &'static str,
    play: Play,
    /// The task in words.
    pub(crate) text: &'static str,
    /// What to do if the line is not the one that was asked for.
    pub(crate) blame: &'static str,
    pub(crate) praise: &'static str,
    /// Whether the line is the one that was asked for. `None` if it has to win.
    pub(crate) goal: Option<fn(&Match) -> bool>,
}

/// All steps.
pub(crate) const STEPS: [Step; task::STEPS] = [
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
        goal: Some(ends_in_the_middle),
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
#[serde(try_from = "String")]
pub struct Numbered(usize);

impl TryFrom<String> for Numbered {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let step = text.parse().ok();
        let step = step.filter(|step| (1..=STEPS.len()).contains(step));
        step.map(Self).ok_or("there is no such step")
    }
}

/// The address of a step.
pub(crate) fn address(step: usize) -> String {
    format!("/lesson/{step}")
}

/// Leads to the first step.
pub fn begin() -> Reply {
    Reply::To(address(1))
}

/// Leads to the board with a step.
///
/// # Errors
/// Its position cannot be drawn.
pub fn step(Numbered(step): Numbered) -> Result<Reply, Problem> {
    let Step { start, play, .. } = STEPS[step - 1];
    let text = form::drawn(start)?;
    let terms = Terms {
        play,
        you: People::Both,
        task: Some(Task::Lesson(step)),
        ..Terms::default()
    };
    Ok(Reply::To(links::board(&text, "", terms)))
}

fn joins_two(game: &Match) -> bool {
    let [one, other] = game.ends(0);
    one != other
}

/// Only the spot in the middle has one life.
fn ends_in_the_middle(game: &Match) -> bool {
    let before = game.sheet_after(0);
    game.ends(0).iter().any(|end| before.lives(end - 1) == 1)
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
