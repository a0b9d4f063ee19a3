//! The style inside pages. A browser that opens a page would ask for the style as a file only once it has read the head of
//! the page, and paints nothing before the answer.
//!
//! Other requests get a link to the file: scripts, which fetch a page after each move and have the style already, and
//! programs.

use std::sync::LazyLock;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use maud::{Markup, html};
use sha2::{Digest, Sha256};

use super::files;

/// The request header in which browsers say what an answer becomes. They send it over HTTPS and to this machine.
const DESTINATION: &str = "sec-fetch-dest";

static LINK: LazyLock<String> = LazyLock::new(|| link().into_string());

static ELEMENT: LazyLock<String> =
    LazyLock::new(|| format!("<style>{}</style>", files::STYLE.text));

/// The style that the Content-Security-Policy allows inside a page.
pub(super) static SOURCE: LazyLock<String> = LazyLock::new(|| {
    let digest = Sha256::digest(files::STYLE.text.as_bytes());
    format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
});

/// The link to the style, in the head of each page.
pub(super) fn link() -> Markup {
    html! { link rel="stylesheet" href=(files::STYLE.path); }
}

/// Puts the style in place of the link to it, if a browser opens the page.
pub(crate) async fn with_style(request: Request, next: Next) -> Response {
    let destination = request.headers().get(DESTINATION);
    let is_opened = destination.is_some_and(|destination| destination == "document");
    let mut response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    let varies = HeaderValue::from_static(DESTINATION);
    response.headers_mut().append(header::VARY, varies);
    if !is_opened {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let page = String::from_utf8_lossy(&page).replacen(&*LINK, &ELEMENT, 1);
    Response::from_parts(parts, page.into())
}
