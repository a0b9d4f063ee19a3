//! The front page.

use std::sync::Arc;

use axum::extract::State;
use maud::{Markup, html};

use super::layout::Page;
use super::problem::Problem;
use super::table_picture::{self, ROW};
use super::{Site, computations, fleet, outcomes, play};

/// Without a script, the page reloads after that many seconds; text being typed is then lost.
const REFRESH: u32 = 30;

pub(super) async fn page(State(site): State<Arc<Site>>) -> Result<Markup, Problem> {
    let asked = site.ask(|coordinator, now| {
        let table = coordinator.queries.table("sprouts")?;
        Ok((
            table,
            coordinator.computations.list(),
            coordinator.state(now)?,
        ))
    });
    let (table, listed, state) = asked.await?;
    let tables = outcomes::of(table, &listed, ROW);
    let ended = listed
        .iter()
        .filter(|c| c.progress.status.has_ended())
        .count();
    let page = Page {
        title: "Who wins Sprouts?",
        refresh: Some(REFRESH),
        signed_in: site.access.wants_token(),
    };
    Ok(page.with(&html! {
        div.hero {
            h1 { "Who wins Sprouts?" }
            p {
                "Two players join spots by lines that do not cross; no spot takes more than three. This \
                 coordinator proves who wins, and keeps every proof."
            }
        }
        (table_picture::picture(&tables))
        (fleet::cards(&state, listed.len() - ended, ended))
        (ask())
        (play::form_section())
        (computations::section(&listed))
        (fleet::table(&state))
    }))
}

/// The form to ask about a position, and to have it solved.
fn ask() -> Markup {
    html! {
        section #ask aria-labelledby="ask-title" {
            h2 #ask-title { "Ask about a position" }
            form.ask method="post" action="/computations" {
                div.field.wide {
                    label for="position" { "Position" }
                    input #position name="position" required autocomplete="off" autocapitalize="none"
                        spellcheck="false" placeholder="0*8" aria-describedby="position-help";
                    p #position-help .help {
                        "Such as " code { "0*8" } " for eight spots, " code { "0*3.1a1a" }
                        " after the first line, " code { "0*3.AB|0.AB" } " after a loop."
                    }
                }
                fieldset {
                    legend { "Play" }
                    @for (value, name) in [("normal", "normal"), ("misere", "misère"), ("both", "both")] {
                        label {
                            input type="radio" name="play" value=(value) checked[value == "normal"];
                            (name)
                        }
                    }
                }
                div.buttons {
                    button { "Solve" }
                    button.second formmethod="get" formaction="/positions" { "Look it up" }
                }
            }
        }
    }
}
