//! The pages of a site without a coordinator.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sproutnet_model::proofs;
use sproutnet_web::{StaticSite, is_static_site};

use crate::browser::html;

/// Any bytes, since these tests do not run them.
const ENGINE: &[u8] = b"\0asm\x01\0\0\0";

/// The files of a site with all parts, by path.
fn whole() -> BTreeMap<String, String> {
    files(&StaticSite {
        engine: Some(ENGINE),
        has_certificates: true,
    })
}

fn files(site: &StaticSite<'_>) -> BTreeMap<String, String> {
    let files = site.files().into_iter();
    files
        .map(|(path, content)| (path, String::from_utf8(content).expect("a text")))
        .collect()
}

/// Whether a file is a page.
fn is_page(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|kind| kind == "html")
}

/// The values of an attribute on a page.
fn values<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    let parts = page.split(&*start).skip(1);
    parts
        .filter_map(|part| Some(part.split_once('"')?.0))
        .collect()
}

/// The path of a relative address on the page at `from`.
fn resolved(from: &str, to: &str) -> String {
    let (folder, _) = from.rsplit_once('/').unwrap_or(("", ""));
    match (to, to.strip_prefix("../")) {
        ("", _) => from.to_owned(),
        (_, Some(above)) if !folder.is_empty() => above.to_owned(),
        (to, _) if folder.is_empty() => to.to_owned(),
        (to, _) => format!("{folder}/{to}"),
    }
}

#[test]
fn pages_are_valid_and_their_links_lead_to_files_of_the_site() {
    let without = StaticSite {
        engine: None,
        has_certificates: false,
    };
    for (files, has_certificates) in [(whole(), true), (files(&without), false)] {
        let listed = proofs().iter().filter(|_| has_certificates);
        let certificates: BTreeSet<String> = listed
            .map(|proof| format!("certificates/{}", proof.file()))
            .collect();
        let mut linked = BTreeSet::new();
        for (path, page) in files.iter().filter(|(path, _)| is_page(path)) {
            html::check(page).unwrap_or_else(|problem| panic!("{path}: {problem}"));
            let links = [values(page, "href"), values(page, "src")].concat();
            for link in links {
                if link.starts_with("https://") || link.starts_with("http://") {
                    continue;
                }
                assert!(!link.starts_with('/'), "{path}: {link}");
                let (to, anchor) = link.split_once('#').unwrap_or((link, ""));
                let to = resolved(path, to);
                let is_there = files.contains_key(&to) || certificates.contains(&to);
                assert!(is_there, "{path}: {link}");
                // What follows `#` on these pages is a position or a match.
                if !anchor.is_empty() && !["look-up.html", "play.html"].contains(&&*to) {
                    let there = values(&files[&to], "id");
                    assert!(there.contains(&anchor), "{path}: {link}");
                }
                linked.insert(to);
            }
        }
        let all: BTreeSet<String> = files.into_keys().chain(certificates).collect();
        let lost: Vec<&String> = all.difference(&linked).collect();
        assert!(lost.is_empty(), "nothing leads to {lost:?}");
    }
}

#[test]
fn the_first_page_comes_first_and_is_recognised() {
    let site = StaticSite {
        engine: None,
        has_certificates: false,
    };
    let (path, first) = site.files().swap_remove(0);
    assert_eq!(path, "index.html");
    assert!(is_static_site(&String::from_utf8_lossy(&first)));
    assert!(!is_static_site("<!DOCTYPE html><title>Sproutnet</title>"));
}

#[test]
fn tables_say_who_published_an_outcome_and_which_certificate_proves_it() {
    let files = whole();
    let list = &files["index.html"];
    for part in [
        "certificates.html#misere-21",
        "certificates.html#normal-32",
        "first proved by Sproutnet",
        "Misère play",
    ] {
        assert!(list.contains(part), "{part}");
    }
    let page = &files["starts/21.html"];
    let proof = proofs().iter().find(|proof| proof.name == "misere-21");
    let proof = proof.expect("a proof");
    assert!(
        page.contains(proof.sha256) && page.contains("<svg "),
        "{page}"
    );
    assert!(page.contains("../certificates/misere-21.sprout"), "{page}");
    // Outcomes without a certificate are there, too.
    assert!(files["starts/44.html"].contains("the player to move <strong>"));
}

#[test]
fn pages_run_only_their_own_scripts() {
    for (path, page) in whole() {
        if is_page(&path) {
            let has_policy =
                page.contains("Content-Security-Policy\" content=\"default-src 'none';");
            assert!(has_policy, "{path}");
            // The policy allows neither.
            assert!(
                !page.contains("<script>") && !page.contains("<style"),
                "{path}"
            );
        }
    }
    assert!(whole()["engine.js"].contains("\"AGFzbQEAAAA=\""));
}
