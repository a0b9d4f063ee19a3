//! How a match begins.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_game::Sprouts;
use sproutnet_solver::play::Play;

use super::state::Side;
use crate::extract::Asked;
use crate::links;
use crate::pages::Site;
use crate::pages::layout::{self, choice};
use crate::problem::Problem;

/// The maximum number of spots at the start of a match.
const MOST_SPOTS: u32 = 10;

/// What the form sends.
#[derive(Deserialize)]
pub(in crate::pages) struct Start {
    spots: Option<u32>,
    play: Option<Play>,
    you: Option<Side>,
}

/// Leads to the match that the form asks for. Without one, shows the form.
pub(in crate::pages) async fn begin(
    State(site): State<Arc<Site>>,
    Asked(start): Asked<Start>,
) -> Result<Response, Problem> {
    match start.spots {
        Some(spots @ 1..=MOST_SPOTS) => {
            let play = start.play.unwrap_or(Play::Normal);
            let you = start.you.unwrap_or(Side::First).name();
            let to = links::a_match(&Sprouts::start(spots), play, you, "", "");
            Ok(Redirect::to(&to).into_response())
        }
        Some(_) => Err(Problem::bad(format!(
            "a number of spots from 1 to {MOST_SPOTS} is expected"
        ))),
        None => {
            let content = html! { (section()) (rules()) };
            Ok(site.page("Play Sprouts", None, &content).into_response())
        }
    }
}

/// The form.
pub(in crate::pages) fn section() -> Markup {
    let form = html! {
            form.ask.begin action="/play" {
                div.field {
                    label for="spots" { "Spots" }
                    input #spots name="spots" type="number" required min="1" max=(MOST_SPOTS)
                        value="5" inputmode="numeric";
                }
                (choice("Play", "play", &[("normal", "normal"), ("misere", "misère")]))
            (choice("Who begins", "you", &[("first", "you"), ("second", "the solver")]))
            div.buttons { button { "Play" } }
            }
    };
    layout::section("play", "Play against the solver", false, &form)
}

fn rules() -> Markup {
    html! {
        section aria-labelledby="rules-title" {
            h2 #rules-title { "The rules" }
            p {
                "Join two spots by a line, or a spot to itself, and put a new spot on the line. Lines do \
                 not cross, and no spot takes more than three lines."
            }
            p {
                "In normal play the player who makes the last move wins; in misère play that player loses."
            }
        }
    }
}
