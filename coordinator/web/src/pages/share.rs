//! Short addresses of matches on the board, to send to somebody: that of the match itself contains every line.

use std::sync::Arc;

use axum::Form;
use axum::extract::rejection::FormRejection;
use axum::extract::{Query, State};
use axum::http::Uri;
use axum::response::Redirect;
use maud::{Markup, html};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use sproutnet_board::address::Terms;
use sproutnet_coordinator::CoordinatorError;

use super::layout::Script;
use super::{Site, board};
use crate::extract::{At, Origin};
use crate::links;
use crate::problem::Problem;
use crate::sessions;

/// The match to be shared.
#[derive(Deserialize)]
pub(super) struct Wanted {
    /// Its address on the board.
    address: String,
}

/// Makes a short address, and leads to the page that shows it.
pub(super) async fn make(
    State(site): State<Arc<Site>>,
    form: Result<Form<Wanted>, FormRejection>,
) -> Result<Redirect, Problem> {
    let no_match = || Problem::bad("the address of a match on the board is expected");
    let Form(Wanted { address }) = form.map_err(|_| no_match())?;
    let name = sessions::random::<8>().map_err(|error| Problem::fault(&error))?;
    let made = move || -> Result<String, Problem> {
        let address: Uri = address.parse().map_err(|_| no_match())?;
        let played = address.path().strip_prefix("/board/");
        let played = percent_decode_str(played.ok_or_else(no_match)?).decode_utf8();
        let played = played.map_err(|_| no_match())?;
        let Query(terms) = Query::<Terms>::try_from_uri(&address).map_err(|_| no_match())?;
        // Only matches are shared, so a short address leads to no other site.
        let to = board::link_of(&site.sheets, &played, terms)?;
        Ok(site.coordinator.short_links.share(&name, &to)?)
    };
    let name = crate::blocking(made).await??;
    Ok(Redirect::to(&links::short(&name, "/share")))
}

/// Leads to the match.
pub(super) async fn go(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
) -> Result<Redirect, Problem> {
    Ok(Redirect::to(&find(&site, name).await?))
}

/// The page that shows a short address.
pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    Origin(origin): Origin,
) -> Result<Markup, Problem> {
    let short = links::short(&name, "");
    let to = find(&site, name).await?;
    let content = html! {
        h1 { "Share the match" }
        p.lead { "This address leads to the match as it is now. Who opens it can look at it, and go on from there." }
        div.field {
            label for="address" { "The address" }
            input #address readonly value=(origin.unwrap_or_default() + &short) data-path=(short);
            p.help { "It is kept for 30 days. Share the match again to keep it longer." }
        }
        div.buttons {
            button #copy .by-hand type="button" { "Copy" }
            a.button.second href=(to) { "Back to the match" }
        }
    };
    Ok(site.page("Share the match", Some(Script::Share), &content))
}

/// Where a short address leads.
async fn find(site: &Site, name: String) -> Result<String, Problem> {
    let found = site.ask(move |coordinator, _| {
        let to = coordinator.short_links.get(&name);
        to.ok_or(CoordinatorError::Unknown("short address"))
    });
    found.await
}
