//! Answers as JSON with entity tags (RFC 9110, section 8.8.3): unchanged answers are not sent again.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::refusal::Refusal;

/// An answer, or 304 if the client has it already.
pub(super) fn json(headers: &HeaderMap, answer: &impl Serialize) -> Result<Response, Refusal> {
    let body = serde_json::to_vec(answer).map_err(|error| Refusal::fault(&error))?;
    let tag = format!("\"{:032x}\"", xxh3_128(&body));
    let has_it = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .any(|known| {
            let known = known.trim();
            known == "*" || known.trim_start_matches("W/") == tag
        });
    let headers = [
        (header::ETAG, tag),
        // Whoever keeps it asks whether it still holds.
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if has_it {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let kind = (header::CONTENT_TYPE, "application/json");
    Ok((headers, [kind], body).into_response())
}
