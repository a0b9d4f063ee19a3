//! The common parts of pages.

use maud::{DOCTYPE, Markup, PreEscaped, html};
pub(super) use sproutnet_board::parts::{Column, choice, section, table};

use super::drawings::thumbnail;
use super::preview::Preview;
use super::{files, inlined};

/// The script of a page.
#[derive(Clone, Copy)]
pub(super) enum Script {
    /// Keeps the page fresh. Without it, the page reloads after this number of seconds, if there is one. A page with a
    /// form has none: a reload would wipe what was typed.
    Live(Option<u32>),
    /// Keeps the page fresh, and draws a first line.
    Front,
    /// Draws lines by hand.
    Board,
    /// Steps from move to move by keys.
    Review,
    /// Draws lines by hand, and puts spots.
    Editor,
    /// Copies an address.
    Share,
    /// Draws lines by hand, and shows those of the other player.
    Match {
        /// Whether the page waits for a line of the other player. Without the script, such a page reloads.
        waits: bool,
    },
}

/// A whole page, and the preview of links to it. A page without a script never changes by itself. Readers who signed in can sign out.
pub(super) fn page(
    title: &str,
    script: Option<Script>,
    preview: Option<&Preview>,
    signed_in: bool,
    content: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Sproutnet" }
                @if let Some(preview) = preview { (preview.head()) }
                link rel="icon" type="image/svg+xml" href=(files::ICON.path);
                (inlined::link())
                @match script {
                    Some(Script::Live(seconds)) => {
                        @if let Some(seconds) = seconds {
                            noscript { meta http-equiv="refresh" content=(seconds); }
                        }
                        script src=(files::LIVE.path) defer {}
                    }
                    Some(Script::Front) => script src=(files::FRONT.path) defer {},
                    Some(Script::Board) => script src=(files::BOARD.path) defer {},
                    Some(Script::Review) => script src=(files::REVIEW.path) defer {},
                    Some(Script::Match { waits }) => {
                        @if waits { noscript { meta http-equiv="refresh" content="5"; } }
                        script src=(files::MATCH.path) defer {}
                    }
                    Some(Script::Editor) => script src=(files::EDITOR.path) defer {},
                    Some(Script::Share) => script src=(files::SHARE.path) defer {},
                    None => {}
                }
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    a.brand href="/" { (PreEscaped(files::MARK)) span { "Sproutnet" } }
                    nav aria-label="Main" {
                        a href="/board" { "Play" }
                        a href="/lesson" { "Learn" }
                        a href="/puzzles" { "Puzzles" }
                        a href="/editor" { "Draw" }
                        a href="/#tables" { "Tables" }
                        a href="/#computations" { "Computations" }
                        a href="/fleet" { "Fleet" }
                        a href="/help" { "Help" }
                    }
                    @if matches!(script, Some(Script::Live(_) | Script::Front)) {
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
                        a href="/references" { "References" }
                        a href="/api" { "API" }
                        a href="/metrics" { "Metrics" }
                        a href="/audit-log" { "Audit log" }
                        @if signed_in {
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

/// A figure with its name, and more about it.
pub(super) fn card(name: &str, figure: &str, more: &str) -> Markup {
    html! { div.card { dt { (name) } dd { b { (figure) } small { (more) } } } }
}

/// A position as a link: its drawing, its text, and more about it.
pub(super) fn small_board(
    text: &str,
    to: &str,
    is_drawn: bool,
    class: &str,
    more: &Markup,
) -> Markup {
    html! {
        li {
            a class=(format!("small-board {class}").trim_end()) href=(to) {
                @if is_drawn { (thumbnail(text)) }
                span.position { (text) }
                (more)
            }
        }
    }
}
