//! The words by which programs tell errors apart.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// What kind of problem it is, for programs. The words are part of the API: none changes its meaning, more may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = Code)]
pub(crate) enum Code {
    /// 400: the body is no JSON, or not the object that is expected.
    InvalidBody,
    /// 400: a parameter is unknown, missing, or out of bounds.
    InvalidParameter,
    /// 400: the text is not a position.
    InvalidPosition,
    /// 400: what is asked is not possible, such as a nimber under misère play.
    InvalidRequest,
    /// 401: the coordinator requires a token, and the request shows none.
    TokenMissing,
    /// 401: the request shows another token.
    TokenWrong,
    /// 403: the role of the token does not allow the request.
    InsufficientRole,
    /// 403: the coordinator serves only its own machine, and was asked under another name.
    ForeignHost,
    /// 403: a page of another site would change something.
    OtherSite,
    /// 403: not allowed for another reason.
    Forbidden,
    /// 404: there is no such thing.
    NotFound,
    /// 405: this address knows other methods.
    MethodNotAllowed,
    /// 408: the body took too long to arrive, or the answer too long to make.
    Timeout,
    /// 409: the computation has ended, so it cannot be paused; or it is solved, so it cannot be resumed.
    Conflict,
    /// 413: the body has too many bytes or lines.
    TooLarge,
    /// 415: the body has another Content-Type than the one that is expected.
    UnsupportedType,
    /// 415: the body has a Content-Encoding; it is to be sent as it is.
    UnsupportedEncoding,
    /// 422: not possible within the limits.
    Unprocessable,
    /// 429: there is no room for more.
    Full,
    /// 500: a fault of the coordinator.
    Internal,
    /// 503: too many requests at a time.
    Busy,
    /// 503: the store is not open yet.
    NotReady,
    /// 507: the disk of the coordinator is full.
    DiskFull,
}

impl Code {
    /// The usual code of errors with this status.
    pub(super) fn of(status: StatusCode) -> Self {
        match status {
            StatusCode::BAD_REQUEST => Self::InvalidRequest,
            StatusCode::UNAUTHORIZED => Self::TokenMissing,
            StatusCode::FORBIDDEN => Self::Forbidden,
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::REQUEST_TIMEOUT => Self::Timeout,
            StatusCode::CONFLICT => Self::Conflict,
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::UnsupportedType,
            StatusCode::UNPROCESSABLE_ENTITY => Self::Unprocessable,
            StatusCode::TOO_MANY_REQUESTS => Self::Full,
            StatusCode::SERVICE_UNAVAILABLE => Self::Busy,
            StatusCode::INSUFFICIENT_STORAGE => Self::DiskFull,
            _ => Self::Internal,
        }
    }
}
