//! The page of a match.

use maud::{Markup, html};
use sproutnet_drawing::sheet::Stroke;

use crate::address::{Address, OnLine, Show, Terms};
use crate::host::Host;
use crate::pick::{self, Chosen};
use crate::problem::Problem;
use crate::reply::{Page, Reply, Script};
use crate::sheets::Sheets;
use crate::state::{Match, Mover};
use crate::{opponent, picture, puzzles, talk, tasks};

/// The match on the front page: its number of spots.
const FIRST: &str = "4";

/// The page of a match. It makes the wanted move or the solver's move, or shows the board.
///
/// # Errors
/// There is no such match, the move cannot be made, or the solver fails.
pub fn page(host: &Host<'_>, played: &str, address: &Address) -> Result<Reply, Problem> {
    let (mut show, mark) = (address.show, address.mark);
    let game = Match::read(host.sheets, played, address.terms)?;
    if address.hand.is_some() || address.way.is_some() {
        game.need_no_resignation()?;
    }
    let chosen = chosen(&game, address);
    if game.can_draw()
        && let Some(after) = after(&game, &chosen, address)?
    {
        return Ok(Reply::To(after));
    }
    if game.winner().is_none() && game.mover() == Mover::Solver {
        return opponent::reply(host.solver, &game).map(Reply::To);
    }
    if game.moves() > 0 && game.terms.task.is_some_and(tasks::is_judged_by_outcome) {
        show = Some(Show::Verdict);
    }
    let known = match puzzles::known(&game, show) {
        Some(known) => known,
        None => opponent::known(host.solver, &game, show)?,
    };
    let around = host.around;
    let drawing = picture::section(&game, &chosen, mark, known.hint.as_ref());
    let hand = talk::hand(&game, mark);
    let content = html! {
        @if let Some(task) = game.terms.task {
            // On a phone, what is asked for is above the board.
            div #match .seen.match.task data-hand=[hand] {
                section #turn .about tabindex="-1" { (tasks::status(&game, task, show, &known)) }
                (drawing)
                (picture::choice(&game, &chosen, around))
            }
        } @else {
            div #match .seen.match data-hand=[hand] {
                (drawing)
                section #turn .about tabindex="-1" { (talk::status(&game, show, &known, around)) }
                (picture::choice(&game, &chosen, around))
                (talk::more(&game, around))
                @if around.has_server() {
                    (talk::share(&game))
                    (talk::invite(&game))
                }
            }
        }
    };
    let title = game
        .terms
        .task
        .map_or_else(|| talk::title(&game), tasks::title);
    Ok(Reply::Page(Page {
        preview: Some(talk::preview(&game, &title)),
        title,
        script: Some(Script::Board),
        content,
    }))
}

/// The address after the line that an address asks for. If a chosen line has too little room, the drawing is evened
/// out.
fn after(game: &Match, chosen: &Chosen, address: &Address) -> Result<Option<String>, Problem> {
    let wanted = |game: &Match, chosen: &Chosen| -> Result<Option<String>, Problem> {
        Ok(wanted_line(game, chosen, address)?.map(|stroke| game.after(&stroke)))
    };
    let refused = match wanted(game, chosen) {
        Err(refused) if address.hand.is_none() => refused,
        found => return found,
    };
    let Some(evened) = game.evened() else {
        return Err(refused);
    };
    let chosen = Chosen::of(evened.sheet(), address.spot, address.to);
    wanted(&evened, &chosen)
}

/// The line that an address asks for, with what it gets.
///
/// # Errors
/// It cannot be drawn.
pub fn wanted_line(
    game: &Match,
    chosen: &Chosen,
    address: &Address,
) -> Result<Option<Stroke>, Problem> {
    let (sheet, hand) = (game.sheet(), address.hand.as_deref());
    let stroke = pick::wanted(sheet, chosen, hand, address.way)?;
    let mark = hand.and(address.mark).map(OnLine::mark);
    stroke
        .map(|stroke| pick::with_mark(sheet, stroke, mark))
        .transpose()
}

/// The choice in an address. A spot at which no line can begin is ignored, and so is everything while it is not the
/// reader's turn.
pub fn chosen(game: &Match, address: &Address) -> Chosen {
    if !game.can_draw() {
        return Chosen::Nothing;
    }
    let sheet = game.sheet();
    match Chosen::of(sheet, address.spot, address.to) {
        Chosen::Spot(one) if sheet.partners(one - 1).is_empty() => Chosen::Nothing,
        chosen => chosen,
    }
}

/// The board of a new match, on the front page. The page of the match follows the first line.
///
/// # Errors
/// None, while a match can begin with four spots.
pub fn first(sheets: &Sheets) -> Result<Markup, Problem> {
    let game = Match::read(sheets, FIRST, Terms::default())?;
    Ok(html! {
        div #match .match data-hand=[talk::hand(&game, None)] {
            (picture::section(&game, &Chosen::Nothing, None, None))
        }
    })
}
