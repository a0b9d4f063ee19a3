//! The help: the rules, the notation, verdicts, and the [`glossary`].

mod glossary;

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, html};
use sproutnet_game::{self as game, Game};

use super::{Site, words};
use crate::links;

/// Positions that show the notation, with explanations of their drawings.
const SHOWN: [(&str, &str); 7] = [
    (
        "0*3",
        "The start with three spots. `0` is a spot without lines.",
    ),
    (
        "0.1a1a",
        "Two of them are joined. The ends of the line are `1`s. The new spot in its middle is met on both sides of the line, \
         so it is a pair of letters.",
    ),
    (
        "0.AB|0.AB",
        "Instead, a loop around one of them. `|` separates the two regions. The spots on the loop lie between \
         both, so each is a pair of capital letters.",
    ),
    (
        "0.1a2a",
        "A loop at one end of that line. The end has three lines now, so it is dead and not written. The new spot on the loop is \
         a `2`: it is met once, because nothing is left to join inside the loop.",
    ),
    (
        "1a1a.1a1a",
        "Four spots, joined two by two. Each line is a boundary of the region. Small letters belong to their boundary, so \
         that each can have an `a`.",
    ),
    (
        "0.1a1a+0*2",
        "Two parts that no line can join any more: `+` separates these lands.",
    ),
    ("!", "The end: no move is left."),
];

/// The positions before and after a move.
const MOVE: [&str; 2] = ["0*3", "0.1a1a"];

pub(super) async fn page(State(site): State<Arc<Site>>) -> Markup {
    let content = html! {
        h1 { "Help" }
        div.guide {
            nav aria-label="On this page" {
                a href="#rules" { "Rules" }
                a href="#notation" { "Notation" }
                a href="#verdicts" { "Verdicts" }
                a href="#ways" { "Keys and programs" }
                a href="#glossary" { "Glossary" }
            }
            div {
                (rules())
                (notation())
                (verdicts())
                (ways())
                (glossary::section())
            }
        }
    };
    site.page("Help", None, &content)
}

fn rules() -> Markup {
    html! {
        section aria-labelledby="rules" {
            h2 #rules { "Rules" }
            div.beside {
                div {
                    p {
                        "Sprouts begins with some spots. Two players move in turn. A move draws a line from a spot to another \
                         or to itself, and puts a new spot on it. Lines never cross, and at most three lines meet in a spot."
                    }
                    p {
                        "Under " (term("normal-play", "normal play")) ", the player who moves last wins. Under misère play, \
                         that player loses. The " a href="/lesson" { "lesson" } " teaches the game in five steps."
                    }
                }
                figure.move {
                    (picture(MOVE[0]))
                    span aria-hidden="true" { "→" }
                    (picture(MOVE[1]))
                    figcaption { "A move: a line joins two of the three spots, and a new spot is put on it." }
                }
            }
        }
    }
}

fn notation() -> Markup {
    html! {
        section aria-labelledby="notation" {
            h2 #notation { "Notation" }
            p {
                "The lines of a drawing cut the plane into regions. A position lists the regions, a region lists its boundaries \
                 with " code { "." } " between them, and a boundary lists the spots that you meet when you walk along it. A spot \
                 with three lines is dead and is not written. In a drawing, the dots in a spot are the lines that it can still take."
            }
            ul.shown {
                @for (text, told) in SHOWN {
                    li {
                        figure {
                            // There is nothing to draw at the end.
                            @if text != "!" { (picture(text)) }
                            figcaption { (words::position(text)) p { (glossary::inline(told)) } }
                        }
                    }
                }
            }
            p {
                "In a form, a number alone is that many spots. A land of digits alone ends with " code { "}" } ": "
                code { "12}" } " is a boundary of two spots. Each position has one " (term("canonical-form", "canonical form"))
                ", in which it is shown."
            }
            details {
                summary { "Other games" }
                dl.terms {
                    @for game in game::all().iter().filter(|game| game.name() != "sprouts") { (other(&**game)) }
                }
            }
        }
    }
}

fn picture(text: &str) -> Markup {
    html! {
        img src=(links::drawing(text, false)) alt=(format!("Drawing of {text}")) loading="lazy" decoding="async"
            width="240" height="180";
    }
}

/// Another game: its rules and its notation, with an example.
fn other(game: &dyn Game) -> Markup {
    let example = game.info().examples.first();
    let example = example.map(|text| game::qualified(game, text));
    html! {
        dt { (game.name()) }
        dd {
            (words::sentence_of(game.info().rules)) " Written " code { (game.info().notation) }
            @if let Some(text) = example { ", such as " (words::position(&text)) }
            "."
        }
    }
}

fn verdicts() -> Markup {
    html! {
        section aria-labelledby="verdicts" {
            h2 #verdicts { "Verdicts" }
            div.columns {
                p {
                    span.badge.win { "win" } " The player to move can win, whatever the other does. "
                    span.badge.loss { "loss" } " Every move loses against best play. In a list of moves, a move that wins leads to a \
                     position that is lost for the other player."
                }
                p {
                    "An outcome is shown only if it is proved or published; else it is unknown or in progress, never a guess. Each says \
                     where it comes from: solved here, following from facts proved here, proved by Sproutnet elsewhere with a "
                    (term("certificate", "certificate")) ", or published by others (" a href="/references" { "references" }
                    "). ✓ means that the checker of certificates confirmed it."
                }
                p {
                    "Under normal play a position has a " (term("nimber", "nimber")) ": 0 is a loss, everything else a win. Under misère \
                     play a small position has a " (term("genus", "genus")) ". A computation that goes on shows its "
                    (term("proof-number", "proof numbers")) "."
                }
            }
        }
    }
}

fn ways() -> Markup {
    html! {
        section aria-labelledby="ways" {
            h2 #ways { "Keys and programs" }
            div.columns {
                p {
                    "All pages work with the keyboard alone: Tab goes to the next link, spot or button, and Enter presses it. On the board, \
                     type the number of a spot to choose it, and use the arrow keys to go through the ways to join two \
                     spots. Escape begins elsewhere. The back button takes back a move of a match."
                }
                p {
                    "A position can also be drawn: the " a href="/editor" { "editor" } " begins with an empty sheet or with a text, \
                     takes spots, crosses and lines, and says what the position is and who wins it. A line there is just a line, without a new spot. On a computer, Delete \
                     removes the spot or the line that has the focus, and Control with Z undoes."
                }
                p {
                    "Two people can play on two devices: on the " a href="/board" { "board" } ", “Invite somebody” makes a match with \
                     an address that both open. “Share” makes a short address of the match as it is, to show it to others."
                }
                p {
                    "Programs get the same as JSON: " code { "GET /api/v1/positions/0*8" } ". The page "
                    a href="/api" { "The API" } " lists what they can ask, with examples; the contract is "
                    a href="/api/v1/openapi.json" { "openapi.json" } "; there is a client for Python, and figures for Prometheus at "
                    a href="/metrics" { "/metrics" } "."
                }
            }
        }
    }
}

/// A word as a link to its term in the glossary.
fn term(id: &str, text: &str) -> Markup {
    html! { a href=(format!("#{id}")) { (text) } }
}
