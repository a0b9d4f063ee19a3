//! Entity tags (RFC 9110, section 8.8.3): an answer that the client already has is not sent again.

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use xxhash_rust::xxh3::xxh3_128;

/// Adds the tag to an answer, or answers 304 if the client has it.
pub(super) async fn tagged(request: Request, next: Next) -> Response {
    let is_read = request.method().is_safe();
    let known = request.headers().typed_get::<IfNoneMatch>();
    let response = next.run(request).await;
    // The length of a stream is unknown.
    let is_whole = response.body().size_hint().exact().is_some();
    if !is_read || !is_whole || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    // A weak one: it stands for the content, compressed or not.
    let tag = format!("W/\"{:032x}\"", xxh3_128(&body));
    let tag: ETag = tag.parse().expect("digits in quotes are a tag");
    let is_known = known.is_some_and(|known| !known.precondition_passes(&tag));
    parts.headers.typed_insert(tag);
    // Clients may keep an answer, but must ask whether it still holds.
    let ask = HeaderValue::from_static("no-cache");
    parts.headers.entry(header::CACHE_CONTROL).or_insert(ask);
    if !is_known {
        return Response::from_parts(parts, body.into());
    }
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(header::CONTENT_TYPE);
    Response::from_parts(parts, Body::empty())
}
