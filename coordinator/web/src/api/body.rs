//! The bodies of requests, read whole within bounds of size, time and memory.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::StreamExt;

use super::busy;
use crate::plain::plain;
use crate::problem::{Code, Problem};

/// The time limit for a body to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// The maximum memory of all bodies that arrive or are being answered, in KiB.
const ROOM: usize = 64 * 1024;

/// The memory that a body takes at least, in KiB, with the buffers of its answer.
const LEAST: u32 = 256;

/// The room for bodies. Further ones are refused with 503.
pub(super) struct Bodies(Arc<Semaphore>);

/// A body, and the room that it takes.
pub(super) struct Whole {
    pub(super) bytes: Bytes,
    pub(super) room: OwnedSemaphorePermit,
}

impl Default for Bodies {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(ROOM)))
    }
}

impl Bodies {
    /// Reads a body of this type and maximum size.
    ///
    /// # Errors
    /// It is of another type, encoded, too large, too slow, or there is no room for it.
    pub(super) async fn read(
        &self,
        request: Request,
        kind: &str,
        most: usize,
    ) -> Result<Whole, Problem> {
        check(request.headers(), kind)?;
        let arrived = self.collect(request.into_body(), most);
        let arrived = tokio::time::timeout(ARRIVAL, arrived).await;
        arrived.unwrap_or_else(|_| {
            let seconds = ARRIVAL.as_secs();
            let text =
                format!("the body took more than {seconds} seconds to arrive; send less at a time");
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, text))
        })
    }

    async fn collect(&self, body: Body, most: usize) -> Result<Whole, Problem> {
        if body.size_hint().lower() > most as u64 {
            return Err(too_large(&format!("{most} bytes")));
        }
        let mut room = self.room(LEAST)?;
        let mut bytes = Vec::new();
        let mut parts = body.into_data_stream();
        while let Some(part) = parts.next().await {
            let part = part.map_err(|error| {
                Problem::bad(format!("the body broke off: {error}")).with(Code::InvalidBody)
            })?;
            let size = bytes.len() + part.len();
            if size > most {
                return Err(too_large(&format!("{most} bytes")));
            }
            let more = size.div_ceil(1024).saturating_sub(room.num_permits());
            room.merge(self.room(more as u32)?);
            bytes.extend_from_slice(&part);
        }
        let bytes = bytes.into();
        Ok(Whole { bytes, room })
    }

    fn room(&self, size: u32) -> Result<OwnedSemaphorePermit, Problem> {
        let room = Arc::clone(&self.0).try_acquire_many_owned(size);
        room.map_err(|_| busy())
    }
}

/// The problem of a request that is too large.
pub(super) fn too_large(most: &str) -> Problem {
    let text = format!("a request may have {most} at most");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text)
}

/// Refuses a body that is declared to be of another type, or encoded.
fn check(headers: &HeaderMap, expected: &str) -> Result<(), Problem> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let unsupported = |text| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    if !kind.trim().eq_ignore_ascii_case(expected) {
        return Err(unsupported(format!("the Content-Type must be {expected}")));
    }
    match text(header::CONTENT_ENCODING) {
        None => Ok(()),
        Some(encoding) if encoding.eq_ignore_ascii_case("identity") => Ok(()),
        Some(encoding) => {
            let text =
                format!("a body must be sent as it is, without Content-Encoding: {encoding}");
            Err(unsupported(text).with(Code::UnsupportedEncoding))
        }
    }
}

/// Reads an object from JSON.
///
/// # Errors
/// It is no JSON, or another value; `what` names it.
pub(super) fn parse<T: DeserializeOwned>(json: &[u8], what: &str) -> Result<T, Problem> {
    let is_object = json.trim_ascii_start().starts_with(b"{");
    let error = match serde_json::from_slice(json) {
        Ok(read) if is_object => return Ok(read),
        Ok(_) => None,
        Err(error) => Some(error),
    };
    let text = error.as_ref().map(ToString::to_string).unwrap_or_default();
    let is_json = || serde_json::from_slice::<IgnoredAny>(json).is_ok();
    let why = match error.as_ref().map(serde_json::Error::classify) {
        Some(Category::Eof) if json.trim_ascii().is_empty() => "it is empty".to_owned(),
        Some(Category::Eof) => "it ends too early".to_owned(),
        Some(Category::Syntax) if !is_json() => "it is not JSON".to_owned(),
        _ if !is_object => "an object with `position` is expected".to_owned(),
        Some(Category::Syntax) if str::from_utf8(json).is_err() => {
            "the text is not UTF-8".to_owned()
        }
        Some(Category::Syntax) => "another value is expected here".to_owned(),
        _ => {
            let (text, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
            plain(text)
        }
    };
    let place = match error {
        Some(error) if error.line() > 1 => {
            format!(" at line {}, column {}", error.line(), error.column())
        }
        Some(error) => format!(" at column {}", error.column().max(1)),
        None => String::new(),
    };
    Err(Problem::bad(format!("the {what} is invalid{place}: {why}")).with(Code::InvalidBody))
}

#[cfg(test)]
mod tests;
