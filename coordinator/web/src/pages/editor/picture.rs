//! The drawing with spots and lines to choose.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use sproutnet_board::pick::{self, Chosen};
use sproutnet_drawing::sheet::{Edit, Room, SIDE, Sheet, SheetPicture, Size};

use super::Address;
use super::draft::{Draft, Tool};
use super::talk::Misread;
use crate::extract::{Asked, At};
use crate::pages::Site;
use crate::pages::drawings::as_file;
use crate::pages::preview;
use crate::pages::words::{capital, named, spots};
use crate::problem::Problem;

/// The drawing, and over it everything that can be chosen.
pub(super) fn section(draft: &Draft, chosen: &Chosen, misread: Option<&Misread>) -> Markup {
    let sheet = draft.sheet();
    let is_free = matches!(chosen, Chosen::Nothing);
    let picture = SheetPicture {
        size: Size::Board,
        ..SheetPicture::default()
    };
    html! {
        figure #board .drawing {
            // The messages have the same height at all times, so that the board stays in its place.
            div.messages {
                p #told .told.wrong[misread.is_some()] role="status" {
                    @match misread {
                        Some(misread) => { "That text is not drawn. " (misread.told()) }
                        // There is no room for the last edit beside the question about the next one.
                        None if is_free => (told(draft)),
                        None => {}
                    }
                }
                p.prompt { (prompt(draft, chosen)) }
            }
            (tools(draft))
            div.board {
                div.drawn { (PreEscaped(sheet.svg(picture))) }
                svg.pick viewBox=(format!("0 0 {SIDE} {SIDE}")) role="group"
                    aria-label="The drawing: spots, lines, and places for more" {
                    @for (i, path) in sheet.paths().iter().enumerate().filter(|(i, _)| !sheet.is_arm(*i)) {
                        (edge(draft, chosen, i + 1, path))
                    }
                    path.ghost d="M0 0" {}
                    @if is_free {
                        @for room in sheet.rooms() { (place(draft, &room)) }
                    }
                    @for spot in (1..=sheet.spots().len()).filter(|spot| !sheet.is_middle(spot - 1)) {
                        @let remove = Edit::RemoveSpot(spot - 1).code();
                        (pick::target(sheet, chosen, spot, |more| draft.link_from_here(more), Some(&remove)))
                    }
                }
            }
            (of_chosen(draft, chosen))
            (changes(draft))
            (pick::caption(sheet, false))
        }
    }
}

/// The choice of what is put on the sheet.
fn tools(draft: &Draft) -> Markup {
    html! {
        div.choice.marks role="group" aria-label="What is put in a free place" {
            @for (of, name) in [(Tool::Spot, "a spot"), (Tool::Cross, "a cross")] {
                a href=(draft.link_with(of, "#board")) aria-current=[(of == draft.tool()).then_some("true")] { (name) }
            }
        }
    }
}

/// The buttons for the whole drawing.
fn changes(draft: &Draft) -> Markup {
    html! {
        div.buttons.changes {
            @if let Some(undone) = draft.undone() {
                a #undo .button.second href=(undone) { "Undo" }
                @if draft.sheet().lines().count() > 0 {
                    a.button.second href=(draft.after(&[Edit::Even])) { "Tidy" }
                }
                a.button.second href="/editor" { "Clear" }
                a.button.second href=(draft.picture("")) download="position.svg" { "Picture (SVG)" }
            }
        }
    }
}

/// A line to choose.
fn edge(draft: &Draft, chosen: &Chosen, line: usize, path: &str) -> Markup {
    let is_chosen = matches!(chosen, Chosen::Line(one) if *one == line);
    let class = if is_chosen { "edge chosen" } else { "edge" };
    let name = line_name(draft.sheet(), line);
    html! {
        a class=(class) href=(draft.link_from_here(&format!("&line={line}#board"))) aria-label=(name)
            data-remove=[removable(draft.sheet(), line)] {
            path d=(path) {}
        }
    }
}

/// The code of the edit that removes a line, if it can be removed alone.
fn removable(sheet: &Sheet, line: usize) -> Option<String> {
    let is_alone = !sheet.is_at_middle(line - 1);
    is_alone.then(|| Edit::RemoveLine(line - 1).code())
}

