//! Access over HTTP: the token, sign-in, and requests from other sites.
//!
//! - If there is a token, each request shows it, or the cookie of a sign-in with it.
//! - What changes anything must not come from a page of another site: a browser would send the cookie
//!   along, and without a token it needs none.
//! - Where there is no token and only this machine can connect, the name asked for has to be one of
//!   this machine: else a page elsewhere whose name is made to lead here could read all.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use sproutnet_transport::token::{Refused, Token};

use super::links;
use super::sessions::{self, Secret, Sessions};

/// The cookie of those who signed in.
const COOKIE: &str = "sproutnet_session";

/// Decides whether requests are allowed.
pub(super) struct Access {
    token: Option<Token>,
    sessions: Sessions,
    /// Whether nobody but programs of this machine can connect.
    is_local: bool,
}

/// Why a request is forbidden, even with the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Forbidden {
    #[error("this coordinator serves only its own machine, under names such as localhost")]
    Host,
    #[error("pages of other sites cannot change anything here")]
    OtherSite,
}

impl Access {
    /// Access to a port that is bound to that address.
    pub(super) fn new(token: Option<Token>, bound: IpAddr) -> Self {
        Self {
            token,
            sessions: Sessions::default(),
            is_local: bound.to_canonical().is_loopback(),
        }
    }

    /// Whether one has to sign in.
    pub(super) fn wants_token(&self) -> bool {
        self.token.is_some()
    }

    /// Whether a request shows the token, or the cookie of one who signed in.
    ///
    /// # Errors
    /// It does not, and there is a token.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let knows = |secret: Secret| self.sessions.knows(&secret, Instant::now());
        if !headers.contains_key(header::AUTHORIZATION) && cookie(headers).is_some_and(knows) {
            return Ok(());
        }
        token.check(headers)
    }

    /// Whether a request may be made from where it comes from.
    fn check_origin(&self, method: &Method, headers: &HeaderMap) -> Result<(), Forbidden> {
        let host = host(headers);
        if self.token.is_none() && self.is_local && !host.as_ref().is_some_and(is_local_name) {
            return Err(Forbidden::Host);
        }
        if method.is_safe() {
            return Ok(());
        }
        // Newer browsers tell; older ones name the page's origin; other programs do neither, and
        // nobody can make them ask.
        let is_own = if let Some(site) = headers.get("sec-fetch-site") {
            site == "same-origin" || site == "none"
        } else if let Some(origin) = headers.get(header::ORIGIN) {
            authority_of(origin).is_some_and(|origin| Some(origin) == host)
        } else {
            true
        };
        is_own.then_some(()).ok_or(Forbidden::OtherSite)
    }

    /// The cookie for one who shows the token, if it is the right one.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn sign_in(
        &self,
        token: &str,
        headers: &HeaderMap,
    ) -> Result<Option<String>, getrandom::Error> {
        let mut shown = HeaderMap::new();
        // As a header, so that tokens are compared in one place only, in even time.
        if let Ok(value) = HeaderValue::from_str(&format!("Bearer {}", token.trim())) {
            shown.insert(header::AUTHORIZATION, value);
        }
        let right = self.token.as_ref();
        if right.is_some_and(|right| right.check(&shown).is_err()) {
            return Ok(None);
        }
        let secret = sessions::written(&self.sessions.begin(Instant::now())?);
        let seconds = sessions::LIFETIME.as_secs();
        // Over TLS the browser is told to keep it to TLS.
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let is_tls = origin.is_some_and(|origin| origin.starts_with(b"https://"));
        let secure = if is_tls { "; Secure" } else { "" };
        Ok(Some(format!(
            "{COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )))
    }

    /// Signs the user out; returns the cookie that says so.
    pub(super) fn sign_out(&self, headers: &HeaderMap) -> String {
        if let Some(secret) = cookie(headers) {
            self.sessions.end(&secret);
        }
        format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
    }
}

/// Requires the token or a sign-in. Browsers are redirected to the sign-in page.
pub(super) async fn signed_in(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let Err(refused) = access.check(request.headers()) else {
        return next.run(request).await;
    };
    if wants_page(request.headers()) {
        let back = match *request.method() {
            Method::GET => request.uri().path_and_query().map(PathAndQuery::as_str),
            _ => None,
        };
        return Redirect::to(&links::sign_in(back.unwrap_or("/"))).into_response();
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, format!("{refused}\n")).into_response()
}

/// Rejects requests from other sites.
pub(super) async fn own_site(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    match access.check_origin(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(forbidden) => (StatusCode::FORBIDDEN, format!("{forbidden}\n")).into_response(),
    }
}

/// Whether the client accepts a page.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).map(HeaderValue::to_str);
    matches!(accepts, Some(Ok(kinds)) if kinds.contains("text/html"))
}

/// The secret in the cookie.
fn cookie(headers: &HeaderMap) -> Option<Secret> {
    let shown = headers.get_all(header::COOKIE).iter();
    let mut cookies = shown
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'));
    cookies.find_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        sessions::read(value).filter(|_| name == COOKIE)
    })
}

fn host(headers: &HeaderMap) -> Option<Authority> {
    headers.get(header::HOST)?.to_str().ok()?.parse().ok()
}

/// The authority of an origin. None of `null`.
fn authority_of(origin: &HeaderValue) -> Option<Authority> {
    let (_, authority) = origin.to_str().ok()?.split_once("://")?;
    authority.parse().ok()
}

/// Whether a name always means the machine where it is used.
fn is_local_name(authority: &Authority) -> bool {
    let name = authority.host();
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: IpAddr| address.to_canonical().is_loopback();
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_loopback)
}

#[cfg(test)]
mod tests;
