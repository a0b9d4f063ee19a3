//! The text beside the drawing.

use maud::{Markup, html};
use sproutnet_board::address::People;
use sproutnet_drawing::sheet::{MOST_DRAWN, MOST_LIVES, MOST_MOVES_WITH_CROSSES};
use sproutnet_model::Answer;
use sproutnet_notation::brief::with_caret;
use sproutnet_solver::play::Play;

use super::draft::Draft;
use crate::links;
use crate::pages::{position, words};

/// The example in the form.
const EXAMPLE: &str = "0*3.AB|0.AB";

/// A text that was not drawn, and the reason.
pub(super) struct Misread {
    pub(super) text: String,
    pub(super) why: String,
    /// The column of the fault, in characters from 1.
    pub(super) column: Option<usize>,
}

impl Misread {
    /// The fault and its column, as a sentence.
    pub(super) fn told(&self) -> String {
        match self.column {
            Some(column) => format!("Column {column}: {}.", self.why),
            None => words::sentence_of(&self.why),
        }
    }
}

/// The position that is drawn, and its outcomes.
pub(super) fn status(draft: &Draft, answer: &Answer) -> Markup {
    let sheet = draft.sheet();
    if sheet.spots().is_empty() {
        return html! {
            h1 { "Draw a position" }
            p.lead {
                "Put up to " (MOST_DRAWN) " spots on the sheet and draw lines between them. You see the text of the position, \
                 and who wins it. With crosses, it is a position of Brussels or Mixed Sprouts."
            }
            p { "A line here is just a line: it gets no new spot by itself, and a spot may have up to three lines." }
        };
    }
    html! {
        p.above { "Editor" }
        h1 { a.position href=(links::position(&answer.canonical)) { (answer.canonical) } }
        dl.facts {
            dt { "As drawn" }
            dd { code #as-drawn { (sheet.text()) } }
            dt { "Canonical form" }
            dd { code #canonical { (answer.canonical) } }
            dt { "Spots" }
            dd #spots {
                (sheet.spots().len()) " of at most " (MOST_DRAWN)
                @if sheet.has_crosses() { ". The ends and the middles of crosses count" }
            }
            dt { "Lives" }
            dd #lives {
                (sheet.all_lives()) " in the drawing. "
                @match answer.most_moves {
                    0 => "No move is left.",
                    most => { "At most " (words::counted(most.into(), "move")) " can still be made." }
                }
            }
        }
        @for play in Play::ALL { (position::standing(answer, play)) }
        div.buttons {
            @if let Some(to) = draft.match_from_here(People::First) {
                a.button href=(to) { "Play from here" }
            }
            @if let Some(to) = draft.match_from_here(People::Both) {
                a.button.second href=(to) { "Two people" }
            }
        }
        @if !sheet.fits_a_match() {
            p.help {
                @if sheet.has_crosses() {
                    "A match can begin with a drawing that has crosses only if at most " (MOST_MOVES_WITH_CROSSES)
                    " moves can still be made."
                } @else {
                    "A match can begin with at most " (MOST_LIVES) " lives."
                }
            }
        }
    }
}

/// The form for a text.
pub(super) fn form(draft: &Draft, misread: Option<&Misread>) -> Markup {
    let text = match misread {
        Some(misread) => misread.text.clone(),
        None if draft.sheet().spots().is_empty() => String::new(),
        None => draft.text(),
    };
    html! {
        section #text aria-labelledby="text-title" {
            h2 #text-title { "Draw from text" }
            form.ask action=(draft.link("")) {
                div.field.wide {
                    label for="position-text" { "Position" }
                    input #position-text name="text" required value=(text) autocomplete="off" autocapitalize="none"
                        spellcheck="false" placeholder=(EXAMPLE) aria-describedby="text-help"
                        aria-invalid=[misread.map(|_| "true")];
                    div #text-help {
                        @match misread {
                            Some(misread) => (why(misread)),
                            None => p.help { "The text of a position, such as " code { (EXAMPLE) } ". It is drawn in place of what is there." },
                        }
                    }
                }
                div.buttons { button { "Draw it" } }
            }
        }
    }
}

/// The fault, and its column in the text.
fn why(misread: &Misread) -> Markup {
    html! {
        p.wrong { (misread.told()) }
        @if misread.column.is_some() {
            pre.asked tabindex="0" { code { (with_caret(&misread.text, misread.column)) } }
        }
    }
}
