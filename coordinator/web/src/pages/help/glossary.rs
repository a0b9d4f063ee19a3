//! The glossary, from `docs/reference/glossary.md`.

use maud::{Markup, html};

/// Paragraphs: each is a term between `**` with a full stop, and its meaning.
const TEXT: &str = include_str!("../../../../../docs/reference/glossary.md");

/// The terms, each with its name and its meaning.
fn terms() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.split("\n\n").filter_map(|paragraph| {
        let (name, meaning) = paragraph.trim().strip_prefix("**")?.split_once(".**")?;
        Some((name, meaning.trim()))
    })
}

/// The anchor of a term: the first of its names in small letters, with hyphens.
fn id(name: &str) -> String {
    let first = name.split(',').next().unwrap_or(name);
    first.to_lowercase().replace(' ', "-")
}

pub(super) fn section() -> Markup {
    html! {
        section aria-labelledby="glossary" {
            h2 #glossary { "Glossary" }
            dl.terms {
                @for (name, meaning) in terms() {
                    dt id=(id(name)) { (name) }
                    dd { (inline(meaning)) }
                }
            }
        }
    }
}

/// A text in which `**…**` is strong, `*…*` is stressed, and `` `…` `` is code.
pub(super) fn inline(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (stressed(part)) }
        }
    }
}

fn stressed(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split("**").enumerate() {
            @if i % 2 == 1 { strong { (part) } } @else {
                @for (i, part) in part.split('*').enumerate() {
                    @if i % 2 == 1 { em { (part) } } @else { (part) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
