//! The handlers of forms: positions, computations, and signing in with the token.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_coordinator::{Coordinator, Start};
use sproutnet_solver::play::Play;
use sproutnet_transport::token::Refused;

use super::{Site, layout};
use crate::extract::{self, At, Name};
use crate::links;
use crate::problem::Problem;

/// The delay of the answer to a wrong token. It limits the number of tokens that can be tried.
const REFUSAL: Duration = Duration::from_millis(500);

/// A position to look up.
#[derive(Deserialize)]
pub(super) struct Wanted {
    position: String,
    play: Option<Plays>,
}

/// A position to solve.
#[derive(Deserialize)]
pub(super) struct ToSolve {
    position: String,
    play: Plays,
}

/// The conventions that a form offers.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Plays {
    Normal,
    Misere,
    Both,
}

/// A change to a computation.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Change {
    Pause,
    Resume,
    Cancel,
}

impl Name for (u64, Change) {
    const MISSING: &'static str = "there is no such page";
}

impl Plays {
    fn each(self) -> &'static [Play] {
        match self {
            Self::Normal => &[Play::Normal],
            Self::Misere => &[Play::Misere],
            Self::Both => &Play::ALL,
        }
    }

    /// The convention that comes first on a page that shows both.
    pub(super) fn first(self) -> Play {
        self.each()[0]
    }
}

/// Redirects to the page of the wanted position.
pub(super) async fn look_up(
    asked: Result<Query<Wanted>, QueryRejection>,
) -> Result<Redirect, Problem> {
    let Query(Wanted { position, play }) =
        asked.map_err(|_| Problem::bad("a position is expected"))?;
    let text = extract::typed(&position)?;
    Ok(Redirect::to(&match play.map(Plays::first) {
        Some(Play::Misere) => links::moves(&text, Play::Misere, 1),
        _ => links::position(&text),
    }))
}

/// Redirects to the list of computations.
pub(super) async fn to_list() -> Redirect {
    Redirect::to("/#computations")
}

/// Starts a computation for each convention, or joins the one in progress.
pub(super) async fn start(
    State(site): State<Arc<Site>>,
    form: Result<Form<ToSolve>, FormRejection>,
) -> Result<Redirect, Problem> {
    let expected = "a position and normal, misere or both are expected";
    let Form(ToSolve { position, play }) = form.map_err(|_| Problem::bad(expected))?;
    let position = extract::typed(&position)?;
    let asked = site.ask(move |coordinator, now| {
        let start = |&play: &Play| {
            let start = Start {
                position: &position,
                play,
                nimber: false,
                deadline: None,
                priority: None,
                weight: None,
                owner: "",
                label: "",
            };
            coordinator
                .computations
                .start(&start, now)
                .map(|(id, _)| id.0)
        };
        play.each().iter().map(start).collect::<Result<Vec<_>, _>>()
    });
    match asked.await?[..] {
        [id] => Ok(Redirect::to(&links::computation(id))),
        _ => Ok(to_list().await),
    }
}

/// Pauses, resumes or cancels a computation.
pub(super) async fn change(
    State(site): State<Arc<Site>>,
    At((id, change)): At<(u64, Change)>,
) -> Result<Redirect, Problem> {
    let change = move |coordinator: &Coordinator, now| match change {
        Change::Pause => coordinator.computations.pause(id.into(), now),
        Change::Resume => coordinator.computations.resume(id.into(), now),
        Change::Cancel => coordinator.computations.cancel(id.into(), now),
    };
    site.ask(change).await?;
    Ok(Redirect::to(&links::computation(id)))
}

/// The address to return to after signing in.
#[derive(Deserialize)]
pub(super) struct Back {
    #[serde(default)]
    next: String,
}

/// The fields of the sign-in form.
#[derive(Deserialize)]
pub(super) struct Credentials {
    token: String,
    #[serde(default)]
    next: String,
}

pub(super) async fn sign_in_page(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    Query(back): Query<Back>,
) -> Response {
    match site.access.check(&headers) {
        Ok(_) => Redirect::to(links::own(&back.next)).into_response(),
        Err(_) => sign_in_form(&back.next, false).into_response(),
    }
}

pub(super) async fn sign_in(
    State(site): State<Arc<Site>>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    credentials: Result<Form<Credentials>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(credentials) = credentials.map_err(|_| Problem::bad("a token is expected"))?;
    let cookie = site.access.sign_in(&credentials.token, &headers);
    let Some(cookie) = cookie.map_err(|error| Problem::fault(&error))? else {
        let peer = peer.as_ref().map(|Extension(peer)| peer);
        site.access
            .log_refusal(peer, "/login", &Refused::Wrong.to_string());
        tokio::time::sleep(REFUSAL).await;
        let form = sign_in_form(&credentials.next, true);
        return Ok((StatusCode::UNAUTHORIZED, form).into_response());
    };
    let on = Redirect::to(links::own(&credentials.next));
    Ok(([(header::SET_COOKIE, cookie)], on).into_response())
}

pub(super) async fn sign_out(State(site): State<Arc<Site>>, headers: HeaderMap) -> Response {
    let cookie = site.access.sign_out(&headers);
    ([(header::SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

fn sign_in_form(next: &str, is_wrong: bool) -> Markup {
    let content = html! {
        section.problem {
            h1 { "Sign in" }
            p.lead { "This coordinator requires a token. Ask its operator for one." }
            @if is_wrong { p.wrong role="alert" #token-wrong { "That is not the token." } }
            form.ask method="post" action="/login" {
                input type="hidden" name="next" value=(links::own(next));
                div.field.wide {
                    label for="token" { "Token" }
                    input #token type="password" name="token" required autofocus
                        autocomplete="current-password" aria-invalid=[is_wrong.then_some("true")]
                        aria-describedby=[is_wrong.then_some("token-wrong")];
                }
                div.buttons { button { "Sign in" } }
            }
        }
    };
    layout::page("Sign in", None, None, false, &content)
}
