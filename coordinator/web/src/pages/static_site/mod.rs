//! Pages for a site without a coordinator: the tables, a page for each start, the certificates, the references. Any web
//! server can serve them under any address, and a browser can open them as files.
//!
//! With the WebAssembly module of `common/browser`, a visitor's browser checks certificates, looks up small positions,
//! and plays matches. The module is a part of a script, because a browser that opens files may run scripts, but fetch nothing.
//! Without scripts, the pages are complete but for that.
//!
//! - [`starts`]: the table of the first page, and the pages of starts.

mod starts;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sproutnet_model::{BIBTEX, Proof, proofs};
use sproutnet_system::figures::{bytes, count};

use super::{files, layout, references, words};
use starts::Starts;

/// Marks the first page of a site that [`StaticSite::files`] made.
const GENERATOR: &str = r#"<meta name="generator" content="sproutnet site">"#;

/// The scripts of pages that use the engine.
const ENGINE: [&str; 2] = ["engine.js", "site.js"];

/// What pages may load and run: files of the site, and the worker that a script makes.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self' 'wasm-unsafe-eval'; \
    connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'";

/// A site without a coordinator.
pub struct StaticSite<'a> {
    /// The WebAssembly module of `common/browser`. Without one, nothing is checked or looked up in the browser.
    pub engine: Option<&'a [u8]>,
    /// Whether the folder `certificates` of the site has the files of the atlas.
    pub has_certificates: bool,
}

/// Whether this text is the first page of such a site.
pub fn is_static_site(first_page: &str) -> bool {
    first_page.contains(GENERATOR)
}

