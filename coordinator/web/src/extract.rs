//! The parts of requests that handlers use.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath, Path, Query};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sproutnet_game::{self as game, Game, Position};
use utoipa::IntoParams;

use crate::access;
use crate::plain::plain;
use crate::problem::Problem;

/// The parameters in the query of a request.
pub(super) struct Asked<T>(pub(super) T);

/// The parameters in the path of a request.
pub(super) struct At<T>(pub(super) T);

/// The scheme and the host under which the client reaches this site, such as `https://example.org`; `None` if the request
/// does not say. Browsers may be told to ask anything there: it is for addresses that are shown to whoever asked.
pub(super) struct Origin(pub(super) Option<String>);

/// Whether this server itself speaks TLS.
#[derive(Clone, Copy)]
pub(super) struct Encrypted(pub(super) bool);

/// A part of a path that names something.
pub(super) trait Name: DeserializeOwned {
    /// The problem if the path names nothing.
    const MISSING: &'static str;
}

/// The position in the path of a page, as typed by a person.
pub(super) struct Typed(pub(super) Named);

/// The position in a path, or in the parameter `position` of a query.
pub(super) struct Named {
    /// The position as requested.
    pub(super) text: String,
    pub(super) game: Arc<dyn Game>,
    pub(super) position: Position,
}

/// The position in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PositionText {
    /// A position as `text` or `game:text`, percent-encoded. A number alone can be misread and is refused.
    #[param(min_length = 1, max_length = 6000, example = "0*3.1a1a")]
    position: String,
}

/// The number in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Numbered {
    /// The number of a computation.
    #[param(maximum = 9_007_199_254_740_991_i64)]
    pub(super) id: u64,
}

impl Name for String {
    const MISSING: &'static str = "there is no such page";
}

impl Name for Numbered {
    const MISSING: &'static str = "there is no such computation";
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::from_request_parts(parts, state).await;
        let Query(asked) = query.map_err(|error| {
            let text = error.body_text();
            let what = text.trim_start_matches("Failed to deserialize query string: ");
            Problem::of_parameter(format!("the query is invalid: {}", plain(what)))
        })?;
        Ok(Self(asked))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Origin {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // A proxy that takes off TLS says so.
        let outside = parts.headers.get("x-forwarded-proto");
        let is_encrypted = match outside.and_then(|value| value.to_str().ok()) {
            Some(schemes) => schemes.split(',').next().map(str::trim) == Some("https"),
            None => matches!(parts.extensions.get(), Some(Encrypted(true))),
        };
        let scheme = if is_encrypted { "https" } else { "http" };
        let host = access::host(&parts.uri, &parts.headers);
        Ok(Self(host.map(|host| format!("{scheme}://{host}"))))
    }
}

impl<T: Name + Send, S: Send + Sync> FromRequestParts<S> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::from_request_parts(parts, state).await;
        let Path(named) = path.map_err(|_| Problem::missing(T::MISSING))?;
        Ok(Self(named))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let is_in_path = parts.extensions.get::<MatchedPath>();
        let text = if is_in_path.is_some_and(|path| path.as_str().contains("{position}")) {
            in_path(parts, state).await?
        } else {
            let Asked(PositionText { position }) = Asked::from_request_parts(parts, state).await?;
            position
        };
        let (game, position) = position(&text)?;
        Ok(Self {
            text,
            game,
            position,
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Typed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let text = in_path(parts, state).await?;
        let (game, position) = position(&game::typed_in_form(&text))?;
        Ok(Self(Named {
            text,
            game,
            position,
        }))
    }
}

async fn in_path<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<String, Problem> {
    let path = Path::from_request_parts(parts, state).await;
    let path = path.map_err(|error| Problem::bad(error.body_text()));
    path.map(|Path(PositionText { position })| position)
}

/// Reads a position that a person typed into a form. Returns its text for programs.
///
/// # Errors
/// The text is not a position.
pub(super) fn typed(text: &str) -> Result<String, Problem> {
    let text = game::typed_in_form(text);
    position(&text)?;
    Ok(text.into_owned())
}

/// Reads a position from a program. Returns it with its game.
///
/// # Errors
/// The text is not a position.
pub(super) fn position(text: &str) -> Result<(Arc<dyn Game>, Position), Problem> {
    game::parse(text).map_err(|error| Problem::of_position(text, error))
}
