//! Puzzles: positions with exactly one winning move, from the [`collection`].

use std::sync::Arc;

use axum::extract::State;
use axum::response::{Redirect, Response};
use maud::{Markup, html};
use sproutnet_drawing::sheet::{Sheet, SheetPicture};
use sproutnet_game::{self as game, Game, Sprouts};
use sproutnet_model::Known;

use super::collection::{self, Entry, Grade, Puzzle};
use super::form;
use super::opponent::Knowledge;
use super::state::{Match, People, Show, Terms};
use super::task::Task;
use crate::extract::{At, Name};
use crate::links;
use crate::pages::Site;
use crate::pages::pick;
use crate::pages::words::{self, capital};
use crate::problem::Problem;

/// The number of puzzles of a grade on the sheet.
const ON_THE_SHEET: u32 = 6;

impl Name for Puzzle {
    const MISSING: &'static str = "there is no such puzzle";
}

/// The address of a puzzle.
pub(super) fn address(puzzle: Puzzle) -> String {
    format!("/puzzles/{puzzle}")
}

/// The list of puzzles, which is also a sheet to print.
pub(in crate::pages) async fn list(State(site): State<Arc<Site>>) -> Markup {
    let [easy, medium, hard] = Grade::ALL.map(collection::count);
    let content = html! {
        div.hero {
            h1 { "Find the only winning move" }
            p {
                "In each of these positions one move wins, and all others lose. The outcome of every move is proved. Lines \
                 that lead to the same position count as one move. Odd numbers are normal play, even numbers misère play. \
                 There are " (easy) " easy, " (medium) " medium and " (hard) " hard puzzles."
            }
            p.unprinted { "This page is also a sheet to print." }
            p.printed.blank { "Name" }
        }
        @for grade in Grade::ALL {
            section aria-labelledby=(grade.name()) {
                h2 #(grade.name()) { (capital(grade.name())) }
                ul.boards.wide.puzzles {
                    @for number in 1..=ON_THE_SHEET { (small(Puzzle { grade, number })) }
                }
                details.unprinted {
                    summary { "All " (grade.name()) " ones" }
                    p.numbers {
                        @for number in 1..=collection::count(grade) {
                            a href=(address(Puzzle { grade, number })) { (number) } " "
                        }
                    }
                }
            }
        }
    };
    site.page("Puzzles", None, &content)
}

fn small(puzzle: Puzzle) -> Markup {
    let link = address(puzzle);
    let Entry { play, .. } = collection::entry_of(puzzle);
    html! {
        li {
            a.small-board href=(link) {
                img.way src={ (link) "/picture.svg" } alt="" loading="lazy" decoding="async" width="176" height="176";
                span { (puzzle.grade.name()) " " (puzzle.number) ", " (words::play(*play)) }
            }
            p.printed.blank { "Answer" }
        }
    }
}

/// Redirects to the board with a puzzle.
pub(in crate::pages) async fn page(At(puzzle): At<Puzzle>) -> Result<Redirect, Problem> {
    let Entry { play, position, .. } = collection::entry_of(puzzle);
    let text = game::qualified(&Sprouts, position);
    let text = crate::blocking(move || form::drawn(&text)).await??;
    let terms = Terms {
        play: *play,
        you: People::Both,
        task: Some(Task::Puzzle(puzzle)),
        ..Terms::default()
    };
    Ok(Redirect::to(&links::board(&text, "", terms)))
}

/// The drawing of a puzzle.
pub(in crate::pages) async fn picture(At(puzzle): At<Puzzle>) -> Result<Response, Problem> {
    let drawn = move || -> Result<String, Problem> {
        let position = Sprouts.parse(collection::entry_of(puzzle).position);
        let position = position.map_err(|error| Problem::bad(error.to_string()))?;
        let sheet = Sheet::of(&position).map_err(|error| Problem::bad(error.to_string()))?;
        Ok(sheet.svg(SheetPicture {
            style: true,
            small: true,
            ..SheetPicture::default()
        }))
    };
    Ok(pick::as_file(crate::blocking(drawn).await??))
}

/// What the collection says of a match, without a search: before the first move of a puzzle, or after it. `None` for
/// another match.
pub(super) fn known(game: &Match, show: Option<Show>) -> Option<Knowledge> {
    let Some(Task::Puzzle(puzzle)) = game.terms.task else {
        return None;
    };
    let entry = collection::entry_of(puzzle);
    let print = |sheet: &Sheet| Sprouts.print(&sheet.position());
    if game.terms.play != entry.play || print(game.sheet_after(0)) != entry.position {
        return None;
    }
    let (outcome, hint) = match game.moves() {
        0 if show == Some(Show::Hint) => {
            let answer = Sprouts.parse(entry.answer).ok()?;
            (Known::Win, game.sheet().route_to(&answer))
        }
        1 if print(game.sheet()) == entry.answer => (Known::Loss, None),
        0 | 1 => (Known::Win, None),
        _ => return None,
    };
    Some(Knowledge { outcome, hint })
}
