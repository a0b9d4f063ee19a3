//! A line of play from a position, and its moves, winning moves first.

use maud::{Markup, html};
use sproutnet_board::form::can_begin_with;
use sproutnet_model::{Known, Line, Step, Verdict};
use sproutnet_solver::play::Play;

use super::Found;
use crate::links;
use crate::pages::drawings::has_pictures;
use crate::pages::layout::{self, small_board};
use crate::pages::words;

/// The maximum number of moves on a page.
const A_PAGE: usize = 60;

/// The maximum number of positions in a line that is not folded.
const LONG: usize = 9;

pub(super) fn section(found: &Found, page: usize) -> Markup {
    let is_over = found.answer.most_moves == 0;
    let content = html! {
        @match &found.moves {
            _ if is_over => p { "There are none: the game is over." },
            Err(reason) => p.empty { (words::sentence_of(reason)) },
            Ok(moves) => {
                p {
                    (words::counted(moves.len() as u64, "move"))
                    ", each shown as the position it leads to, up to equal play. The outcome is that of \
                     the player who makes the move."
                }
                (conventions(found))
                (listed(found, moves, page))
            }
        }
    };
    layout::section("moves", "Moves", true, &content)
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
    let more = html! {
        small {
            b { (known.name()) }
            @if let Some(nimber) = of.nimber { ", nimber " (nimber) }
            @if of.verified.contains(&found.play) { ", verified" }
        }
    };
    let to = links::moves(&of.canonical, found.play, 1);
    let is_drawn = has_pictures(&found.answer.game);
    small_board(&of.canonical, &to, is_drawn, class(known), &more)
}

fn pager(found: &Found, page: usize, pages: usize) -> Markup {
    let to = |page| links::moves(&found.answer.canonical, found.play, page) + "#moves";
    html! {
        nav.pager aria-label="Pages of moves" {
            @if page > 1 { a rel="prev" href=(to(page - 1)) { "Previous moves" } }
            span { "Page " (page) " of " (pages) }
            @if page < pages { a rel="next" href=(to(page + 1)) { "More moves" } }
        }
    }
}

fn title(known: Known) -> &'static str {
    match known {
        Known::Win => "Winning moves",
        Known::InProgress => "In progress",
        Known::Unknown => "Unknown",
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

/// A line of play to the end, if one is known.
pub(super) fn line(found: &Found) -> Markup {
    let line = found.line.as_ref().filter(|line| line.steps.len() > 1);
    html! {
        div #line data-live {
            @if let Some(line) = line {
                section aria-labelledby="line-title" {
                    h2 #line-title { "Line of play, under " (words::play(line.play)) " play" }
                    p { (summary(line)) }
                    @if can_begin_with(&found.answer) {
                        p {
                            a.button.second rel="nofollow" href=(links::line(&found.answer.canonical, line.play)) {
                                "Follow it on one drawing"
                            }
                        }
                    }
                    @let steps = steps(line, has_pictures(&found.answer.game));
                    @if line.steps.len() > LONG {
                        details {
                            summary { "Show all " (words::counted(length(line), "move")) }
                            (steps)
                        }
                    } @else {
                        (steps)
                    }
                }
            }
        }
    }
}

fn length(line: &Line) -> u64 {
    line.steps.len() as u64 - 1
}

fn summary(line: &Line) -> String {
    let moves = words::counted(length(line), "move");
    let rest = "The winner makes a winning move; for the losing side, every move loses.";
    if line.complete {
        format!("To the end in {moves}. {rest}")
    } else {
        format!("The first {moves}. What follows is not known, or too long to show. {rest}")
    }
}

fn steps(line: &Line, is_drawn: bool) -> Markup {
    html! {
        ol.boards {
            @for (i, Step { canonical, .. }) in line.steps.iter().enumerate().skip(1) {
                @let to = links::moves(canonical, line.play, 1);
                // Nothing is left to draw there.
                @let is_end = line.complete && i == line.steps.len() - 1;
                @let more = html! { @if is_end { small { "the end" } } };
                (small_board(canonical, &to, is_drawn && !is_end, "", &more))
            }
        }
    }
}
