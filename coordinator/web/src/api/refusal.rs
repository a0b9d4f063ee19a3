//! Errors as JSON.

use std::error::Error;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sproutnet_game::PositionError;
use tokio::task::JoinError;
use utoipa::ToSchema;

use sproutnet_coordinator::{CoordinatorError, with_causes};

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    body: Body,
}

/// Why there is no answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub(super) struct Body {
    /// What is wrong.
    error: String,
    /// The column of the fault in the position, in characters from 1.
    #[schema(minimum = 1, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl Refusal {
    fn new(status: StatusCode, error: impl Into<String>) -> Self {
        let error = error.into();
        let column = None;
        Self {
            status,
            body: Body { error, column },
        }
    }

    /// What was sent cannot be used.
    pub(super) fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// There is no such thing.
    pub(super) fn missing(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error)
    }

    /// There is, but one cannot do that with it.
    pub(super) fn method() -> Self {
        let error = "this method is not allowed here; /api/v1/openapi.json lists what is";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, error)
    }

    /// Too much is being asked at a time.
    pub(super) fn busy() -> Self {
        let error = "too many requests at a time; retry in a second";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// Our fault.
    pub(super) fn fault(error: &dyn Error) -> Self {
        let text = with_causes(error);
        tracing::error!("{text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// How a body or a query of a request cannot be read.
    pub(super) fn unreadable(status: StatusCode, text: String) -> Self {
        let status = match status {
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNSUPPORTED_MEDIA_TYPE => status,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, text)
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Self {
        let column = match &error {
            PositionError::Parse(error) => Some(error.column),
            PositionError::UnknownGame(_) => None,
        };
        let mut refusal = Self::bad(error.to_string());
        refusal.body.column = column;
        refusal
    }
}

impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Self {
        Self::fault(&error)
    }
}

impl From<CoordinatorError> for Refusal {
    fn from(error: CoordinatorError) -> Self {
        let status = match &error {
            CoordinatorError::Unknown(_) => StatusCode::NOT_FOUND,
            CoordinatorError::Invalid(_) => StatusCode::BAD_REQUEST,
            CoordinatorError::NotNow(_) => StatusCode::CONFLICT,
            CoordinatorError::Quarantined(_) => StatusCode::FORBIDDEN,
            CoordinatorError::Full(_) => StatusCode::TOO_MANY_REQUESTS,
            CoordinatorError::Store(_)
            | CoordinatorError::Document(..)
            | CoordinatorError::Checkpoints(_)
            | CoordinatorError::Search(_) => return Self::fault(&error),
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if matches!(
            self.status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
