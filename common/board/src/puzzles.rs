//! Puzzles: positions with exactly one winning move, from the [`collection`].

use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::sheet::{Sheet, SheetGame, SheetPicture, Size};
use sproutnet_game::{self as game, Game, Sprouts};
use sproutnet_model::Known;

use crate::address::{People, Show, Terms};
use crate::collection::{self, Entry, Grade, Puzzle};
use crate::form;
use crate::host::Around;
use crate::links;
use crate::opponent::Knowledge;
use crate::problem::Problem;
use crate::reply::{Page, Reply};
use crate::state::Match;
use crate::task::Task;
use crate::words::{self, capital, when};

/// The number of puzzles of a grade whose boards are shown in the list.
const SHOWN: u32 = 6;

/// The address of a puzzle.
pub(crate) fn address(puzzle: Puzzle) -> String {
    format!("/puzzles/{puzzle}")
}

/// The address of a sheet of puzzles to print: of one level, or of all.
pub(crate) fn address_of_sheet(level: Option<Grade>) -> String {
    let query = level.map(|level| format!("?level={}", level.name()));
    format!("/puzzles/sheet{}", query.unwrap_or_default())
}

/// The list of puzzles.
pub fn list(around: Around) -> Reply {
    let [easy, medium, hard] = Grade::ALL.map(collection::count);
    let content = html! {
        div.hero {
            h1 { "Find the only winning move" }
            p {
                "In each of these positions one move wins, and all others lose. The outcome of every move is proved. Lines \
                 that lead to the same position count as one move. Odd numbers are normal play, even numbers misère play. \
                 There are " (easy) " easy, " (medium) " medium and " (hard) " hard puzzles."
            }
            p {
                "Sheets to print, with solutions: " a href=(address_of_sheet(None)) { "all levels" }
                @for grade in Grade::ALL { ", " a href=(address_of_sheet(Some(grade))) { (grade.name()) } }
                "."
            }
        }
        @for grade in Grade::ALL {
            section aria-labelledby=(grade.name()) {
                h2 #(grade.name()) { (capital(grade.name())) }
                ul.boards.wide {
                    @for number in 1..=SHOWN { li { (small(Puzzle { grade, number }, around)) } }
                }
                details {
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
    Reply::Page(Page::plain("Puzzles", content))
}

fn small(puzzle: Puzzle, around: Around) -> Markup {
    html! {
        a.small-board href=(address(puzzle)) {
            img.way src=(address_of_picture(puzzle, false, around)) alt="" loading="lazy" decoding="async" width="176" height="176";
            span { (name(puzzle)) }
        }
    }
}

/// The address of the drawing of a puzzle, or of its solution.
pub(crate) fn address_of_picture(puzzle: Puzzle, is_solved: bool, around: Around) -> String {
    let query = when(is_solved, "?solution=1");
    let file = || format!("{}/picture.svg{query}", address(puzzle));
    around.picture(file, || drawn(puzzle, is_solved).ok())
}

/// The name of a puzzle, with its convention.
pub(crate) fn name(puzzle: Puzzle) -> String {
    let Entry { play, .. } = collection::entry_of(puzzle);
    let Puzzle { grade, number } = puzzle;
    format!("{} {number}, {}", grade.name(), words::play(*play))
}

/// Leads to the board with a puzzle.
///
/// # Errors
/// Its position cannot be drawn.
pub fn page(puzzle: Puzzle) -> Result<Reply, Problem> {
    let Entry { play, position, .. } = collection::entry_of(puzzle);
    let text = game::qualified(&Sprouts, position);
    let text = form::drawn(&text)?;
    let terms = Terms {
        play: *play,
        you: People::Both,
        task: Some(Task::Puzzle(puzzle)),
        ..Terms::default()
    };
    Ok(Reply::To(links::board(&text, "", terms)))
}

/// The query of the drawing of a puzzle.
#[derive(Deserialize)]
pub struct Look {
    /// Whether the winning line is drawn; 0 means no.
    solution: Option<u8>,
}

/// The drawing of a puzzle, or of its solution, as a file.
///
/// # Errors
/// It cannot be drawn.
pub fn picture(puzzle: Puzzle, look: &Look) -> Result<String, Problem> {
    drawn(puzzle, look.solution.is_some_and(|is| is > 0))
}

fn drawn(puzzle: Puzzle, is_solved: bool) -> Result<String, Problem> {
    let entry = collection::entry_of(puzzle);
    let read = |text: &str| {
        let position = Sprouts.parse(text);
        position.map_err(|error| Problem::bad(error.to_string()))
    };
    let sheet = Sheet::of(&read(entry.position)?);
    let mut sheet = sheet.map_err(|error| Problem::bad(error.to_string()))?;
    if is_solved {
        let line = sheet.route_to(&read(entry.answer)?);
        let line = line.ok_or_else(|| Problem::missing("this line has no room"))?;
        let solved = sheet.drawn(&line);
        sheet = solved.map_err(|error| Problem::missing(error.to_string()))?;
    }
    Ok(sheet.svg(SheetPicture {
        marked: usize::from(is_solved),
        style: true,
        size: Size::Small,
        ..SheetPicture::default()
    }))
}

/// What the collection says of a match, without a search: before the first move of a puzzle, or after it. `None` for
/// another match.
pub(crate) fn known(game: &Match, show: Option<Show>) -> Option<Knowledge> {
    let Some(Task::Puzzle(puzzle)) = game.terms.task else {
        return None;
    };
    let entry = collection::entry_of(puzzle);
    let print = |sheet: &Sheet| Sprouts.print(&sheet.position());
    if game.sheet().game() != SheetGame::Sprouts {
        return None;
    }
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
