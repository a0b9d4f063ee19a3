//! How a match begins.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_game::{Game, Sprouts};
use sproutnet_solver::play::Play;

use super::state::Side;
use super::talk;
use crate::links;
use crate::pages::layout::Page;
use crate::pages::problem::Problem;
use crate::pages::{Site, words};

/// The most spots that a match begins with.
const MOST_SPOTS: u32 = 10;

/// What the form says.
#[derive(Deserialize)]
pub(in crate::pages) struct Asked {
    spots: Option<u32>,
    play: Option<Play>,
    you: Option<Side>,
}

/// Leads to the match asked for; asks if there is none.
pub(in crate::pages) async fn begin(
    State(site): State<Arc<Site>>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Problem> {
    let expected = format!("a number of spots from 1 to {MOST_SPOTS} is expected");
    let Query(asked) = asked.map_err(|_| Problem::bad(&*expected))?;
    match asked.spots {
        Some(spots @ 1..=MOST_SPOTS) => {
            let play = asked.play.unwrap_or(Play::Normal);
            let you = asked.you.unwrap_or(Side::First).name();
            let to = links::a_match(&Sprouts.start_text(spots), play, you, "", "");
            Ok(Redirect::to(&to).into_response())
        }
        Some(_) => Err(Problem::bad(expected)),
        None => {
            let page = Page {
                title: "Play Sprouts",
                refresh: None,
                signed_in: site.access.wants_token(),
            };
            Ok(page.with(&html! { (section()) (rules()) }).into_response())
        }
    }
}

/// The form.
pub(in crate::pages) fn section() -> Markup {
    html! {
        section #play aria-labelledby="play-title" {
            h2 #play-title { "Play against the solver" }
            form.ask.begin action="/play" {
                div.field {
                    label for="spots" { "Spots" }
                    input #spots name="spots" type="number" required min="1" max=(MOST_SPOTS)
                        value="5" inputmode="numeric";
                }
                fieldset {
                    legend { "Play" }
                    @for play in Play::ALL {
                        label {
                            input type="radio" name="play" value=(play) checked[play == Play::Normal];
                            (words::play(play))
                        }
                    }
                }
                fieldset {
                    legend { "Who begins" }
                    @for side in [Side::First, Side::Second] {
                        label {
                            input type="radio" name="you" value=(side.name())
                                checked[side == Side::First];
                            (talk::side(side))
                        }
                    }
                }
                div.buttons { button { "Play" } }
            }
        }
    }
}

fn rules() -> Markup {
    html! {
        section aria-labelledby="rules-title" {
            h2 #rules-title { "The rules" }
            p {
                "Join two spots by a line, or a spot to itself, and put a new spot on the line. Lines do \
                 not cross, and no spot takes more than three."
            }
            p {
                "Under normal play the player who makes the last move wins; under misère play that player loses."
            }
        }
    }
}
