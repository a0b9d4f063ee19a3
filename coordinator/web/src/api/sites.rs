//! Access from pages of other sites (the fetch standard, section 3.2): they may read everything, and change nothing.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::is_of_api;
use crate::access::only_reads;

/// Lets pages of all sites read the answers of the API, refusals too. Answers the questions by which browsers find out
/// what is allowed: these carry no token.
pub(crate) async fn open_to_sites(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !is_of_api(path) {
        return next.run(request).await;
    }
    let asks = request
        .headers()
        .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = if asks && request.method() == Method::OPTIONS {
        permission(path)
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    add(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    let shown = "etag, location, retry-after, server";
    add(headers, header::ACCESS_CONTROL_EXPOSE_HEADERS, shown);
    response
}

/// What a page of another site may send to this path.
fn permission(path: &str) -> Response {
    let mut headers = HeaderMap::new();
    let methods = if only_reads(&Method::POST, path) {
        "GET, HEAD, POST"
    } else {
        "GET, HEAD"
    };
    add(&mut headers, header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    let sent = "authorization, content-type, if-none-match, last-event-id";
    add(&mut headers, header::ACCESS_CONTROL_ALLOW_HEADERS, sent);
    add(&mut headers, header::ACCESS_CONTROL_MAX_AGE, "600");
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn add(headers: &mut HeaderMap, name: header::HeaderName, value: &'static str) {
    headers.insert(name, HeaderValue::from_static(value));
}
