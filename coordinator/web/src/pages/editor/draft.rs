//! A freely made drawing, as its address describes it: by all edits since it was empty.

use std::sync::Arc;

use sproutnet_board::Preview as Shown;
use sproutnet_board::address::{People, Terms};
use sproutnet_board::pick::LONGEST_DRAWN;
use sproutnet_board::sheets::Sheets;
use sproutnet_drawing::sheet::{Edit, EditError, Sheet};
use sproutnet_game::{self as game, Game, Sprouts};

use crate::links;
use crate::pages::preview::Preview;
use crate::problem::Problem;

/// The maximum number of edits in an address, and of those that even out, which takes milliseconds.
const MOST_EDITS: usize = 1000;
const MOST_EVEN: usize = 60;

/// A drawing that uses a larger share of one of these maxima is turned into one step.
const LONG: f64 = 0.5;

/// A drawing, and its edits.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    edits: Vec<Edit>,
    sheet: Arc<Sheet>,
}

impl Draft {
    /// Reads a drawing. This may take a second if none of it is in the cache.
    ///
    /// # Errors
    /// There is no such drawing.
    pub(super) fn read(sheets: &Sheets, text: &str) -> Result<Self, Problem> {
        if text.len() > LONGEST_DRAWN {
            return Err(Problem::bad("a drawing is never that long"));
        }
        let mut edits = Vec::new();
        let mut rest = text;
        while let Some((edit, left)) = Edit::first(rest)
            .map_err(|_| Problem::bad("this is no drawing: a step is incomplete"))?
        {
            edits.push(edit);
            rest = left;
        }
        if share(text.len(), &edits) > 1.0 {
            return Err(Problem::bad("a drawing never has that many steps"));
        }
        let drawn = sheets.of("", Arc::new(Sheet::start(0)), &edits);
        let drawn = drawn.map_err(|(step, error): (usize, EditError)| {
            Problem::bad(format!("this is no drawing: in step {step}, {error}"))
        })?;
        let sheet = Arc::clone(&drawn[edits.len()]);
        Ok(Self { edits, sheet })
    }

    /// The sheet of the drawing.
    pub(super) fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The last edit; the line, if a line was evened out last.
    pub(super) fn last(&self) -> Option<&Edit> {
        match &self.edits[..] {
            [.., line @ Edit::Line(..), Edit::Even] => Some(line),
            edits => edits.last(),
        }
    }

    /// The text of the position in canonical form.
    pub(super) fn text(&self) -> String {
        game::qualified(&Sprouts, &Sprouts.print(&self.sheet.position()))
    }

    /// Its address, with more in the query.
    pub(super) fn link(&self, more: &str) -> String {
        links::editor(&links::code(&self.edits), "", more)
    }

    /// The address of its picture.
    pub(super) fn picture(&self, more: &str) -> String {
        links::editor(&links::code(&self.edits), "picture.svg", more)
    }

    /// What is shown with a link to it; `None` if nothing is drawn.
    pub(super) fn preview(&self, origin: String) -> Option<Preview> {
        let code = links::code(&self.edits);
        let shown = || Shown {
            title: "A position of Sprouts".to_owned(),
            description: format!("{}: who wins?", self.text()),
            page: self.link(""),
            picture: links::editor(&code, "preview.png", ""),
        };
        (!code.is_empty()).then(|| Preview::new(shown(), origin))
    }

    /// The address after more edits.
    pub(super) fn after(&self, more: &[Edit]) -> String {
        links::editor(&(links::code(&self.edits) + &links::code(more)), "", "")
    }

    /// The address before the last step.
    pub(super) fn undone(&self) -> Option<String> {
        let mut edits = self.edits.clone();
        Edit::undo(&mut edits);
        (!self.edits.is_empty()).then(|| links::editor(&links::code(&edits), "", ""))
    }

    /// The address of the same drawing as one step, if its own address has become too long.
    pub(super) fn shorter(&self) -> Option<String> {
        let share = |edits: &[Edit]| share(links::code(edits).len(), edits);
        let short = self.sheet.edits();
        let is_shorter = share(&self.edits) > LONG && share(&short) < LONG;
        is_shorter.then(|| links::editor(&links::code(&short), "", ""))
    }

    /// The address of a match that begins with the drawing, if one can.
    pub(super) fn match_from_here(&self, you: People) -> Option<String> {
        let can_be_played = self.sheet.fits_a_match() && !self.sheet.is_over();
        can_be_played.then(|| links::board(&links::code(&self.sheet.edits()), "", Terms::with(you)))
    }
}

/// The largest used share of the three maxima: the length, the edits, and those that even out.
fn share(length: usize, edits: &[Edit]) -> f64 {
    let even = edits.iter().filter(|edit| **edit == Edit::Even).count();
    let of = |count: usize, most: usize| count as f64 / most as f64;
    of(length, LONGEST_DRAWN)
        .max(of(edits.len(), MOST_EDITS))
        .max(of(even, MOST_EVEN))
}
