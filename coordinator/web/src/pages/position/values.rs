//! The values of a position: its nimber, its genus, and its lands.

use maud::{Markup, Render, html};
use sproutnet_model::{Answer, Known, Verdict};

use crate::pages::drawings::{has_pictures, thumbnail};
use crate::pages::layout::{Column, card, section, table};
use crate::pages::words;

const LANDS: [Column; 5] = [
    ("Land", ""),
    ("Normal", ""),
    ("Misère", ""),
    ("Nimber", "figure"),
    ("Genus", "figure"),
];

/// The nimber and the genus of a position, where they are known.
pub(super) fn figures(answer: &Answer) -> Markup {
    let genus = "The nimber, then the misère nimbers: of the position alone, beside a heap of two in Nim, \
                 beside two such heaps, and so on.";
    html! {
        dl #values .cards.explained data-live {
            @if let Some(nimber) = answer.nimber {
                (card("Nimber", &nimber.to_string(), &meaning(nimber)))
            }
            @if let Some(text) = &answer.genus { (card("Genus", text, genus)) }
        }
    }
}

fn meaning(nimber: u32) -> String {
    let worth = match nimber {
        0 => {
            return "In normal play it is worth nothing: added to another position, it does not change \
                    who wins."
                .to_owned();
        }
        1 => "one stick".to_owned(),
        more => format!("a heap of {more}"),
    };
    format!(
        "In normal play it is worth as much as {worth} in Nim: two positions of the same nimber cancel out."
    )
}

/// Each of its lands, if there are several.
pub(super) fn lands(answer: &Answer) -> Markup {
    if answer.lands.is_empty() {
        return html! {};
    }
    let is_drawn = has_pictures(&answer.game);
    let rows = answer.lands.iter().map(|land| row(land, is_drawn));
    let content = html! {
        p.note {
            "A move in one land does not affect the others. In normal play, the nimbers of the lands, \
             added in binary without carrying, decide who wins the whole."
        }
        (table("The lands, each alone", LANDS, rows))
    };
    section(
        "lands",
        &format!("Its {} lands", answer.lands.len()),
        true,
        &content,
    )
}

fn row(land: &Verdict, is_drawn: bool) -> [Markup; 5] {
    let position = html! {
        @if is_drawn { (thumbnail(&land.canonical)) }
        (words::position(&land.canonical))
    };
    let nimber = land.nimber.map(|nimber| nimber.to_string());
    [
        position,
        badge(land.normal),
        badge(land.misere),
        nimber.as_deref().unwrap_or("–").render(),
        land.genus.as_deref().unwrap_or("–").render(),
    ]
}

/// An outcome as a coloured word.
pub(super) fn badge(known: Known) -> Markup {
    let (class, text) = match known {
        Known::Win | Known::Loss => (known.name(), known.name()),
        Known::InProgress => ("running", "in progress"),
        Known::Unknown => ("open", "unknown"),
    };
    html! { span.badge.(class) { (text) } }
}
