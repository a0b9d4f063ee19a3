//! The moves of a position, those that win first.

use maud::{Markup, html};
use sproutnet_model::{Known, Verdict};
use sproutnet_solver::play::Play;

use super::Found;
use crate::links;
use crate::pages::drawings::thumbnail;
use crate::pages::words;

/// So many are shown at a time.
const A_PAGE: usize = 60;

pub(super) fn section(found: &Found, page: usize) -> Markup {
    let is_over = found.answer.most_moves == 0;
    html! {
        section #moves data-live aria-labelledby="moves-title" {
            h2 #moves-title { "Moves" }
            @match &found.moves {
                _ if is_over => p { "There are none: the game is over." },
                Err(reason) => p.empty { (words::sentence_of(reason)) },
                Ok(moves) => {
                    p {
                        (words::counted(moves.len() as u64, "move"))
                        ", each shown as what it leads to, up to equal play. The outcome is that of who \
                         makes the move."
                    }
                    (conventions(found))
                    (listed(found, moves, page))
                }
            }
        }
    }
}

/// The choice of the convention.
fn conventions(found: &Found) -> Markup {
    html! {
        nav.choice aria-label="Convention" {
            @for play in Play::ALL {
                a href=(format!("{}#moves", links::moves(&found.answer.canonical, play, 1)))
                    aria-current=[(play == found.play).then_some("true")] {
                    (words::play(play)) " play"
                }
            }
        }
    }
}

fn listed(found: &Found, moves: &[Verdict], page: usize) -> Markup {
    let pages = moves.len().div_ceil(A_PAGE).max(1);
    let page = page.clamp(1, pages);
    let from = (page - 1) * A_PAGE;
    let shown = &moves[from..moves.len().min(from + A_PAGE)];
    let outcome = |of: &Verdict| of.outcome(found.play);
    let groups = shown.chunk_by(|a, b| outcome(a) == outcome(b));
    html! {
        @for group in groups {
            @let known = outcome(&group[0]);
            @let all = moves.iter().filter(|of| outcome(of) == known).count();
            h3.group.(class(known)) {
                (title(known)) " "
                small {
                    @if group.len() < all { (group.len()) " of " }
                    (all)
                }
            }
            ul.boards { @for of in group { (item(of, found)) } }
        }
        @if pages > 1 { (pager(found, page, pages)) }
    }
}

fn item(of: &Verdict, found: &Found) -> Markup {
    let known = of.outcome(found.play);
    html! {
        li {
            a.small-board.(class(known)) href=(links::moves(&of.canonical, found.play, 1)) {
                @if found.answer.game == "sprouts" { (thumbnail(&of.canonical)) }
                span.position { (of.canonical) }
                small {
                    b { (known.name()) }
                    @if let Some(nimber) = of.nimber { ", nimber " (nimber) }
                    @if of.verified.contains(&found.play) { ", verified" }
                }
            }
        }
    }
}

fn pager(found: &Found, page: usize, pages: usize) -> Markup {
    let to = |page| {
        let moves = links::moves(&found.answer.canonical, found.play, page);
        format!("{moves}#moves")
    };
    html! {
        nav.pager aria-label="Pages of moves" {
            @if page > 1 { a rel="prev" href=(to(page - 1)) { "Moves before" } }
            span { "Page " (page) " of " (pages) }
            @if page < pages { a rel="next" href=(to(page + 1)) { "More moves" } }
        }
    }
}

fn title(known: Known) -> &'static str {
    match known {
        Known::Win => "Winning moves",
        Known::InProgress => "In progress",
        Known::Unknown => "Not known",
        Known::Loss => "Losing moves",
    }
}

fn class(known: Known) -> &'static str {
    match known {
        Known::Win | Known::Loss => known.name(),
        Known::InProgress => "busy",
        Known::Unknown => "open",
    }
}
