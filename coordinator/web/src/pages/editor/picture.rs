//! The drawing on which spots and lines are put and chosen.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::sheet::{Choice, Edit, Room, SIDE, Sheet, SheetPicture};

use super::draft::Draft;
use super::talk::Misread;
use super::{Address, Edits};
use crate::extract::{Asked, At};
use crate::pages::words::{capital, joining, spots};
use crate::pages::{Site, board};
use crate::problem::Problem;

/// What is chosen. Spots and lines are counted from 1.
pub(super) enum Chosen {
    Nothing,
    Spot(usize),
    Line(usize),
    /// Two spots, and the ways to join them.
    Both(usize, usize, Vec<Choice>),
}

impl Chosen {
    /// What the address says. What is not there is ignored.
    pub(super) fn of(sheet: &Sheet, address: &Address) -> Self {
        let spots = 1..=sheet.spots().len();
        if let Some(line) = address
            .line
            .filter(|line| (1..=sheet.ends().count()).contains(line))
        {
            return Self::Line(line);
        }
        let Some(one) = address.spot.filter(|one| spots.contains(one)) else {
            return Self::Nothing;
        };
        let ends = sheet.partners(one - 1);
        match address.to.filter(|&to| to > 0 && ends.contains(&(to - 1))) {
            Some(other) => Self::Both(one, other, board::ways(sheet, one, other)),
            None => Self::Spot(one),
        }
    }
}

/// The drawing, with all that can be chosen over it.
pub(super) fn section(draft: &Draft, chosen: &Chosen, misread: Option<&Misread>) -> Markup {
    let sheet = draft.sheet();
    let is_free = matches!(chosen, Chosen::Nothing);
    html! {
        figure #board .drawing {
            p #told .told.wrong[misread.is_some()] role="status" {
                @match misread {
                    Some(misread) => { "That text is not drawn. " (misread.told()) }
                    None => (told(draft)),
                }
            }
            (prompt(draft, chosen))
            div.board {
                div.drawn { (PreEscaped(sheet.svg(SheetPicture::default()))) }
                svg.pick viewBox=(format!("0 0 {SIDE} {SIDE}")) role="group"
                    aria-label="The drawing: spots, lines, and places for spots" {
                    @for (i, path) in sheet.paths().iter().enumerate() { (edge(draft, chosen, i + 1, path)) }
                    path.ghost d="M0 0" {}
                    @if is_free {
                        @for room in sheet.rooms() { (place(draft, &room)) }
                    }
                    @for spot in 1..=sheet.spots().len() { (target(draft, chosen, spot)) }
                }
            }
            (changes(draft))
            figcaption {
                "The colour of a spot says how many lines it can still take: blue three, green two, orange one, grey none. \
                 Nothing more can be drawn in grey regions."
            }
        }
    }
}

