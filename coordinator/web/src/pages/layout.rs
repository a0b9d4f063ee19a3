//! What all pages have in common.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::files;

/// A page before it is dressed.
pub(super) struct Page<'a> {
    /// What the tab is called.
    pub(super) title: &'a str,
    /// Without a script the page reloads after that many seconds. Pages without are not kept fresh
    /// at all.
    pub(super) refresh: Option<u32>,
    /// Whether the reader can sign out.
    pub(super) signed_in: bool,
}

impl Page<'_> {
    /// The whole of it.
    pub(super) fn with(&self, content: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) " · Sproutnet" }
                    link rel="icon" type="image/svg+xml" href=(files::ICON.path());
                    link rel="stylesheet" href=(files::STYLE.path());
                    @if let Some(seconds) = self.refresh {
                        noscript { meta http-equiv="refresh" content=(seconds); }
                        script src=(files::SCRIPT.path()) defer {}
                    }
                }
                body {
                    a.skip href="#content" { "Skip to the content" }
                    header.top {
                        a.brand href="/" { (PreEscaped(files::MARK)) span { "Sproutnet" } }
                        nav aria-label="Main" {
                            a href="/#tables" { "Tables" }
                            a href="/#computations" { "Computations" }
                            a href="/#fleet" { "Fleet" }
                            a href="/play" { "Play" }
                        }
                        @if self.refresh.is_some() {
                            p #live-status .live-status role="status" hidden {}
                        }
                    }
                    main #content tabindex="-1" { (content) }
                    footer.bottom {
                        p {
                            "Sproutnet " (env!("CARGO_PKG_VERSION"))
                            " finds out who wins Sprouts, the game of Conway and Paterson."
                        }
                        p {
                            a href="/metrics" { "Metrics" }
                            @if self.signed_in {
                                form method="post" action="/logout" {
                                    button.quiet { "Sign out" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
