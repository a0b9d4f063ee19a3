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
mod tests {
    use super::*;

    #[test]
    fn every_paragraph_is_a_term() {
        let paragraphs = TEXT.trim().split("\n\n").skip(1).count();
        let names: Vec<_> = terms().map(|(name, _)| name).collect();
        assert_eq!(names.len(), paragraphs, "{names:?}");
        assert!(names.contains(&"Dead spot") && names.len() > 20);
        assert!(terms().all(|(_, meaning)| meaning.ends_with('.')));
    }

    #[test]
    fn places_have_names() {
        assert_eq!(id("Dead spot"), "dead-spot");
        assert_eq!(id("Proof number, disproof number"), "proof-number");
    }

    #[test]
    fn stress_and_code() {
        let html = inline("a *b* **c** `d*e` <f>").into_string();
        assert_eq!(
            html,
            "a <em>b</em> <strong>c</strong> <code>d*e</code> &lt;f&gt;"
        );
    }
}