/// What can be done with the whole drawing.
fn changes(draft: &Draft) -> Markup {
    html! {
        div.buttons.changes {
            @if let Some(undone) = draft.undone() {
                a #undo .button.second href=(undone) { "Undo" }
                @if draft.sheet().lines().count() > 0 {
                    a.button.second href=(draft.after(&[Edit::Even])) { "Even out" }
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
        a class=(class) href=(draft.link(&format!("&line={line}#board"))) aria-label=(name)
            data-remove=(draft.after(&[Edit::RemoveLine(line - 1)])) {
            path d=(path) {}
        }
    }
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
    match one == other {
        true => format!("loop at spot {}{which}", one + 1),
        false => format!(
            "line between spot {} and spot {}{which}",
            one + 1,
            other + 1
        ),
    }
}

fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// A place for a spot.
fn place(draft: &Draft, room: &Room) -> Markup {
    let around: Vec<usize> = room.spots.iter().map(|spot| spot + 1).collect();
    let name = match &around[..] {
        [] => "new spot".to_owned(),
        around => format!("new spot in the region with {}", spots(around)),
    };
    let Ok(put) = draft.sheet().put(room.at) else {
        return html! {};
    };
    let (x, y) = (room.at.x, room.at.y);
    html! {
        a.place href=(draft.after(&[put])) aria-label=(name) {
            circle.ring cx=(x) cy=(y) r="22" {}
            path d=(format!("M{} {y}h22M{x} {}v22", x - 11.0, y - 11.0)) {}
        }
    }
}

fn target(draft: &Draft, chosen: &Chosen, spot: usize) -> Markup {
    let sheet = draft.sheet();
    let name = board::name(sheet, spot);
    let remove = draft.after(&[Edit::RemoveSpot(spot - 1)]);
    let (to, class, name) = match chosen {
        Chosen::Nothing | Chosen::Line(_) => (Some(format!("&spot={spot}#board")), "free", name),
        Chosen::Spot(one) => {
            let can = sheet.partners(one - 1).contains(&(spot - 1));
            let class = match (spot == *one, can) {
                (true, _) => "chosen",
                (false, true) => "partner",
                (false, false) => "out",
            };
            let name = format!("{}: {name}", joining(*one, spot));
            (
                can.then(|| format!("&spot={one}&to={spot}#choice")),
                class,
                name,
            )
        }
        Chosen::Both(one, other, _) => {
            let is_end = spot == *one || spot == *other;
            (None, if is_end { "chosen" } else { "out" }, name)
        }
    };
    let id = format!("spot-{spot}");
    let ends = board::ends(sheet, spot);
    let circles = board::circles(sheet, spot);
    html! {
        @match to {
            Some(more) => a id=(id) .target.(class) href=(draft.link(&more)) aria-label=(name)
                data-ends=(ends) data-remove=(remove) { (circles) },
            None => g id=(id) .target.(class) data-ends=(ends) { (circles) },
        }
    }
}

/// What was done last.
fn told(draft: &Draft) -> String {
    let sheet = draft.sheet();
    match draft.last() {
        None => "The sheet is empty.".to_owned(),
        Some(Edit::Given) => "Nothing has been changed yet.".to_owned(),
        Some(Edit::Spot(_)) => format!("Spot {} is on the sheet.", sheet.spots().len()),
        Some(Edit::Line([one, other], _)) if one == other => {
            format!("A loop was drawn at spot {}.", one + 1)
        }
        Some(Edit::Line([one, other], _)) => {
            format!("Spot {} and spot {} were joined.", one + 1, other + 1)
        }
        Some(Edit::RemoveSpot(spot)) => format!("Spot {} was removed.", spot + 1),
        Some(Edit::RemoveLine(_)) => "The line was removed.".to_owned(),
        Some(Edit::Divide(_)) => format!("Spot {} was put on the line.", sheet.spots().len()),
        Some(Edit::Even) => "The drawing was evened out.".to_owned(),
    }
}

/// What to do next.
fn prompt(draft: &Draft, chosen: &Chosen) -> Markup {
    let sheet = draft.sheet();
    let elsewhere =
        html! { a.button.second href=(draft.link("#board")) { "Choose something else" } };
    let remove = |name: &str, edit: Edit| {
        html! { a.button href=(draft.after(&[edit])) { "Remove " (name) } }
    };
    html! {
        div.prompt {
            @match chosen {
                Chosen::Nothing => {
                    p.by-links { strong { "Choose + for a new spot, or a spot or a line to change." } }
                    p.by-hand {
                        strong { "Click for a new spot. Draw from spot to spot for a line." }
                        @if !sheet.spots().is_empty() { " Click a spot or a line to change it." }
                    }
                }
                Chosen::Spot(one) => {
                    p {
                        strong {
                            @match sheet.partners(one - 1).is_empty() {
                                false => { "Where does the line from spot " (one) " end?" }
                                true if sheet.lives(one - 1) == 0 => { "Spot " (one) " has three lines, so no other begins there." }
                                true => { "There is nothing that spot " (one) " can be joined to." }
                            }
                        }
                        @if sheet.partners(one - 1).contains(&(one - 1)) { " At the same spot it is a loop." }
                    }
                    div.buttons { (remove(&format!("spot {one}"), Edit::RemoveSpot(one - 1))) (elsewhere) }
                }
                Chosen::Line(line) => {
                    p { strong { (capital(&line_name(sheet, *line))) "." } }
                    div.buttons {
                        (remove("the line", Edit::RemoveLine(line - 1)))
                        a.button.second href=(draft.after(&[Edit::Divide(line - 1)])) { "Put a spot on it" }
                        (elsewhere)
                    }
                }
                Chosen::Both(one, other, ways) => {
                    p {
                        strong { (capital(&joining(*one, *other))) ": how?" }
                        @match ways.len() {
                            0 => " There are too many ways to list. Draw the line by hand.",
                            ways => { " There are " (ways) " ways." }
                        }
                    }
                    div.buttons { (elsewhere) }
                }
            }
        }
    }
}

/// The ways to join the chosen spots, each with its picture.
pub(super) fn choice(draft: &Draft, chosen: &Chosen) -> Markup {
    let Chosen::Both(one, other, ways) = chosen else {
        return html! {};
    };
    let to = |more: &str| (draft.link(more), draft.picture(more));
    board::ways_to_join(*one, *other, ways, false, to)
}

/// The drawing as a file: as it is, or with a line that could be drawn.
pub(in crate::pages) async fn file(
    State(site): State<Arc<Site>>,
    At(Edits { edits }): At<Edits>,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let drawn = move || -> Result<String, Problem> {
        let draft = Draft::read(&site.sheets, &edits)?;
        let small = address.way.is_some();
        let style = SheetPicture {
            style: true,
            small,
            ..SheetPicture::default()
        };
        let chosen = Chosen::of(draft.sheet(), &address);
        let sheet = match super::wanted(draft.sheet(), &chosen, &address) {
            Ok(Some(more)) => more.iter().try_fold(draft.sheet().clone(), |sheet, edit| {
                sheet
                    .edited(edit)
                    .map_err(|error| Problem::missing(error.to_string()))
            })?,
            Ok(None) if small => return Err(Problem::missing("there is no such line")),
            Ok(None) => draft.sheet().clone(),
            Err(problem) => return Err(Problem::missing(problem.text)),
        };
        Ok(sheet.svg(style))
    };
    let drawn = crate::blocking(drawn).await??;
    Ok(board::as_file(drawn))
}
