//! Sheets of puzzles to print, with the solutions on a page of their own.

use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_game::{self as game, Sprouts};

use crate::collection::{self, Grade, Puzzle};
use crate::host::Around;
use crate::puzzles::{address, address_of_picture, address_of_sheet, name};
use crate::reply::{Page, Reply};
use crate::words::capital;

/// The number of puzzles on a sheet of one level, and of each level on a sheet of all.
const OF_ONE_LEVEL: u32 = 12;
const OF_EACH_LEVEL: u32 = 6;

/// The query in the address of a sheet.
#[derive(Deserialize)]
pub struct Wanted {
    /// The only level on it; all, if there is none.
    level: Option<Grade>,
}

/// A sheet to print.
pub fn page(around: Around, wanted: &Wanted) -> Reply {
    let level = wanted.level;
    let (levels, count) = match level {
        Some(level) => (vec![level], OF_ONE_LEVEL),
        None => (Grade::ALL.to_vec(), OF_EACH_LEVEL),
    };
    let of = |grade: Grade| (1..=count).map(move |number| Puzzle { grade, number });
    let content = html! {
        p.above.unprinted { a href="/puzzles" { "Puzzles" } " / to print" }
        div.hero {
            h1 { "Find the only winning move" }
            p {
                "In each of these positions one move wins, and all others lose. Normal play: a player who cannot move has \
                 lost. Misère play: that player has won."
            }
            p.printed.blank { "Name" }
            div.choice.unprinted role="group" aria-label="Level" { (choice(level)) }
        }
        @for grade in &levels {
            section aria-labelledby=(grade.name()) {
                h2 #(grade.name()) { (capital(grade.name())) }
                ul.boards.wide.puzzles {
                    @for puzzle in of(*grade) {
                        li {
                            a.small-board href=(address(puzzle)) {
                                img.way src=(address_of_picture(puzzle, false, around)) alt="" width="176" height="176";
                                span { (name(puzzle)) }
                            }
                            p.printed.blank { "Answer" }
                        }
                    }
                }
            }
        }
        section.solutions aria-labelledby="solutions" {
            h2 #solutions { "Solutions" }
            ul.boards.puzzles {
                @for puzzle in levels.iter().copied().flat_map(of) { li { (solution(puzzle, around)) } }
            }
        }
    };
    Reply::Page(Page::plain("Puzzles to print", content))
}

/// The links to the sheets of other levels.
fn choice(chosen: Option<Grade>) -> Markup {
    let levels = [None].into_iter().chain(Grade::ALL.map(Some));
    html! {
        @for level in levels {
            a href=(address_of_sheet(level)) aria-current=[(level == chosen).then_some("true")] {
                (level.map_or("all", Grade::name))
            }
        }
    }
}

/// The winning line of a puzzle, and the position after it.
fn solution(puzzle: Puzzle, around: Around) -> Markup {
    let after = game::qualified(&Sprouts, collection::entry_of(puzzle).answer);
    html! {
        div.small-board {
            img.way src=(address_of_picture(puzzle, true, around)) alt={ "The winning line of " (name(puzzle)) }
                width="176" height="176";
            span { (name(puzzle)) }
            a.position href=(around.position(&after)) { (after) }
        }
    }
}
