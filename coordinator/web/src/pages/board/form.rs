//! How a match begins.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::sheet::MOST_SPOTS;
use sproutnet_solver::play::Play;

use super::state::{Level, People};
use crate::extract::Asked;
use crate::links;
use crate::pages::Site;
use crate::pages::layout::{self, choice};
use crate::problem::Problem;

/// What the form sends.
#[derive(Deserialize)]
pub(in crate::pages) struct Start {
    spots: Option<usize>,
    play: Option<Play>,
    you: Option<People>,
    level: Option<Level>,
}

/// Leads to the match that the form asks for. Without one, shows the form.
pub(in crate::pages) async fn begin(
    State(site): State<Arc<Site>>,
    Asked(start): Asked<Start>,
) -> Result<Response, Problem> {
    match start.spots {
        Some(spots @ 1..=MOST_SPOTS) => {
            let play = start.play.unwrap_or(Play::Normal);
            let you = start.you.unwrap_or(People::First).name();
            let level = start.level.unwrap_or(Level::Perfect).name();
            let query = format!("play={play}&you={you}&level={level}");
            Ok(Redirect::to(&links::board(&spots.to_string(), "", &query)).into_response())
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

/// Leads on to the form, or to the match that it asks for.
pub(in crate::pages) async fn elsewhere(RawQuery(query): RawQuery) -> Redirect {
    Redirect::to(&links::with_query("/board", query.as_deref()))
}

/// The form.
pub(in crate::pages) fn section() -> Markup {
    let who = [
        ("first", "you begin"),
        ("second", "the solver begins"),
        ("both", "two people"),
    ];
    let levels = [
        ("perfect", "perfect"),
        ("careless", "careless"),
        ("random", "random"),
    ];
    let form = html! {
        form.ask.begin action="/board" {
            div.field {
                label for="spots" { "Spots" }
                input #spots name="spots" type="number" required min="1" max=(MOST_SPOTS)
                    value="5" inputmode="numeric";
            }
            (choice("Play", "play", &[("normal", "normal"), ("misere", "misère")]))
            (choice("Players", "you", &who))
            (choice("The solver is", "level", &levels))
            div.buttons { button { "Play" } }
        }
    };
    layout::section("play", "Play Sprouts", false, &form)
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
            p {
                "The perfect solver makes a winning move wherever it finds one. Where no move wins, it leaves \
                 you as few winning replies as it can. The careless one makes one move in three at random, \
                 the random one every move. Not all positions are solved: where the outcome is not known, \
                 the solver says so and chooses at random."
            }
        }
    }
}
