//! Where the token is asked for.

use std::sync::Arc;
use std::time::Duration;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::Site;
use super::layout::Page;
use super::problem::Problem;
use crate::links;

/// An answer to a wrong token takes so long, so that many cannot be tried.
const REFUSAL: Duration = Duration::from_millis(500);

/// Where to go on.
#[derive(Deserialize)]
pub(super) struct Back {
    #[serde(default)]
    next: String,
}

/// What is signed in with.
#[derive(Deserialize)]
pub(super) struct Credentials {
    token: String,
    #[serde(default)]
    next: String,
}

pub(super) async fn page(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    Query(back): Query<Back>,
) -> Response {
    match site.access.check(&headers) {
        Ok(()) => Redirect::to(links::own(&back.next)).into_response(),
        Err(_) => form(&back.next, false).into_response(),
    }
}

pub(super) async fn sign_in(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    credentials: Result<Form<Credentials>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(credentials) = credentials.map_err(|_| Problem::bad("a token is expected"))?;
    let cookie = site.access.sign_in(&credentials.token, &headers);
    let Some(cookie) = cookie.map_err(|error| Problem::fault(&error))? else {
        tokio::time::sleep(REFUSAL).await;
        let form = form(&credentials.next, true);
        return Ok((StatusCode::UNAUTHORIZED, form).into_response());
    };
    let on = Redirect::to(links::own(&credentials.next));
    Ok(([(header::SET_COOKIE, cookie)], on).into_response())
}

pub(super) async fn sign_out(State(site): State<Arc<Site>>, headers: HeaderMap) -> Response {
    let cookie = site.access.sign_out(&headers);
    ([(header::SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

fn form(next: &str, is_wrong: bool) -> Markup {
    let page = Page {
        title: "Sign in",
        refresh: None,
        signed_in: false,
    };
    page.with(&html! {
        section.problem {
            h1 { "Sign in" }
            p.lead { "This coordinator requires its token. Its operator has the token in a file." }
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
    })
}