/// A line in words, with a number if there are several between its spots.
fn line_name(sheet: &Sheet, line: usize) -> String {
    let all: Vec<[usize; 2]> = sheet.ends().map(sorted).collect();
    let [one, other] = all[line - 1];
    let alike: Vec<usize> = (0..all.len())
        .filter(|&i| all[i] == all[line - 1])
        .collect();
    let which = alike.iter().position(|&i| i + 1 == line).unwrap_or(0) + 1;
    let which = match alike.len() {
        1 => String::new(),
        count => format!(", {which} of {count}"),
    };
    if one == other {
        format!("loop at spot {}{which}", one + 1)
    } else {
        let name = |end: usize| {
            if sheet.is_middle(end) {
                "a cross".to_owned()
            } else {
                named(sheet, end + 1)
            }
        };
        format!("line between {} and {}{which}", name(one), name(other))
    }
}

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// A place for a spot or a cross.
fn place(draft: &Draft, room: &Room) -> Markup {
    let sheet = draft.sheet();
    let (what, put) = match draft.tool() {
        Tool::Spot => ("new spot", sheet.put(room.at)),
        Tool::Cross => ("new cross", sheet.put_cross(room.at)),
    };
    let name = match &room.spots[..] {
        [] => what.to_owned(),
        around => format!("{what} in the region with {}", spots(sheet, around)),
    };
    let Ok(put) = put else {
        return html! {};
    };
    let (x, y) = (room.at.x, room.at.y);
    html! {
        // After its letter, the code of the edit is the place.
        a.place href=(draft.link_from_here(&format!("&at={}", &put.code()[1..]))) aria-label=(name) {
            circle.ring cx=(x) cy=(y) r="22" {}
            path d=(format!("M{} {y}h22M{x} {}v22", x - 11.0, y - 11.0)) {}
        }
    }
}

/// The last edit, in words.
fn told(draft: &Draft) -> String {
    let sheet = draft.sheet();
    match draft.last() {
        None => "The sheet is empty.".to_owned(),
        Some(Edit::Given) => "Nothing has been changed yet.".to_owned(),
        Some(Edit::Spot(_)) => format!("Spot {} is on the sheet.", sheet.spots().len()),
        Some(Edit::Line([one, other], _)) if one == other => {
            format!("A loop was drawn at spot {}.", one + 1)
        }
        Some(Edit::Line(ends, _)) => {
            let [one, other] = ends.map(|end| named(sheet, end + 1));
            format!("{} and {other} were joined.", capital(&one))
        }
        Some(Edit::RemoveSpot(spot)) => format!("Spot {} was removed.", spot + 1),
        Some(Edit::RemoveLine(_)) => "The line was removed.".to_owned(),
        Some(Edit::Divide(_)) => format!("Spot {} was put on the line.", sheet.spots().len()),
        Some(Edit::Even) => "The drawing was evened out.".to_owned(),
        Some(Edit::Cross(_)) => "A cross is on the sheet.".to_owned(),
        Some(Edit::Bar(_)) => "A cross was put on the line.".to_owned(),
        Some(Edit::End(_) | Edit::Middle(_)) => "A part of a cross is on the sheet.".to_owned(),
    }
}

/// The instruction for the reader's next step.
fn prompt(draft: &Draft, chosen: &Chosen) -> Markup {
    let sheet = draft.sheet();
    let new = match draft.tool() {
        Tool::Spot => "spot",
        Tool::Cross => "cross",
    };
    html! {
        @match chosen {
            Chosen::Nothing => {
                strong.by-links { "Choose + for a new " (new) ", or a spot or a line to change." }
                span.by-hand {
                    strong { "Choose a free place for a new " (new) ". Draw from spot to spot for a line." }
                    @if !sheet.spots().is_empty() { " Choose a spot or a line to change it." }
                }
            }
            Chosen::Spot(one) => {
                @if !sheet.partners(one - 1).is_empty() {
                    (pick::where_to(sheet, *one))
                } @else if sheet.is_end(one - 1) && sheet.lives(one - 1) == 0 {
                    strong { "Free end " (one) " takes one line, and has it." }
                } @else if sheet.lives(one - 1) == 0 {
                    strong { "Spot " (one) " has three lines, so no other begins there." }
                } @else {
                    strong { "There is nothing that " (named(sheet, *one)) " can be joined to." }
                }
            }
            Chosen::Line(line) => { strong { (capital(&line_name(sheet, *line))) "." } }
            Chosen::Both(one, other, ways) => { (pick::how(sheet, *one, *other, ways)) }
        }
    }
}

