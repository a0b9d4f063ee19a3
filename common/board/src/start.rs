//! The start of a match, as text in its address: a number of spots, numbers of spots and crosses, or a drawing.

use std::sync::Arc;

use sproutnet_drawing::sheet::{CodeError, Edit, MOST_SPOTS, MOST_WITH_CROSSES, Sheet, SheetGame};

use crate::problem::Problem;
use crate::sheets::Sheets;

/// Reads the start of a match: a number of spots, or a drawing. Returns its text, the text of the moves, and the sheet.
pub(crate) fn beginning<'t>(
    sheets: &Sheets,
    text: &'t str,
) -> Result<(&'t str, &'t str, Arc<Sheet>), Problem> {
    if text.starts_with(['s', 'S', 'p', 'P', 'q', 'Q']) {
        let no_match = |error: String| Problem::bad(format!("this is no match: {error}"));
        let (edits, code) = given(text).map_err(|error| Problem::bad(error.to_string()))?;
        let start = &text[..text.len() - code.len()];
        let drawn = sheets.of("", Arc::new(Sheet::start(0)), &edits);
        let drawn = drawn.map_err(|(_, error)| no_match(error.to_string()))?;
        let sheet = drawn.last().filter(|sheet| sheet.fits_a_match());
        let sheet = sheet.ok_or_else(|| no_match("the drawing is too large".to_owned()))?;
        return Ok((start, code, sheet.as_start()));
    }
    if let Some((start, code, sheet)) = with_crosses(text) {
        return Ok((start, code, Arc::new(sheet)));
    }
    let (start, code) = number(text);
    let spots = start.parse().ok().filter(|n| (1..=MOST_SPOTS).contains(n));
    let spots = spots.ok_or_else(|| {
        Problem::bad(format!(
            "a match begins with its number of spots, from 1 to {MOST_SPOTS}, or with a drawing"
        ))
    })?;
    Ok((start, code, Arc::new(Sheet::start(spots))))
}

/// The start of a match with crosses, as text: `x2` in Brussels Sprouts, `m3x2` in Mixed Sprouts. `None` if there are
/// none, or too many.
pub(crate) fn start_with_crosses(game: SheetGame, spots: usize, crosses: usize) -> Option<String> {
    let fits = (1..=MOST_WITH_CROSSES).contains(&spots.saturating_add(crosses));
    match game {
        SheetGame::Brussels if fits && spots == 0 => Some(format!("x{crosses}")),
        SheetGame::Mixed if fits => Some(format!("m{spots}x{crosses}")),
        _ => None,
    }
}

/// Reads the start of a match with crosses. Returns its text, the text of the moves, and the sheet.
fn with_crosses(text: &str) -> Option<(&str, &str, Sheet)> {
    let (game, spots, rest) = match text.strip_prefix('m') {
        Some(rest) => {
            let (spots, rest) = number(rest);
            (SheetGame::Mixed, spots.parse().ok()?, rest)
        }
        None => (SheetGame::Brussels, 0, text),
    };
    let (crosses, code) = number(rest.strip_prefix('x')?);
    let crosses = crosses.parse().ok()?;
    let start = start_with_crosses(game, spots, crosses)?;
    let sheet = || Sheet::start_with_crosses(game, spots, crosses);
    // A number is written in one way.
    let (given, _) = text.split_at(text.len() - code.len());
    (given == start).then(|| (given, code, sheet()))
}

/// The digits with which a text begins, and the rest.
fn number(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// The edits of a drawing up to the end of its first step, and the rest of the text.
fn given(text: &str) -> Result<(Vec<Edit>, &str), CodeError> {
    let mut edits = Vec::new();
    let mut rest = text;
    while let Some((edit, left)) = Edit::first(rest)? {
        let is_last = edit == Edit::Given;
        edits.push(edit);
        rest = left;
        if is_last {
            return Ok((edits, rest));
        }
    }
    Err(CodeError)
}
