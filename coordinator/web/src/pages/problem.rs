//! Problems as pages.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use sproutnet_game::PositionError;

use super::layout;
use super::words::{sentence_of, when};
use crate::problem::Problem;

/// Shows a problem as a page.
pub(crate) async fn as_page(mut response: Response) -> Response {
    let Some(mut problem) = response.extensions_mut().remove::<Problem>() else {
        return response;
    };
    if problem.status == StatusCode::TOO_MANY_REQUESTS {
        problem.status = StatusCode::SERVICE_UNAVAILABLE;
    }
    let page = layout::page(title(&problem), None, false, &content(&problem));
    (problem.status, page).into_response()
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
        StatusCode::CONFLICT => "Not now",
        StatusCode::SERVICE_UNAVAILABLE => "No room",
        _ => "Something broke",
    }
}

fn content(problem: &Problem) -> Markup {
    let text = match &problem.position {
        // The caret shows the column.
        Some((_, PositionError::Parse(error))) => &error.problem,
        _ => &problem.text,
    };
    let asked = problem.position.as_ref().map(|(text, _)| text.as_str());
    html! {
        section.problem {
            h1 { (title(problem)) }
            p.lead { (sentence_of(text)) }
            @if let Some(text) = asked {
                pre.asked tabindex="0" { code { (caret(text, problem.column())) } }
            }
            @if problem.status.is_server_error() {
                p { "Try again in a moment. The log of the coordinator has details." }
            }
            form.ask action="/positions" {
                div.field.wide {
                    label for="position" { "Position" }
                    input #position name="position" required value=(asked.unwrap_or(""))
                        autocomplete="off" autocapitalize="none" spellcheck="false"
                        placeholder="0*8";
                }
                div.buttons { button { "Look it up" } }
            }
            p { a href="/" { "To the tables" } }
        }
    }
}

/// The number of characters on either side of a faulty column.
const AROUND: usize = 30;

/// A text, and below it a caret under the faulty column. Of a long text, only the part around it.
fn caret(text: &str, column: Option<usize>) -> String {
    let at = column.unwrap_or(1).saturating_sub(1);
    let from = at.saturating_sub(AROUND);
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = text
        .chars()
        .skip(from)
        .take(2 * AROUND)
        .map(plain)
        .collect();
    let before = when(from > 0, "…");
    let after = when(text.chars().count() > from + 2 * AROUND, "…");
    let caret = column.map(|_| {
        let indent = at - from + before.chars().count();
        format!("\n{:indent$}^", "")
    });
    format!("{before}{shown}{after}{}", caret.unwrap_or_default())
}

#[cfg(test)]
mod tests;
