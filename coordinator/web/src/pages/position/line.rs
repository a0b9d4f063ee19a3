//! How play goes on to the end.

use maud::{Markup, html};
use sproutnet_model::{Line, Step};

use super::Found;
use crate::links;
use crate::pages::drawings::thumbnail;
use crate::pages::words;

/// A longer line is opened by those who want it.
const LONG: usize = 9;

pub(super) fn section(found: &Found) -> Markup {
    let line = found.line.as_ref().filter(|line| line.steps.len() > 1);
    html! {
        div #line data-live {
            @if let Some(line) = line {
                section aria-labelledby="line-title" {
                    h2 #line-title { "How play goes on, under " (words::play(line.play)) " play" }
                    p { (summary(line)) }
                    @if line.steps.len() > LONG {
                        details {
                            summary { "Show all " (words::counted(moves(line), "move")) }
                            (steps(line, found.answer.game == "sprouts"))
                        }
                    } @else {
                        (steps(line, found.answer.game == "sprouts"))
                    }
                }
            }
        }
    }
}

fn moves(line: &Line) -> u64 {
    line.steps.len() as u64 - 1
}

fn summary(line: &Line) -> String {
    let moves = words::counted(moves(line), "move");
    let rest = "The winner makes a winning move; for the losing side, every move loses.";
    match line.complete {
        true => format!("To the end in {moves}. {rest}"),
        false => format!("The first {moves}, as far as winning moves are known. {rest}"),
    }
}

fn steps(line: &Line, is_drawn: bool) -> Markup {
    html! {
        ol.boards {
            @for step in &line.steps[1..] { (item(step, line, is_drawn)) }
        }
    }
}

fn item(step: &Step, line: &Line, is_drawn: bool) -> Markup {
    html! {
        li {
            a.small-board href=(links::moves(&step.canonical, line.play, 1)) {
                @if is_drawn { (thumbnail(&step.canonical)) }
                span.position { (step.canonical) }
            }
        }
    }
}
