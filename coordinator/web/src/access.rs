//! Access over HTTP: the token, sign-in, and requests from other sites.
//!
//! - If there are tokens, each request shows one, or the cookie of a session that began with it. The role of the token
//!   allows the request.
//! - Pages of other sites cannot change anything. Otherwise they could: the browser sends the cookie along, and without
//!   a token none is needed.
//! - Without a token, a port that only this machine reaches answers only under names of this machine. Otherwise a page
//!   of another site could read everything, under a name that resolves to this machine.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use headers::{Cookie, HeaderMapExt, Host, Origin};
use sproutnet_transport::caller::{self, Caller, Role};
use sproutnet_transport::refusals::Refusals;
use sproutnet_transport::token::Refused;
use sproutnet_transport::tokens::Tokens;

use super::links;
use super::problem::{Code, Problem};
use super::sessions::{self, Sessions};

/// The name of the session cookie.
const COOKIE: &str = "sproutnet_session";

/// Decides whether requests are allowed.
pub(super) struct Access {
    tokens: Option<Tokens>,
    sessions: Sessions,
    refusals: Refusals,
    /// Whether only programs of this machine can connect.
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
    /// Access to a port bound to this address.
    pub(super) fn new(tokens: Option<Tokens>, bound: IpAddr) -> Self {
        Self {
            tokens,
            sessions: Sessions::default(),
            refusals: Refusals::default(),
            is_local: bound.to_canonical().is_loopback(),
        }
    }

    /// Whether users have to sign in.
    pub(super) fn wants_token(&self) -> bool {
        self.tokens.is_some()
    }

