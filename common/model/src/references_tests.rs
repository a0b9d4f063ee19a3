use super::*;
use crate::{Proof, proofs, published};
use sproutnet_notation::Play;

const PAGE: &str = include_str!("../../../docs/reference/references.md");

fn has(key: &str) -> bool {
    references().iter().any(|reference| reference.key == key)
}

/// The parts of a text between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_entry_is_read_and_in_order() {
    assert_eq!(references().len(), BIBTEX.matches("\n@").count() + 1);
    assert!(references().is_sorted_by(|before, after| before.key < after.key));
    for reference in references() {
        let text = reference.text();
        assert!(!text.contains(['{', '}', '\\', '$']), "{text}");
        assert!(!text.starts_with(':') && !text.contains(": ."), "{text}");
        assert!(reference.bibtex.ends_with('}'), "{}", reference.bibtex);
        let (open, shut) = (
            reference.bibtex.matches('{').count(),
            reference.bibtex.matches('}').count(),
        );
        assert_eq!(open, shut, "{}", reference.bibtex);
    }
}

#[test]
fn what_people_read_of_an_entry() {
    let find = |key| {
        let mut all = references().iter();
        all.find(|reference| reference.key == key)
            .expect("an entry")
    };
    assert_eq!(
        find("cizek2026").text(),
        "Tomáš Čížek, Martin Balko and Martin Schmid: Massively Parallel Proof-Number Search for Impartial Games \
         and Beyond (2026)."
    );
    assert_eq!(
        find("cizek2026").address().as_deref(),
        Some("https://arxiv.org/abs/2511.10339v2")
    );
    assert_eq!(
        find("oeisA164950").address().as_deref(),
        Some("https://oeis.org/A164950")
    );
    assert_eq!(find("bouton1901").address(), None);
    assert_eq!(
        find("allis1994").text(),
        "L. Victor Allis, Maarten van der Meulen and H. Jaap van den Herik: Proof-number search. Artificial Intelligence \
         66 (1994)."
    );
    assert!(
        find("schneider2009")
            .text()
            .ends_with(". Universität Salzburg (2009).")
    );
}

#[test]
fn every_citation_of_the_tables_has_an_entry() {
    let citations = Play::ALL.into_iter().flat_map(published);
    let citations = citations.map(|known| known.citation);
    let citations = citations.chain(proofs().iter().map(Proof::citation));
    for citation in citations {
        let keys = keys_of(citation);
        // An ended game needs no publication.
        assert_eq!(keys.is_empty(), citation == "trivial", "{citation}");
        assert!(keys.iter().all(|key| has(key)), "{citation}: {keys:?}");
    }
    assert!(keys_of("somebody").is_empty());
}

#[test]
fn the_page_of_references_names_the_same() {
    let mut rows = PAGE.lines().filter(|line| line.starts_with("| "));
    let head = rows.next().expect("a table");
    assert_eq!(head, "| in the table | source |");
    let is_row = |row: &&str| !row.starts_with("| for ");
    let rows: Vec<_> = rows.take_while(is_row).collect();
    for row in rows {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        let (citations, source) = (cells.next().expect("a cell"), cells.next().expect("a cell"));
        let said: Vec<&str> = quoted(source).collect();
        for citation in citations.split(", ") {
            let keys = match citation {
                "proved by Sproutnet" | "certificate NAME" => keys_of(proofs()[0].citation()),
                citation => keys_of(citation),
            };
            assert_eq!(said, keys, "{citation}");
        }
    }
    let named: Vec<&str> = quoted(PAGE).filter(|word| has(word)).collect();
    for reference in references() {
        assert!(named.contains(&reference.key), "{}", reference.key);
    }
}
