//! What a position is worth: its nimber, its genus, and its lands.

use maud::{Markup, html};
use sproutnet_model::{Answer, Known, Verdict};

use crate::pages::drawings::thumbnail;
use crate::pages::words;

/// Its nimber and its genus, where they are known.
pub(super) fn figures(answer: &Answer) -> Markup {
    html! {
        dl #values .cards.explained data-live {
            @if let Some(nimber) = answer.nimber {
                div.card {
                    dt { "Nimber" }
                    dd {
                        b { (nimber) }
                        small { (meaning(nimber)) }
                    }
                }
            }
            @if let Some(genus) = &answer.genus {
                div.card {
                    dt { "Genus" }
                    dd {
                        b { (genus) }
                        small {
                            "The nimber, then the same under misère play: for the position alone, beside \
                             a heap of two in Nim, beside two such heaps, and so on."
                        }
                    }
                }
            }
        }
    }
}

fn meaning(nimber: u32) -> String {
    match nimber {
        0 => "Under normal play it is worth nothing: beside anything else it changes nothing of who \
              wins."
            .to_owned(),
        1 => "Under normal play it is worth as much as one stick in Nim: two positions of one nimber \
              cancel out."
            .to_owned(),
        more => format!(
            "Under normal play it is worth as much as a heap of {more} in Nim: two positions of one \
             nimber cancel out."
        ),
    }
}

/// Each of its lands, if there are several.
pub(super) fn lands(answer: &Answer) -> Markup {
    if answer.lands.is_empty() {
        return html! {};
    }
    html! {
        section #lands data-live aria-labelledby="lands-title" {
            h2 #lands-title { "Its " (answer.lands.len()) " lands" }
            p.note {
                "A move in one changes none of the others. Under normal play their nimbers, added \
                 without carrying in binary, tell who wins the whole."
            }
            table.list {
                caption.unseen { "The lands, each alone" }
                thead {
                    tr {
                        th scope="col" { "Land" }
                        th scope="col" { "Normal" }
                        th scope="col" { "Misère" }
                        th.figure scope="col" { "Nimber" }
                        th.figure scope="col" { "Genus" }
                    }
                }
                tbody { @for land in &answer.lands { (row(land, answer.game == "sprouts")) } }
            }
        }
    }
}

fn row(land: &Verdict, is_drawn: bool) -> Markup {
    let nimber = land
        .nimber
        .map_or_else(|| "–".to_owned(), |n| n.to_string());
    html! {
        tr {
            th scope="row" {
                @if is_drawn { (thumbnail(&land.canonical)) }
                (words::position(&land.canonical))
            }
            td data-label="Normal" { (badge(land.normal)) }
            td data-label="Misère" { (badge(land.misere)) }
            td.figure data-label="Nimber" { (nimber) }
            td.figure data-label="Genus" { (land.genus.as_deref().unwrap_or("–")) }
        }
    }
}

/// An outcome at a glance.
pub(super) fn badge(known: Known) -> Markup {
    let (class, text) = match known {
        Known::Win | Known::Loss => (known.name(), known.name()),
        Known::InProgress => ("running", "in progress"),
        Known::Unknown => ("open", "not known"),
    };
    html! { span.badge.(class) { (text) } }
}
