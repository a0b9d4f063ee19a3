//! The text beside the board.

use maud::{Markup, html};
use sproutnet_model::Known;
use sproutnet_solver::play::Play;

use super::board::Hint;
use super::state::Match;
use crate::pages::drawings::thumbnail;
use crate::pages::{layout, words};

/// The title of the page.
pub(super) fn title(game: &Match, is_over: bool) -> &'static str {
    match (is_over, game.have_you_won()) {
        (true, true) => "You won",
        (true, false) => "You lost",
        (false, _) => "Your move",
    }
}

/// How the match stands, and what the player can do.
pub(super) fn status(game: &Match, is_over: bool, outcome: Known, hint: Option<&Hint>) -> Markup {
    let class = match (is_over, game.have_you_won()) {
        (true, true) => "win",
        (true, false) => "loss",
        (false, _) => outcome.outcome().map_or("", |outcome| outcome.name()),
    };
    html! {
        div.verdict.(class) {
            h1 { (title(game, is_over)) }
            p.lead {
                @if is_over {
                    (how_it_ended(game))
                } @else {
                    @if !game.before.is_empty() { "I moved to " (words::position(&game.text)) ". " }
                    (standing(outcome, !game.before.is_empty()))
                }
            }
            p.source { (rule(game.play)) }
        }
        @if let Some(hint) = hint {
            p #hint {
                "A winning move: " a href=(game.after(&hint.text)) { (hint.words()) ", to "
                span.position { (hint.text) } } "."
            }
        }
        div.buttons {
            @if is_over {
                a.button href=(game.again(game.you)) { "Play again" }
                a.button.second href=(game.again(game.you.other())) { "Be the other player" }
            } @else if outcome == Known::Win && hint.is_none() {
                a.button.second href=(game.with("&hint=1#turn")) { "Show a winning move" }
            }
            @if let Some(back) = game.taken_back() {
                a.button.second href=(back) { "Take a move back" }
            }
            @if !is_over && game.before.len() > 1 {
                a.button.second href=(game.again(game.you)) { "Start again" }
            }
        }
    }
}

fn rule(play: Play) -> &'static str {
    match play {
        Play::Normal => "Normal play: a player who cannot move has lost.",
        Play::Misere => "Misère play: a player who cannot move has won.",
    }
}

fn how_it_ended(game: &Match) -> String {
    let who = if game.is_your_turn() { "You" } else { "I" };
    let moves = words::counted(game.before.len() as u64, "move");
    format!("{who} cannot move any more, after {moves}.")
}

/// What the solver knows.
fn standing(outcome: Known, has_moved: bool) -> &'static str {
    match (outcome, has_moved) {
        (Known::Loss, _) => "I win from here, whatever you do.",
        (Known::Win, true) => {
            "I found no winning move and chose one at random: you win from here if you play perfectly."
        }
        (Known::Win, false) => "You win from here if you play perfectly.",
        (Known::Unknown | Known::InProgress, true) => {
            "I chose a move at random: the outcome from here is unknown."
        }
        (Known::Unknown | Known::InProgress, false) => "The outcome from here is unknown.",
    }
}

/// All positions of the match. The player can go back to those where it was the player's turn.
pub(super) fn so_far(game: &Match) -> Markup {
    if game.before.is_empty() {
        return html! {};
    }
    let all = game.before.iter().chain([&game.text]);
    let content = html! {
        ol.boards.from-start {
            @for (moves, text) in all.enumerate() {
                li {
                    @if game.is_yours_after(moves) && moves < game.before.len() {
                        a.small-board href=(game.as_after(moves)) { (step(game, moves, text)) }
                    } @else {
                        div.small-board { (step(game, moves, text)) }
                    }
                }
            }
        }
    };
    layout::section("so-far", "The match so far", false, &content)
}

fn step(game: &Match, moves: usize, text: &str) -> Markup {
    let who = match (moves, game.is_yours_after(moves)) {
        (0, _) => "the start",
        (_, true) => "I moved",
        (_, false) => "you moved",
    };
    html! {
        (thumbnail(text))
        span.position { (text) }
        small { (who) }
    }
}
