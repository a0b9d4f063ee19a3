//! The editor: a position is drawn from nothing, or from its text, on a sheet that its address describes.
//!
//! - [`draft`]: the drawing, and its edits.
//! - [`picture`]: the drawing with spots and lines to choose, on the page and as a file.
//! - [`talk`]: the text beside the drawing: the position, its outcomes, and the form for texts.
//!
//! The scripts draw lines, and put a spot or a cross at the place of a click. Without them, these are put in places with
//! room, and everything is chosen by links.

mod draft;
mod picture;
mod talk;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use sproutnet_board::pick::{self, Chosen};
use sproutnet_drawing::DrawingError;
use sproutnet_drawing::sheet::{self, Edit, MOST_DRAWN, MOST_WITH_CROSSES, Sheet, SheetGame};
use sproutnet_game::{self as game, Position, PositionError};

use super::Site;
use super::layout::Script;
use crate::extract::{Asked, At, Origin};
use crate::problem::Problem;
use draft::{Draft, Tool};
pub(super) use picture::{file, preview};
use talk::Misread;

/// The time limit for the search of a small position.
const WITHIN: Duration = Duration::from_millis(300);

/// The query in the address of a drawing.
#[derive(Default, Deserialize)]
pub(super) struct Address {
    /// The text of a position to draw instead.
    text: Option<String>,
    /// A place for a spot or a cross, as text.
    at: Option<String>,
    /// What is put there.
    #[serde(default)]
    put: Tool,
    /// A line drawn by hand, as text.
    hand: Option<String>,
    /// The chosen spots, counted from 1.
    spot: Option<usize>,
    to: Option<usize>,
    /// The index of the way to join them, counted from 0.
    way: Option<usize>,
    /// The chosen line, counted from 1.
    line: Option<usize>,
}

/// The answer to a request.
enum Next {
    /// A redirect to another address.
    Elsewhere(String),
    Drawing(Draft, Chosen, Option<Misread>),
}

/// The editor with nothing on the sheet.
pub(super) async fn begin(
    State(site): State<Arc<Site>>,
    origin: Origin,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    show(site, String::new(), origin, address).await
}

/// The editor with a drawing.
pub(super) async fn page(
    State(site): State<Arc<Site>>,
    At(edits): At<String>,
    origin: Origin,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    show(site, edits, origin, address).await
}

async fn show(
    site: Arc<Site>,
    edits: String,
    Origin(origin): Origin,
    address: Address,
) -> Result<Response, Problem> {
    let at_hand = Arc::clone(&site);
    let next = crate::blocking(move || next(&at_hand, &edits, &address)).await??;
    let (draft, chosen, misread) = match next {
        Next::Elsewhere(to) => return Ok(Redirect::to(&to).into_response()),
        Next::Drawing(draft, chosen, misread) => (draft, chosen, misread),
    };
    let text = draft.text();
    let asked = site.ask(move |coordinator, _| {
        let queries = &coordinator.queries;
        let lookup = queries.lookup_text(&text)?;
        queries.answer(&lookup, queries.until(WITHIN))
    });
    let answer = asked.await?;
    let content = html! {
        div #editor .seen.match data-hand=(draft.link("&hand=")) data-put=(draft.link("&at="))
            data-after=(draft.after_any()) data-remove=[picture::removed(&draft, &chosen)] {
            (picture::section(&draft, &chosen, misread.as_ref()))
            section #turn .about tabindex="-1" { (talk::status(&draft, &answer)) }
            (picture::choice(&draft, &chosen))
            (talk::form(&draft, misread.as_ref()))
        }
    };
    let preview = origin.and_then(|origin| draft.preview(origin));
    let title = "Draw a position";
    let page = site.page_with(title, Some(Script::Editor), preview.as_ref(), &content);
    let status = misread.map_or(StatusCode::OK, |_| StatusCode::BAD_REQUEST);
    Ok((status, page).into_response())
}

/// The answer to a request with this query.
fn next(site: &Site, edits: &str, address: &Address) -> Result<Next, Problem> {
    let draft = Draft::read(&site.sheets, edits, address.put)?;
    let chosen = chosen(draft.sheet(), address);
    if let Some(text) = &address.text {
        return Ok(match drawn(text) {
            Ok(to) => Next::Elsewhere(to),
            Err(misread) => Next::Drawing(draft, chosen, Some(misread)),
        });
    }
    if let Some(more) = wanted(draft.sheet(), &chosen, address)? {
        return Ok(Next::Elsewhere(draft.after(&more)));
    }
    Ok(match draft.shorter() {
        Some(to) => Next::Elsewhere(to),
        None => Next::Drawing(draft, chosen, None),
    })
}

/// The choice in an address. Spots and lines that do not exist are ignored.
fn chosen(sheet: &Sheet, address: &Address) -> Chosen {
    let lines = 1..=sheet.ends().count();
    match address.line.filter(|line| lines.contains(line)) {
        Some(line) => Chosen::Line(line),
        None => Chosen::of(sheet, address.spot, address.to),
    }
}

/// The address of a drawing of the position with this text.
fn drawn(text: &str) -> Result<String, Misread> {
    let typed = game::typed_in_form(text);
    let misread = |why: String, column| Misread {
        text: typed.to_string(),
        why,
        column,
    };
    let (game, position) = game::parse(&typed).map_err(|error| match error {
        PositionError::Parse(error) => misread(error.problem, Some(error.column)),
        error @ PositionError::UnknownGame(_) => misread(error.to_string(), None),
    })?;
    let sheet = match SheetGame::named(game.name()) {
        Some(SheetGame::Sprouts) => Sheet::of(&position).map_err(|error| match error {
            DrawingError::TooLarge => format!(
                "{error}: there are at most {MOST_DRAWN} spots, with those that take no more lines"
            ),
            error => error.to_string(),
        }),
        Some(game) => start(game, &position),
        None => Err("only Sprouts and the games with crosses are drawn here".to_owned()),
    };
    match sheet {
        Ok(sheet) => Ok(crate::links::drawn(&sheet)),
        Err(why) => Err(misread(why, None)),
    }
}

/// The drawing of a start with crosses.
fn start(game: SheetGame, position: &Position) -> Result<Sheet, String> {
    // Without a cross, the sheet would be one of Sprouts.
    let sheet = Sheet::start_of(game, position).filter(Sheet::has_crosses);
    sheet.ok_or_else(|| {
        format!(
            "of the games with crosses, only starts with up to {MOST_WITH_CROSSES} spots and crosses are drawn from their \
             text"
        )
    })
}

/// The edits that the address asks for.
fn wanted(sheet: &Sheet, chosen: &Chosen, address: &Address) -> Result<Option<Vec<Edit>>, Problem> {
    if let Some(at) = &address.at {
        let [place] = sheet::hand(at).unwrap_or_default()[..] else {
            return Err(Problem::bad("this is no place"));
        };
        let put = match address.put {
            Tool::Spot => sheet.put(place),
            Tool::Cross => sheet.put_cross(place),
        };
        return Ok(Some(vec![put.map_err(|error| pick::refused(&error))?]));
    }
    let stroke = pick::wanted(sheet, chosen, address.hand.as_deref(), address.way)?;
    Ok(stroke.map(|stroke| match address.hand {
        Some(_) => vec![Edit::line(stroke)],
        // A line that no hand drew may be tight, so it is evened out.
        None => vec![Edit::line(stroke), Edit::Even],
    }))
}
