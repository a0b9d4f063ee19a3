//! The publications that tables and answers cite.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use maud::{Markup, html};
use sproutnet_model::{BIBTEX, Reference, references};

use super::Site;

pub(super) async fn page(State(site): State<Arc<Site>>) -> Markup {
    site.page("References", None, &content("/references.bib"))
}

/// The list. `file` is the address of the file of BibTeX.
pub(super) fn content(file: &str) -> Markup {
    html! {
        section aria-labelledby="references-title" {
            h1 #references-title { "References" }
            p.lead {
                "The publications on which the tables and the methods rest, by their BibTeX keys. "
                a href=(file) { "references.bib" }
                " has all of them. " code { "sproutnet table --format latex" } " cites these keys."
            }
            ul.references {
                @for reference in references() { (entry(reference)) }
            }
        }
    }
}

/// All publications as a file of BibTeX.
pub(super) async fn file() -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        BIBTEX,
    )
}

fn entry(reference: &Reference) -> Markup {
    let key = reference.key;
    html! {
        li id=(key) {
            p {
                (reference.text())
                @if let Some(address) = reference.address() { " " a href=(address) { (address) } }
            }
            details {
                summary { "BibTeX: " code { (key) } }
                pre tabindex="0" { (reference.bibtex) }
            }
        }
    }
}
