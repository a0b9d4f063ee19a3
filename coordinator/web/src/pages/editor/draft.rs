//! A freely made drawing, as its address describes it: by all edits since it was empty.

use std::sync::Arc;

use serde::Deserialize;
use sproutnet_board::Preview as Shown;
use sproutnet_board::address::{People, Terms};
use sproutnet_board::pick::LONGEST_DRAWN;
use sproutnet_board::sheets::Sheets;
use sproutnet_drawing::sheet::{Edit, EditError, Sheet};
use sproutnet_game as game;

use crate::links;
use crate::pages::preview::Preview;
use crate::problem::Problem;

/// The maximum number of edits in an address, and of those that even out, which takes milliseconds.
const MOST_EDITS: usize = 1000;
const MOST_EVEN: usize = 60;

/// A drawing that uses a larger share of one of these maxima is turned into one step.
const LONG: f64 = 0.5;

/// What a click puts on the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tool {
    #[default]
    Spot,
    Cross,
}

impl Tool {
    /// Its part of the query of an address.
    fn query(self) -> &'static str {
        match self {
            Self::Spot => "",
            Self::Cross => "&put=cross",
        }
    }
}

/// A drawing, its edits, and the tool in the hand of the reader.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    edits: Vec<Edit>,
    sheet: Arc<Sheet>,
    tool: Tool,
}

impl Draft {
    /// Reads a drawing. This may take a second if none of it is in the cache.
    ///
    /// # Errors
    /// There is no such drawing.
    pub(super) fn read(sheets: &Sheets, text: &str, tool: Tool) -> Result<Self, Problem> {
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
        if !sheet.are_crosses_whole() {
            let error = EditError::Incomplete;
            return Err(Problem::bad(format!("this is no drawing: {error}")));
        }
        Ok(Self { edits, sheet, tool })
    }

    /// What a click puts on the sheet.
    pub(super) fn tool(&self) -> Tool {
        self.tool
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
        let rules = self.sheet.drawn_game().rules();
        game::qualified(&*rules, &rules.print(&self.sheet.drawn_position()))
    }

    /// Its address, with more in the query.
    pub(super) fn link(&self, more: &str) -> String {
        self.link_with(self.tool, more)
    }

    /// The same with another tool.
    pub(super) fn link_with(&self, tool: Tool, more: &str) -> String {
        let query = tool.query().to_owned() + more;
        links::editor(&links::code(&self.edits), "", &query)
    }

    /// The same address as seen from its own page, which has many such links: the whole drawing is not in each.
    pub(super) fn link_from_here(&self, more: &str) -> String {
        let query = self.tool.query().to_owned() + more;
        format!("?{}", query.trim_start_matches('&'))
    }

    /// The address after one more edit, whose code is to be put in place of `*`.
    pub(super) fn after_any(&self) -> String {
        let code = links::code(&self.edits) + "*";
        links::editor(&code, "", self.tool.query())
    }

    /// The address of a drawing by these edits, with the same tool.
    fn link_to(&self, edits: &[Edit]) -> String {
        links::editor(&links::code(edits), "", self.tool.query())
    }

    /// The address of its picture.
    pub(super) fn picture(&self, more: &str) -> String {
        links::editor(&links::code(&self.edits), "picture.svg", more)
    }

    /// What is shown with a link to it; `None` if nothing is drawn.
    pub(super) fn preview(&self, origin: String) -> Option<Preview> {
        let code = links::code(&self.edits);
        let shown = || Shown {
            title: format!("A position of {}", self.sheet.drawn_game().name()),
            description: format!("{}: who wins?", self.text()),
            page: self.link(""),
            picture: links::editor(&code, "preview.png", ""),
        };
        (!code.is_empty()).then(|| Preview::new(shown(), origin))
    }

    /// The address after more edits.
    pub(super) fn after(&self, more: &[Edit]) -> String {
        self.link_to(&[&self.edits[..], more].concat())
    }

    /// The address before the last step.
    pub(super) fn undone(&self) -> Option<String> {
        let mut edits = self.edits.clone();
        Edit::undo(&mut edits);
        (!self.edits.is_empty()).then(|| self.link_to(&edits))
    }

    /// The address of the same drawing as one step, if its own address has become too long.
    pub(super) fn shorter(&self) -> Option<String> {
        let share = |edits: &[Edit]| share(links::code(edits).len(), edits);
        let short = self.sheet.edits();
        let is_shorter = share(&self.edits) > LONG && share(&short) < LONG;
        is_shorter.then(|| self.link_to(&short))
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