/// What can be done with the chosen spot or line, besides drawing a line from it.
fn of_chosen(draft: &Draft, chosen: &Chosen) -> Markup {
    let sheet = draft.sheet();
    let remove = |name: &str, edit: Edit| {
        html! { a.button href=(draft.after(&[edit])) { "Remove " (name) } }
    };
    html! {
        @if !matches!(chosen, Chosen::Nothing) {
            div.buttons.changes {
                @match chosen {
                    Chosen::Spot(one) => {
                        @let name = if sheet.is_end(one - 1) { "the cross".to_owned() } else { format!("spot {one}") };
                        (remove(&name, Edit::RemoveSpot(one - 1)))
                    }
                    Chosen::Line(line) => {
                        @if !sheet.is_at_middle(line - 1) { (remove("the line", Edit::RemoveLine(line - 1))) }
                        a.button.second href=(draft.after(&[Edit::Divide(line - 1)])) { "Put a spot on it" }
                        @if sheet.edited(&Edit::Bar(line - 1)).is_ok() {
                            a.button.second href=(draft.after(&[Edit::Bar(line - 1)])) { "Put a cross on it" }
                        }
                    }
                    Chosen::Nothing | Chosen::Both(..) => {}
                }
                a #elsewhere .button.second href=(draft.link("#board")) { "Choose something else" }
            }
        }
    }
}

/// The code of the edit that removes the chosen spot or line.
pub(super) fn removed(draft: &Draft, chosen: &Chosen) -> Option<String> {
    match chosen {
        Chosen::Spot(spot) => Some(Edit::RemoveSpot(spot - 1).code()),
        Chosen::Line(line) => removable(draft.sheet(), *line),
        Chosen::Nothing | Chosen::Both(..) => None,
    }
}

/// The ways to join the chosen spots, each with its picture.
pub(super) fn choice(draft: &Draft, chosen: &Chosen) -> Markup {
    pick::choice(draft.sheet(), chosen, false, |more, _| {
        (draft.link_from_here(more), draft.picture(more))
    })
}

/// The drawing as it is shown with a link.
pub(in crate::pages) async fn preview(
    State(site): State<Arc<Site>>,
    At(edits): At<String>,
) -> Result<Response, Problem> {
    let drawn = move || preview::file(Draft::read(&site.sheets, &edits, Tool::default())?.sheet());
    crate::blocking(drawn).await?
}

/// The drawing as a file: as it is, or with a line that could be drawn.
pub(in crate::pages) async fn file(
    State(site): State<Arc<Site>>,
    At(edits): At<String>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let drawn = move || -> Result<String, Problem> {
        let draft = Draft::read(&site.sheets, &edits, Tool::default())?;
        let sheet = draft.sheet();
        let wanted = super::wanted(sheet, &super::chosen(sheet, &address), &address);
        let wanted = wanted.map_err(|problem| Problem::missing(problem.text))?;
        if address.way.is_some() && wanted.is_none() {
            return Err(Problem::missing("there is no such line"));
        }
        let edits = wanted.unwrap_or_default();
        let sheet = edits.iter().try_fold(sheet.clone(), |sheet, edit| {
            let edited = sheet.edited(edit);
            edited.map_err(|error| Problem::missing(error.to_string()))
        })?;
        let size = match address.way {
            Some(_) => Size::Small,
            None => Size::Large,
        };
        Ok(sheet.svg(SheetPicture {
            style: true,
            size,
            ..SheetPicture::default()
        }))
    };
    Ok(as_file(crate::blocking(drawn).await??))
}