impl StaticSite<'_> {
    /// All files: their paths in the folder of the site, and their contents. The first page, `index.html`, comes first.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let starts = Starts::known();
        let mut pages = vec![
            ("index.html".to_owned(), self.front(&starts)),
            ("certificates.html".to_owned(), self.certificates()),
            ("references.html".to_owned(), self.references()),
        ];
        pages.extend(starts.iter().map(|spots| {
            let page = starts.page(spots, self);
            (starts::file(spots), page)
        }));
        if self.engine.is_some() {
            pages.push(("look-up.html".to_owned(), self.look_up()));
            pages.push(("play.html".to_owned(), self.play()));
        }
        let pages = pages.into_iter();
        let mut all: Vec<(String, Vec<u8>)> = pages
            .map(|(path, page)| (path, page.into_string().into_bytes()))
            .collect();
        let mut add =
            |path: &str, text: &str| all.push((path.to_owned(), text.as_bytes().to_vec()));
        add("style.css", &files::STYLE.text);
        add("icon.svg", &files::ICON.text);
        add("references.bib", BIBTEX);
        if let Some(engine) = self.engine {
            add(
                "engine.js",
                &format!("const MODULE = \"{}\";\n", BASE64_STANDARD.encode(engine)),
            );
            add("site.js", include_str!("site.js"));
            add("play.js", &files::PLAY.text);
        }
        all
    }

    /// A whole page. `root` is the relative address of the folder of the site. `scripts` are those that need the engine.
    fn page(&self, title: &str, root: &str, scripts: &[&str], content: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="referrer" content="same-origin";
                    (PreEscaped(GENERATOR))
                    title { (title) " · Sproutnet" }
                    link rel="icon" type="image/svg+xml" href=(format!("{root}icon.svg"));
                    link rel="stylesheet" href=(format!("{root}style.css"));
                    @if self.engine.is_some() {
                        @for script in scripts { script src=(format!("{root}{script}")) defer {} }
                    }
                }
                body {
                    a.skip href="#content" { "Skip to the content" }
                    header.top {
                        a.brand href=(format!("{root}index.html")) {
                            (PreEscaped(files::MARK)) span { "Sproutnet" }
                        }
                        nav aria-label="Main" {
                            a href=(format!("{root}index.html#tables")) { "Tables" }
                            @if self.engine.is_some() {
                                a href=(format!("{root}play.html")) { "Play" }
                                a href=(format!("{root}play.html#/lesson")) { "Learn" }
                                a href=(format!("{root}play.html#/puzzles")) { "Puzzles" }
                                a href=(format!("{root}look-up.html")) { "Look up" }
                            }
                            a href=(format!("{root}certificates.html")) { "Certificates" }
                            a href=(format!("{root}references.html")) { "References" }
                        }
                    }
                    main #content tabindex="-1" { (content) }
                    footer.bottom {
                        p {
                            "Written by Sproutnet " (env!("CARGO_PKG_VERSION"))
                            ", which finds out who wins Sprouts, the game of Conway and Paterson."
                        }
                    }
                }
            }
        }
    }

    fn front(&self, starts: &Starts) -> Markup {
        let content = html! {
            div.hero {
                h1 { "Who wins Sprouts?" }
                p {
                    "Two players take turns to join spots by lines that do not cross; each line gets a new spot, and \
                     no spot takes more than three lines. Under normal play the player who moves last wins; under \
                     misère play that player loses."
                }
                @if self.engine.is_some() {
                    p {
                        a href="play.html" { "Play against the solver" } ", "
                        a href="look-up.html" { "look up a position" } " or "
                        a href="certificates.html" { "check a certificate" }
                        ": your browser does the work, and sends nothing to anybody."
                    }
                }
            }
            (starts.tables())
        };
        self.page("Who wins Sprouts?", "", &[], &content)
    }

    fn references(&self) -> Markup {
        let content = references::content("references.bib");
        self.page("References", "", &[], &content)
    }

    fn certificates(&self) -> Markup {
        let columns = [
            ("Certificate", ""),
            ("Position", "word"),
            ("Play", "word"),
            ("Outcome", "word"),
            ("Facts", "figure"),
            ("Size", "figure"),
            ("Made", "word"),
            ("SHA-256", ""),
        ];
        let rows = proofs().iter().map(|proof| {
            [
                html! { span id=(proof.name) { (self.named(proof, "")) } },
                position(proof, ""),
                html! { (words::play(proof.play)) },
                html! { span class=(format!("badge {}", proof.outcome)) { (proof.outcome) } },
                html! { (count(proof.facts)) },
                html! { (bytes(proof.bytes)) },
                html! { time datetime=(proof.date) { (proof.date) } },
                html! { code { (proof.sha256) } },
            ]
        });
        let content = html! {
            section aria-labelledby="certificates-title" {
                h1 #certificates-title { "Certificates" }
                p.lead {
                    "A certificate lists facts from which an outcome follows. A checker needs only the rules of the game \
                     and this file: it trusts no search."
                }
                @if self.engine.is_some() {
                    noscript { p.empty { "Without scripts, this page cannot check certificates." } }
                    div #check hidden {
                        div.field {
                            label for="file" { "Check a certificate on your machine" }
                            input #file type="file";
                        }
                        p #checked role="status" {}
                    }
                }
                p {
                    "On the command line, " code { "sproutnet verify FILE" } " checks a certificate, and "
                    code { "sha256sum FILE" } " shows whether it is the one in this list."
                }
                (layout::table("Certificates", columns, rows))
            }
        };
        self.page("Certificates", "", &ENGINE, &content)
    }

    fn look_up(&self) -> Markup {
        let content = html! {
            section aria-labelledby="look-up-title" {
                h1 #look-up-title { "Who wins this position?" }
                noscript { p.empty { "This page needs scripts: your browser searches the position." } }
                form.ask #ask hidden {
                    div.field.wide {
                        label for="position" { "Position" }
                        input #position name="position" required autocomplete="off" autocapitalize="none"
                            spellcheck="false" placeholder="0*5" aria-describedby="position-help";
                        p #position-help .help {
                            "For example, " code { "0*5" } " is five spots, " code { "0*3.1a1a" }
                            " is five spots after the first line, and " code { "kayles:3+4" } " is a sum of heaps of Kayles."
                        }
                    }
                    div.buttons { button { "Look it up" } }
                }
                p #told role="status" {}
                div #found {}
            }
        };
        self.page("Who wins this position?", "", &ENGINE, &content)
    }

    fn play(&self) -> Markup {
        let content = html! {
            noscript { p.empty { "This page needs scripts: your browser is the opponent." } }
            p role="status" { "One moment …" }
        };
        let scripts = [&ENGINE[..], &["play.js"]].concat();
        self.page("Play Sprouts", "", &scripts, &content)
    }

    /// The name of a certificate, as a link to its file if the site has it.
    fn named(&self, proof: &Proof, root: &str) -> Markup {
        html! {
            @if self.has_certificates {
                a.certificate href=(format!("{root}certificates/{}", proof.file())) data-sha256=(proof.sha256) {
                    (proof.name)
                }
            } @else {
                (proof.name)
            }
        }
    }
}

/// The position of a certificate, as a link to its page if there is one.
fn position(proof: &Proof, root: &str) -> Markup {
    html! {
        @match sproutnet_query::start_size("sprouts", proof.position) {
            Some(spots) => a.position href=(format!("{root}{}", starts::file(spots))) { (proof.position) },
            None => span.position { (proof.position) },
        }
    }
}
