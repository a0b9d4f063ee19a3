//! The style inside the first page that a browser opens. It would ask for the style as a file only once it has read the
//! head of the page, and it paints nothing before the answer. It fetches the file when it is idle.
//!
//! Other requests get a link to the file: a browser that follows a link from another page of the site has read it before,
//! and so have scripts, which fetch a page after each move.

use std::sync::LazyLock;

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::files;

/// The request headers in which browsers say what an answer becomes, and which site asks for it. They send them over HTTPS
/// and to this machine.
const DESTINATION: &str = "sec-fetch-dest";
const SITE: &str = "sec-fetch-site";

static LINK: LazyLock<String> = LazyLock::new(|| link().into_string());

static ELEMENTS: LazyLock<String> = LazyLock::new(|| elements().into_string());

/// The style that the Content-Security-Policy allows inside a page.
pub(super) static SOURCE: LazyLock<String> = LazyLock::new(|| {
    let digest = Sha256::digest(files::STYLE.text.as_bytes());
    format!("'sha256-{}'", BASE64_STANDARD.encode(digest))
});

/// The link to the style, in the head of each page.
pub(super) fn link() -> Markup {
    html! { link rel="stylesheet" href=(files::STYLE.path); }
}

/// The style, and the link by which a browser fetches it for the pages that follow.
fn elements() -> Markup {
    html! {
        style { (PreEscaped(&files::STYLE.text)) }
        link rel="prefetch" as="style" href=(files::STYLE.path);
    }
}

/// Puts the style in place of the link to it, if the page is the first that a browser opens.
pub(crate) async fn with_style(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let says = |header, value| headers.get(header).is_some_and(|said| said == value);
    let is_first = says(DESTINATION, "document") && !says(SITE, "same-origin");
    let mut response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        return response;
    }
    for varies in [DESTINATION, SITE] {
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static(varies));
    }
    if !is_first {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let page = String::from_utf8_lossy(&page).replacen(&*LINK, &ELEMENTS, 1);
    Response::from_parts(parts, page.into())
}
