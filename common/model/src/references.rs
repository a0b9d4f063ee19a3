//! The publications that tables and answers cite, from `docs/reference/references.bib`.

use std::sync::LazyLock;

/// All of them as BibTeX.
pub const BIBTEX: &str = include_str!("../../../docs/reference/references.bib");

/// A publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its BibTeX key.
    pub key: &'static str,
    /// Its entry in BibTeX.
    pub bibtex: &'static str,
}

/// All publications, in the order of their keys.
pub fn references() -> &'static [Reference] {
    static REFERENCES: LazyLock<Vec<Reference>> = LazyLock::new(|| {
        let entries = BIBTEX.split("\n\n").map(str::trim);
        entries.filter_map(Reference::read).collect()
    });
    &REFERENCES
}

/// The BibTeX keys for a citation of a table or an answer: `sproutnet` for a certificate of the atlas, none for a
/// citation that needs no publication.
pub fn keys_of(citation: &str) -> &'static [&'static str] {
    match citation {
        "Conway 1967" | "Mollison 1967" => &["gardner1967"],
        "Applegate-Jacobson-Sleator 1991" => &["applegate1991"],
        "AuntBeast 2006" | "SPOTS 2025" => &["cizek2026"],
        "GLOP 2007-2011" => &["lemoine2015", "cizek2026"],
        "OEIS A164950" => &["oeisA164950", "lemoine2009"],
        _ if crate::Proof::cited(citation).is_some() => &["sproutnet"],
        _ => &[],
    }
}

impl Reference {
    fn read(bibtex: &'static str) -> Option<Self> {
        let (_, rest) = bibtex.split_once('{')?;
        let (key, _) = rest.split_once(',')?;
        Some(Self { key, bibtex })
    }

    /// Its authors, its title, where it appeared, and its year, for people.
    pub fn text(&self) -> String {
        let names = self.field("author").unwrap_or_default();
        let mut names: Vec<String> = names.split(" and ").map(name).collect();
        let last = names.pop().unwrap_or_default();
        let names = if names.is_empty() {
            last
        } else {
            format!("{} and {last}", names.join(", "))
        };
        let title = self.field("title").unwrap_or_default();
        let place = self.place().map(|place| format!(". {place}"));
        let year = self.field("year").map(|year| format!(" ({year})"));
        let [place, year] = [place, year].map(Option::unwrap_or_default);
        format!("{names}: {title}{place}{year}.")
    }

    /// Where it appeared: its journal with the volume, its book, its publisher, or its university.
    fn place(&self) -> Option<String> {
        let names = ["journal", "booktitle", "publisher", "school", "institution"];
        let place = names.into_iter().find_map(|name| self.field(name))?;
        let volume = self.field("volume").map(|volume| format!(" {volume}"));
        Some(place + &volume.unwrap_or_default())
    }

    /// Its web address, if it has one.
    pub fn address(&self) -> Option<String> {
        let preprint = self.field("eprint");
        let preprint = preprint.map(|number| format!("https://arxiv.org/abs/{number}"));
        let page = self.field("howpublished");
        preprint.or_else(|| page?.strip_prefix("\\url").map(str::to_owned))
    }

    /// A field of the entry, as plain text.
    fn field(&self, name: &str) -> Option<String> {
        let of = |line: &'static str| {
            let (field, value) = line.split_once('=')?;
            (field.trim() == name).then_some(value)
        };
        let value = self.bibtex.lines().find_map(of)?;
        Some(plain(value.trim().trim_end_matches(',')))
    }
}

/// The given name of a person before the family name.
fn name(bibtex: &str) -> String {
    match bibtex.split_once(", ") {
        Some((family, given)) => format!("{given} {family}"),
        None => bibtex.to_owned(),
    }
}

/// A value of BibTeX without its braces and commands.
fn plain(value: &str) -> String {
    const LETTERS: [(&str, &str); 12] = [
        ("\\v{C}", "Č"),
        ("\\v{s}", "š"),
        ("\\v{z}", "ž"),
        ("\\'\\i", "í"),
        ("\\'a", "á"),
        ("\\`e", "è"),
        ("\\\"a", "ä"),
        ("\\\"U", "Ü"),
        ("\\^o", "ô"),
        ("\\L", "Ł"),
        ("$\\varepsilon$", "ε"),
        ("--", "–"),
    ];
    let mut text = value.to_owned();
    for (command, letter) in LETTERS {
        text = text.replace(command, letter);
    }
    text.replace(['{', '}'], "")
}

#[cfg(test)]
#[path = "references_tests.rs"]
mod tests;