    /// Who makes a request: the holder of the token that it shows, or of the one that its session began with. `None` if
    /// no token is required.
    ///
    /// # Errors
    /// There are tokens, and the request shows neither one nor a session.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<Option<Caller>, Refused> {
        let Some(tokens) = &self.tokens else {
            return Ok(None);
        };
        if !headers.contains_key(header::AUTHORIZATION)
            && let Some(secret) = cookie(headers, COOKIE)
            && let Some(token) = self.sessions.token(&secret, Instant::now())
            // The token may have been withdrawn since.
            && let Some(caller) = tokens.holder(token.as_bytes())
        {
            return Ok(Some(caller));
        }
        tokens.check(headers).map(Some)
    }

    /// Checks the host and the origin of a request.
    fn check_origin(
        &self,
        is_read: bool,
        host: Option<&Host>,
        headers: &HeaderMap,
    ) -> Result<(), Forbidden> {
        if self.tokens.is_none() && self.is_local && !host.is_some_and(is_local_name) {
            return Err(Forbidden::Host);
        }
        if is_read {
            return Ok(());
        }
        // Current browsers send Sec-Fetch-Site, older ones Origin. Other programs send neither, and no
        // site can make them send a request.
        let is_own = match headers.get("sec-fetch-site") {
            Some(site) => site == "same-origin" || site == "none",
            None => match headers.typed_try_get::<Origin>() {
                Ok(Some(origin)) => host.is_some_and(|host| {
                    (origin.hostname(), origin.port()) == (host.hostname(), host.port())
                }),
                Ok(None) => true,
                Err(_) => false,
            },
        };
        is_own.then_some(()).ok_or(Forbidden::OtherSite)
    }

    /// Begins a session with a token. Returns its cookie; `None` if the token is wrong.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(super) fn sign_in(
        &self,
        token: &str,
        headers: &HeaderMap,
    ) -> Result<Option<String>, getrandom::Error> {
        let token = token.trim();
        let tokens = self.tokens.as_ref();
        if tokens.is_some_and(|tokens| tokens.holder(token).is_none()) {
            return Ok(None);
        }
        let secret = self.sessions.begin(token, Instant::now())?;
        let seconds = sessions::LIFETIME.as_secs();
        let secure = secure(headers);
        Ok(Some(format!(
            "{COOKIE}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )))
    }

    /// Logs a refused request.
    pub(super) fn log_refusal(
        &self,
        peer: Option<&ConnectInfo<SocketAddr>>,
        path: &str,
        why: &str,
    ) {
        let peer = peer.map(|&ConnectInfo(peer)| peer);
        self.refusals.log(peer, path, why);
    }

    /// Ends the session. Returns the cookie that removes the session's.
    pub(super) fn sign_out(&self, headers: &HeaderMap) -> String {
        if let Some(secret) = cookie(headers, COOKIE) {
            self.sessions.end(&secret);
        }
        format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
    }
}

/// The end of a cookie. Over TLS, the browser must send the cookie only over TLS.
pub(super) fn secure(headers: &HeaderMap) -> &'static str {
    let origin = headers.typed_get::<Origin>();
    let is_tls = origin.is_some_and(|origin| origin.scheme() == "https");
    if is_tls { "; Secure" } else { "" }
}

/// The routes where a POST asks a question and changes nothing.
const QUESTIONS: [&str; 2] = ["/api/v1/certificates", "/api/v1/positions"];

/// Whether a request only reads. Pages of other sites may make it.
pub(super) fn only_reads(method: &Method, path: &str) -> bool {
    method.is_safe() || method == Method::POST && QUESTIONS.contains(&path)
}

/// The role that a request of a route needs. `None` if there is no such request: what may change something is listed
/// here.
fn role_of(method: &Method, route: &str) -> Option<Role> {
    if only_reads(method, route) {
        return Some(Role::Read);
    }
    match route {
        "/api/v1/computations"
        | "/api/v1/computations/{id}/pause"
        | "/api/v1/computations/{id}/resume"
        | "/api/v1/computations/{id}/weight"
        | "/api/v1/computations/{id}/cancel"
        | "/computations"
        | "/computations/{id}/{change}"
        | "/match"
        | "/match/{name}"
        | "/match/{name}/join"
        | "/match/{name}/resign"
        | "/match/{name}/rematch"
        | "/s" => Some(Role::Solve),
        _ => None,
    }
}

/// Requires a token or a session. Browsers are redirected to the sign-in page.
pub(super) async fn signed_in(
    State(access): State<Arc<Access>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request
        .extensions()
        .get::<ConnectInfo<SocketAddr>>()
        .copied();
    let refused = match access.check(request.headers()) {
        Ok(caller) => {
            request.extensions_mut().insert(caller.clone());
            let path = request.uri().path().to_owned();
            let answer = caller::in_name_of(caller, next.run(request)).await;
            if answer.status() == StatusCode::FORBIDDEN {
                let why = "the role of its token does not allow it";
                access.log_refusal(peer.as_ref(), &path, why);
            }
            return answer;
        }
        Err(refused) => refused,
    };
    if wants_page(request.headers()) {
        let back = match *request.method() {
            Method::GET => request.uri().path_and_query().map(PathAndQuery::as_str),
            _ => None,
        };
        return Redirect::to(&links::sign_in(back.unwrap_or("/"))).into_response();
    }
    let path = request.uri().path();
    access.log_refusal(peer.as_ref(), path, &refused.to_string());
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    let (code, text) = match refused {
        Refused::Absent => (
            Code::TokenMissing,
            "this coordinator requires a token; send it as `Authorization: Bearer TOKEN`",
        ),
        Refused::Wrong => (Code::TokenWrong, "wrong token"),
    };
    let problem = Problem::new(StatusCode::UNAUTHORIZED, text).with(code);
    (challenge, problem.into_json()).into_response()
}

/// Requires that the role of the caller allows the request. Comes after [`signed_in`], and only where there is a route.
pub(super) async fn permitted(
    Extension(caller): Extension<Option<Caller>>,
    route: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let Some(needed) = role_of(request.method(), route.as_str()) else {
        let text = "this method is not allowed here";
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, text).into_response();
    };
    match caller.map_or(Ok(()), |caller| caller.needs(needed)) {
        Ok(()) => next.run(request).await,
        Err(denied) => {
            let problem = Problem::new(StatusCode::FORBIDDEN, denied.to_string());
            problem.with(Code::InsufficientRole).into_response()
        }
    }
}

/// Rejects requests from other sites.
pub(super) async fn own_site(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let is_read = only_reads(request.method(), request.uri().path());
    let host = host(request.uri(), request.headers());
    match access.check_origin(is_read, host.as_ref(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(forbidden) => {
            let code = match forbidden {
                Forbidden::Host => Code::ForeignHost,
                Forbidden::OtherSite => Code::OtherSite,
            };
            let problem = Problem::new(StatusCode::FORBIDDEN, forbidden.to_string());
            problem.with(code).into_json()
        }
    }
}

/// The host that a request names. Over HTTP/2 it is a part of the address (RFC 9113, section 8.3.1).
pub(super) fn host(address: &Uri, headers: &HeaderMap) -> Option<Host> {
    let named = headers.typed_get::<Host>();
    named.or_else(|| address.authority().cloned().map(Host::from))
}

/// Whether the client accepts HTML.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).map(HeaderValue::to_str);
    matches!(accepts, Some(Ok(kinds)) if kinds.contains("text/html"))
}

/// The value of the cookie with this name.
pub(super) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.typed_get::<Cookie>()?.get(name)?.to_owned())
}

/// Whether a name always means the machine where it is used.
fn is_local_name(host: &Host) -> bool {
    let name = host.hostname();
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: IpAddr| address.to_canonical().is_loopback();
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_loopback)
}

#[cfg(test)]
mod tests;
