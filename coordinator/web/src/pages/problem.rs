//! Errors as pages.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use sproutnet_game::{self as game, Game, Position, PositionError};
use tokio::task::JoinError;

use super::layout::Page;
use super::words;
use sproutnet_coordinator::CoordinatorError;
use sproutnet_coordinator::with_causes;

/// Something that keeps a page from being shown.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    text: String,
    /// What was asked for, and the column that is wrong, counted in characters from 1.
    asked: Option<(String, Option<usize>)>,
}

impl Problem {
    /// What was asked for does not exist.
    pub(super) fn missing(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }

    /// What was sent cannot be used.
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// Our fault.
    pub(super) fn fault(error: &dyn Error) -> Self {
        let text = with_causes(error);
        tracing::error!("{text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self {
            status,
            text: text.into(),
            asked: None,
        }
    }

    /// Reads a position, with its game.
    ///
    /// # Errors
    /// The text is not a position; the problem says where.
    pub(super) fn unless_position(text: &str) -> Result<(Arc<dyn Game>, Position), Self> {
        game::parse(text).map_err(|error| {
            let (problem, column) = match error {
                PositionError::Parse(error) => (error.problem, Some(error.column)),
                error @ PositionError::UnknownGame(_) => (error.to_string(), None),
            };
            Self {
                asked: Some((text.to_owned(), column)),
                ..Self::bad(problem)
            }
        })
    }

    /// Why a text is no position, if it is none.
    pub(super) fn of_position(text: &str) -> Option<Self> {
        Self::unless_position(text).err()
    }

    fn title(&self) -> &'static str {
        match (self.status, &self.asked) {
            (StatusCode::NOT_FOUND, _) => "Not found",
            (StatusCode::BAD_REQUEST, Some(_)) => "Not a position",
            (StatusCode::BAD_REQUEST, None) => "Not understood",
            (StatusCode::CONFLICT, _) => "Not now",
            (StatusCode::SERVICE_UNAVAILABLE, _) => "No room",
            _ => "Something broke",
        }
    }

    fn content(&self) -> Markup {
        let asked = self.asked.as_ref().map(|(text, _)| text.as_str());
        html! {
            section.problem {
                h1 { (self.title()) }
                p.lead { (words::sentence_of(&self.text)) }
                @if let Some((text, column)) = &self.asked {
                    pre.asked tabindex="0" { code { (Caret(text, *column)) } }
                }
                @if self.status.is_server_error() {
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
}

impl From<JoinError> for Problem {
    fn from(error: JoinError) -> Self {
        Self::fault(&error)
    }
}

impl From<CoordinatorError> for Problem {
    fn from(error: CoordinatorError) -> Self {
        let status = match &error {
            CoordinatorError::Unknown(what) => {
                return Self::missing(format!("There is no such {what}"));
            }
            CoordinatorError::Invalid(_) => StatusCode::BAD_REQUEST,
            CoordinatorError::NotNow(_) => StatusCode::CONFLICT,
            CoordinatorError::Quarantined(_) => StatusCode::FORBIDDEN,
            CoordinatorError::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
            CoordinatorError::Store(_)
            | CoordinatorError::Document(..)
            | CoordinatorError::Checkpoints(_)
            | CoordinatorError::Search(_) => return Self::fault(&error),
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let page = Page {
            title: self.title(),
            refresh: None,
            signed_in: false,
        };
        (self.status, page.with(&self.content())).into_response()
    }
}

/// The page where there is none.
pub(super) async fn not_found() -> Problem {
    Problem::missing("There is no such page")
}

/// A text, and below it a caret under the column that is wrong. Long texts are shown around it.
struct Caret<'a>(&'a str, Option<usize>);

/// So many characters are shown on either side of the column.
const AROUND: usize = 30;

impl maud::Render for Caret<'_> {
    fn render(&self) -> Markup {
        html! { (self.to_string()) }
    }
}

impl fmt::Display for Caret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text, column) = *self;
        let at = column.unwrap_or(1).saturating_sub(1);
        let from = at.saturating_sub(AROUND);
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: String = text
            .chars()
            .skip(from)
            .take(2 * AROUND)
            .map(plain)
            .collect();
        let before = if from > 0 { "…" } else { "" };
        let is_cut = text.chars().count() > from + 2 * AROUND;
        let after = if is_cut { "…" } else { "" };
        write!(f, "{before}{shown}{after}")?;
        if column.is_some() {
            let indent = at - from + before.chars().count();
            write!(f, "\n{:indent$}^", "")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
