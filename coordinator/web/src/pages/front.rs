//! The front page.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, html};

use super::layout::{Script, choice, section};
use super::{Site, board, computations, fleet, tables};
use crate::problem::Problem;

pub(super) async fn page(State(site): State<Arc<Site>>) -> Result<Markup, Problem> {
    let asked = site.ask(|coordinator, now| {
        let (table, _) = coordinator.queries.table("sprouts", now)?;
        Ok((
            table,
            coordinator.computations.list(now),
            coordinator.state(now)?,
        ))
    });
    let (table, listed, state) = asked.await?;
    let board = board::first(&site)?;
    let tables = tables::of(table, &listed);
    let ended = listed
        .iter()
        .filter(|of| of.progress.status.has_ended())
        .count();
    let content = html! {
        div.opening {
            div.hero {
                h1 { "Who wins Sprouts?" }
                p {
                    "Two players take turns to join spots by lines that do not cross; each line gets a new spot, and \
                     no spot takes more than three lines. A player who cannot move has lost."
                }
                p { "Draw a line from spot to spot: the solver replies. Or look up who wins." }
            }
            (board)
            div {
                (ask())
                p {
                    a href="/lesson" { "Learn the game in five lines" } ", "
                    a href="/puzzles" { "find the only winning move" } ", or "
                    a href="/board" { "begin another match" } "."
                }
            }
        }
        (tables::picture(&tables))
        (fleet::cards(&state, listed.len() - ended, ended))
        (computations::list(&listed))
        (fleet::table(&state))
    };
    Ok(site.page("Who wins Sprouts?", Some(Script::Front), &content))
}

/// The conventions that the form offers.
const PLAYS: [(&str, &str); 3] = [("normal", "normal"), ("misere", "misère"), ("both", "both")];

/// The form to ask about a position, and to have it solved.
fn ask() -> Markup {
    let form = html! {
            form.ask action="/positions" {
                div.field.wide {
                    label for="position" { "Position" }
                    input #position name="position" required autocomplete="off" autocapitalize="none"
                        spellcheck="false" placeholder="0*8" aria-describedby="position-help";
                    p #position-help .help {
                        "For example, " code { "0*8" } " is eight spots, " code { "0*3.1a1a" }
                        " is five spots after the first line, and " code { "0*3.AB|0.AB" } " after a loop. Or " a href="/editor" { "draw it" } "."
                    }
                }
                (choice("Play", "play", &PLAYS))
            div.buttons {
                    button { "Look it up" }
                    button.second formmethod="post" formaction="/computations" { "Solve" }
                }
            }
    };
    section("ask", "Ask about a position", false, &form)
}
