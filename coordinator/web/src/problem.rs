//! Problems: requests without an answer. The API shows a problem as JSON, the pages show it as a page.

mod code;

use std::error::Error;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use sproutnet_coordinator::CoordinatorError;
use sproutnet_drawing::Point;
use sproutnet_game::PositionError;
use sproutnet_notation::brief::brief;
use sproutnet_system::causes::with_causes;
use tokio::task::JoinError;
use utoipa::ToSchema;

pub(super) use code::Code;

/// The reason why there is no answer. It travels as an extension of the response to the layer that shows it.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) status: StatusCode,
    /// The kind of problem.
    code: Code,
    /// What is wrong, as the end of a sentence.
    pub(super) text: String,
    /// The text that is not a position, and the reason.
    pub(super) position: Option<(String, PositionError)>,
    /// The place on the sheet of a match that the reason is about.
    pub(super) place: Option<Point>,
}

/// Why there is no answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(super) struct Body {
    /// What is wrong, for people. The words may change.
    error: String,
    code: Code,
    /// The column of the fault in the position, in characters from 1.
    #[schema(minimum = 1, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Problem {
    /// A problem with this status.
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        let (text, position) = (text.into(), None);
        Self {
            status,
            code: Code::of(status),
            text,
            position,
            place: None,
        }
    }

    /// The same of another kind than is usual for its status.
    pub(super) fn with(self, code: Code) -> Self {
        Self { code, ..self }
    }

    /// The request is invalid.
    pub(super) fn bad(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    /// There is no such thing.
    pub(super) fn missing(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, text)
    }

    /// A parameter is wrong.
    pub(super) fn of_parameter(text: impl Into<String>) -> Self {
        Self::bad(text).with(Code::InvalidParameter)
    }

    /// The coordinator failed.
    pub(super) fn fault(error: &dyn Error) -> Self {
        let text = with_causes(error);
        tracing::error!("{text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// A text is not a position.
    pub(super) fn of_position(text: &str, error: PositionError) -> Self {
        let mut problem = Self::bad(error.to_string()).with(Code::InvalidPosition);
        problem.position = Some((text.to_owned(), error));
        problem
    }

    /// The problem as JSON.
    pub(super) fn into_json(self) -> Response {
        let again = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
        ];
        let mut headers = HeaderMap::new();
        if again.contains(&self.status) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        (self.status, headers, Json(self.body())).into_response()
    }

    /// The content of the JSON answer.
    pub(super) fn body(&self) -> Body {
        Body {
            error: brief(&self.text),
            code: self.code,
            column: self.column(),
        }
    }

    /// The column of the fault in the position, in characters from 1.
    pub(super) fn column(&self) -> Option<usize> {
        match &self.position {
            Some((_, PositionError::Parse(error))) => Some(error.column),
            _ => None,
        }
    }
}

impl From<sproutnet_board::Problem> for Problem {
    fn from(problem: sproutnet_board::Problem) -> Self {
        use sproutnet_board::Problem as Of;
        match problem {
            Of::Bad(text) => Self::bad(text),
            Of::Missing(text) => Self::missing(text),
            Of::Conflict(text) => Self::new(StatusCode::CONFLICT, text),
            Of::Refused { why, at } => Self {
                place: at,
                ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, why)
            },
            Of::Position(text, error) => Self::of_position(&text, error),
            Of::Solver(error) => match error.downcast::<CoordinatorError>() {
                Ok(error) => Self::from(*error),
                Err(error) => Self::fault(&*error),
            },
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
                return Self::missing(format!("there is no such {what}"));
            }
            CoordinatorError::UnknownSource(_) => return Self::missing(error.to_string()),
            CoordinatorError::Invalid(_) => StatusCode::BAD_REQUEST,
            CoordinatorError::NotNow(_) | CoordinatorError::Stopped => StatusCode::CONFLICT,
            CoordinatorError::Quarantined(_) => StatusCode::FORBIDDEN,
            CoordinatorError::Denied(why) => {
                let problem = Self::new(StatusCode::FORBIDDEN, why.clone());
                return problem.with(Code::InsufficientRole);
            }
            CoordinatorError::Full(_) => StatusCode::TOO_MANY_REQUESTS,
            CoordinatorError::TooLong(_) | CoordinatorError::TooSlow(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            CoordinatorError::DiskFull(_) => StatusCode::INSUFFICIENT_STORAGE,
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
        (self.status, Extension(self)).into_response()
    }
}
