//! The text of a match between two devices.

use maud::{Markup, html};
use sproutnet_board::state::{Match, Mover, Seat};
use sproutnet_board::talk::{how_it_ended, ordinal, rule, title};

use crate::links;

/// The state of a match between two devices.
pub(super) fn between_two(game: &Match) -> Markup {
    let Some(place) = &game.place else {
        return html! {};
    };
    let winner = game.winner();
    let class = match winner {
        Some(Mover::Other) => "loss",
        Some(_) => "win",
        None => "",
    };
    let who = match place.side {
        Some(0) => "You are the first player.",
        Some(_) => "You are the second player.",
        None => "You watch.",
    };
    html! {
        p.above { a href="/board" { "Play" } " / on two devices" }
        div.verdict.(class) {
            h1 { (title(game)) }
            @if winner.is_some() { p.lead { (how_it_ended(game)) } }
            p.source { (rule(game.terms.play)) " " (who) }
        }
        // The time that passed is not read out again and again.
        p #presence .help role="status" { span {} " " span aria-live="off" {} }
        @if game.may_resign() {
            details {
                summary { "Resign" }
                form.resign method="post" action=(format!("{}/resign", game.link())) {
                    p { "The other player wins, and no more lines can be drawn." }
                    button.second { "Resign this match" }
                }
            }
        }
        @if let (Some(side), true) = (place.side, winner.is_some()) { (rematch(place, side)) }
        @match (place.side, place.free.is_none()) {
            (_, true) => {}
            // The form to join is above the board.
            (None, false) => {}
            (Some(side), false) => {
                @let other = ordinal(1 - side);
                p {
                    "There is no " (other) " player yet. Send the address of this page to somebody. The first person who \
                     opens it can be the " (other) " player; all others watch."
                }
                div.field.by-hand-field {
                    label for="address" { "The address" }
                    input #address readonly value="";
                    button #copy .second.by-hand type="button" { "Copy" }
                }
            }
        }
        p.by-links { "While the other player is to move, this page loads again every 5 seconds." }
    }
}

/// The offer of another match with the seats exchanged, to the player with this index.
fn rematch(place: &Seat, side: usize) -> Markup {
    let new_side = ordinal(1 - side);
    let action = format!("{}/rematch", links::shared(&place.name, ""));
    html! {
        div #rematch role="status" {
            @match &place.rematch {
                None => form method="post" action=(action) {
                    div.buttons { button { "Rematch" } }
                    p.help {
                        "A new match, in which you are the " (new_side) " player. This page shows it to the other player."
                    }
                },
                Some(offered) if offered.is_open => form method="post" action=(action) {
                    p { "The other player offers a rematch, in which you are the " (new_side) " player." }
                    div.buttons { button { "Accept the rematch" } }
                },
                Some(offered) => div.buttons {
                    a.button href=(links::shared(&offered.name, "")) { "Go to the rematch" }
                },
            }
        }
    }
}

/// The form to take the free seat of a match between two devices.
pub(super) fn join(game: &Match) -> Markup {
    let free = game.place.as_ref().filter(|place| place.side.is_none());
    let Some(free) = free.and_then(|place| place.free) else {
        return html! {};
    };
    html! {
        div #join {
            p { "There is no " (ordinal(free)) " player yet." }
            form method="post" action=(format!("{}/join", game.link())) {
                button { "Be the " (ordinal(free)) " player" }
            }
        }
    }
}
