//! The drawing on which lines are drawn, on the page and as a file.

use maud::{Markup, PreEscaped, html};
use sproutnet_drawing::sheet::{SIDE, Sheet, SheetPicture, Size, Stroke};

use crate::address::{Address, OnLine};
use crate::host::Around;
use crate::pick::{self, Chosen};
use crate::problem::Problem;
use crate::sheets::Sheets;
use crate::state::{Match, Mover};
use crate::talk;

/// The drawing, and over it the spots to choose.
pub fn section(
    game: &Match,
    chosen: &Chosen,
    mark: Option<OnLine>,
    hint: Option<&Stroke>,
) -> Markup {
    let sheet = game.sheet();
    let is_over = game.winner().is_some();
    let can_draw = game.can_draw();
    let hint = hint.and_then(|stroke| sheet.outline(stroke).ok());
    let picture = SheetPicture {
        marked: marked(game),
        size: Size::Board,
        ..SheetPicture::default()
    };
    html! {
        figure #board .drawing {
            // The messages have the same height from the first move to the end, so that the board stays in its place.
            div.messages {
                // There is no room for the last move beside the question about the next one.
                p #told .told.end[is_over] role="status" {
                    @if !matches!(chosen, Chosen::Spot(_) | Chosen::Both(..)) { (talk::told(game)) }
                }
                @if can_draw { (prompt(game, chosen)) }
            }
            (on_line(game, mark))
            div.board.over[sheet.is_over()] {
                div #{ "sheet-" (game.moves()) } .drawn { (PreEscaped(sheet.svg(picture))) }
                svg.pick viewBox=(format!("0 0 {SIDE} {SIDE}")) role="group"
                    aria-label="Spots to choose" {
                    @if let Some(hint) = hint { (beside_names(sheet, &hint)) }
                    path.ghost d="M0 0" {}
                    @if can_draw {
                        @for spot in (1..=sheet.spots().len()).filter(|spot| !sheet.is_middle(spot - 1)) {
                            (pick::target(sheet, chosen, spot, |more| game.with(more), None))
                        }
                    }
                }
            }
            (pick::caption(sheet, true))
        }
    }
}

/// The line of a hint. It leaves out the spots, so that their names can be read.
fn beside_names(sheet: &Sheet, hint: &str) -> Markup {
    html! {
        mask #names maskUnits="userSpaceOnUse" x="0" y="0" width=(SIDE) height=(SIDE) {
            rect width=(SIDE) height=(SIDE) fill="white" {}
            @for (i, spot) in sheet.spots().iter().enumerate().filter(|(i, _)| !sheet.is_middle(*i)) {
                @let [x, y, r] = [spot.x, spot.y, sheet.disc(i, Size::Board)].map(|value| format!("{value:.1}"));
                circle cx=(x) cy=(y) r=(r) fill="black" {}
            }
        }
        path.hint d=(hint) mask="url(#names)" {}
    }
}

/// What the next line by hand gets, if the player can choose it.
fn on_line(game: &Match, mark: Option<OnLine>) -> Markup {
    if game.sheet().game().marks().len() < 2 {
        return html! {};
    }
    let mark = mark.unwrap_or_default();
    html! {
        // It keeps its place while the reader cannot draw.
        div.choice.marks.idle[!game.can_draw()] role="group" aria-label="What your line gets" {
            @for (of, name) in [(OnLine::Spot, "a spot"), (OnLine::Cross, "a cross")] {
                a href={ (game.with(of.query())) "#board" } aria-current=[(of == mark).then_some("true")] { (name) }
            }
        }
    }
}

/// The number of latest moves that are marked: a reply and the move before it, or only the last move.
fn marked(game: &Match) -> usize {
    match game.moves().checked_sub(1) {
        None => 0,
        Some(last) if game.mover_after(last) == Mover::Solver => 2,
        Some(last) if game.place.is_some() && game.mover_after(last) != Mover::You => 2,
        Some(_) => 1,
    }
}

/// The instruction for the reader's next step.
fn prompt(game: &Match, chosen: &Chosen) -> Markup {
    let elsewhere =
        html! { " " a #elsewhere href={ (game.link()) "#board" } { "Begin elsewhere" } };
    html! {
        p.prompt {
            @match chosen {
                Chosen::Nothing | Chosen::Line(_) => {
                    @let kind = pick::kinds(game.sheet());
                    strong.by-links { "Choose the " (kind) " where your line begins." }
                    strong.by-hand { "Draw from " (kind) " to " (kind) ", or choose one." }
                }
                Chosen::Spot(one) => { (pick::where_to(game.sheet(), *one)) (elsewhere) }
                Chosen::Both(one, other, ways) => { (pick::how(game.sheet(), *one, *other, ways)) (elsewhere) }
            }
        }
    }
}

/// The ways to join the chosen spots, each with its picture.
pub fn choice(game: &Match, chosen: &Chosen, around: Around) -> Markup {
    pick::choice(game.sheet(), chosen, game.place.is_some(), |more, way| {
        let file = || game.about("/picture.svg", more);
        let drawn = || {
            let sheet = game.sheet();
            with_line(sheet, &sheet.route(way)?).ok()
        };
        (game.to_draw(more), around.picture(file, drawn))
    })
}

/// The drawing as a file: as it is, line by line, or with a line that could be drawn.
///
/// # Errors
/// There is no such match, or no such line.
pub fn file(sheets: &Sheets, played: &str, address: &Address) -> Result<String, Problem> {
    let game = Match::read(sheets, played, address.terms)?;
    let sheet = game.sheet();
    if address.way.is_none() {
        return Ok(sheet.svg(SheetPicture {
            style: true,
            animated: address.animated.is_some_and(|is| is > 0),
            ..SheetPicture::default()
        }));
    }
    let chosen = Chosen::of(sheet, address.spot, address.to);
    let stroke = pick::wanted(sheet, &chosen, None, address.way);
    let stroke = stroke.map_err(|problem| Problem::missing(problem.to_string()))?;
    let stroke = stroke.ok_or_else(|| Problem::missing("there is no such line"))?;
    with_line(sheet, &stroke)
}

/// A small drawing of a sheet with one more line.
fn with_line(sheet: &Sheet, stroke: &Stroke) -> Result<String, Problem> {
    let after = sheet.drawn(stroke);
    let after = after.map_err(|error| Problem::missing(error.to_string()))?;
    Ok(after.svg(SheetPicture {
        marked: 1,
        size: Size::Small,
        style: true,
        ..SheetPicture::default()
    }))
}
