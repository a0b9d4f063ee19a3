//! Problems as pages.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use sproutnet_game::PositionError;
use sproutnet_notation::brief::{brief, with_caret};

use super::layout;
use super::words::sentence_of;
use crate::problem::Problem;

/// Shows a problem as a page.
pub(crate) async fn as_page(request: Request, next: Next) -> Response {
    let way_on = way_on(request.uri().path());
    let mut response = next.run(request).await;
    let Some(mut problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    if problem.status == StatusCode::TOO_MANY_REQUESTS {
        problem.status = StatusCode::SERVICE_UNAVAILABLE;
    }
    let page = layout::page(
        title(&problem),
        None,
        None,
        false,
        &content(&problem, way_on),
    );
    (problem.status, page).into_response()
}

/// A link: its address and its text.
type Link = (&'static str, &'static str);

/// The link that leads on from a problem at a path. Elsewhere, a position can be looked up.
fn way_on(path: &str) -> Option<Link> {
    match path.split('/').nth(1)? {
        "board" | "match" => Some(("/board", "Begin a match")),
        "editor" => Some(("/editor", "To an empty sheet")),
        "lesson" => Some(("/lesson", "To the lesson")),
        "puzzles" => Some(("/puzzles", "To the puzzles")),
        _ => None,
    }
}

/// The problem of a page that does not exist.
pub(super) async fn not_found() -> Problem {
    Problem::missing("there is no such page")
}

fn title(problem: &Problem) -> &'static str {
    match problem.status {
        StatusCode::NOT_FOUND => "Not found",
        StatusCode::BAD_REQUEST if problem.position.is_some() => "Not a position",
        StatusCode::BAD_REQUEST => "Not understood",
        StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED => "Not allowed",
        StatusCode::CONFLICT => "Not now",
        StatusCode::UNPROCESSABLE_ENTITY => "Not possible",
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::INSUFFICIENT_STORAGE => "No room",
        _ => "Something broke",
    }
}

fn content(problem: &Problem, way_on: Option<Link>) -> Markup {
    let text = match &problem.position {
        // The caret shows the column.
        Some((_, PositionError::Parse(error))) => &error.problem,
        _ => &problem.text,
    };
    let asked = problem.position.as_ref().map(|(text, _)| text.as_str());
    // A text that is too long to show is too long to correct here.
    let to_correct = asked.filter(|text| brief(text) == *text);
    html! {
        // The script of the board draws a ring at the place where a line drawn by hand was refused.
        section.problem data-at=[problem.place.map(|at| format!("{} {}", at.x, at.y))] {
            h1 { (title(problem)) }
            p.lead { (sentence_of(&brief(text))) }
            @if let Some(text) = asked {
                pre.asked tabindex="0" { code { (with_caret(text, problem.column())) } }
            }
            @if problem.status.is_server_error() {
                p { "Try again in a moment. The log of the coordinator has details." }
            }
            @match way_on {
                Some((to, name)) => p { a.button href=(to) { (name) } },
                None => form.ask action="/positions" {
                    div.field.wide {
                        label for="position" { "Position" }
                        input #position name="position" required value=(to_correct.unwrap_or(""))
                            autocomplete="off" autocapitalize="none" spellcheck="false"
                            placeholder="0*8";
                    }
                    div.buttons { button { "Look it up" } }
                },
            }
            p { a href="/" { "To the tables" } }
        }
    }
}

#[cfg(test)]
mod tests;
