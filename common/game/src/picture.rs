//! Pictures of positions, as plain shapes, so that drawing them needs no knowledge of games.

use crate::{Game, Position};

/// The usual width of a letter.
const LETTER: f64 = 0.5;

/// The radius of a token.
const TOKEN: f64 = 0.36;

/// The maximum number of tokens of a heap that is drawn in full.
const MOST_DRAWN: u32 = 24;

/// The number of tokens drawn of a larger heap.
const DRAWN_OF_MORE: u32 = 20;

/// Whether a game has pictures.
pub fn has_pictures(game: &dyn Game) -> bool {
    game.mid().is_some() || game.picture(&Position::default()).is_some()
}

/// A place in a picture: the distances to the right and downwards. The side of a cell is 1.
pub type At = (f64, f64);

/// A position as a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// A description of the picture, in one sentence.
    pub caption: &'static str,
    /// A panel for each land.
    pub lands: Vec<Panel>,
    /// Whether each panel begins a new row.
    pub rows: bool,
}

/// A land as shapes, from (0, 0) to (width, height).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
}

/// A part of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A square of side 1: its corner at the top left.
    Cell(At),
    /// A line between two places.
    Line(At, At),
    /// A line that differs from others, such as one that is kept for good.
    Bold(At, At),
    /// A disc: its centre and its radius.
    Dot(At, f64),
    /// A disc that differs from others, such as a terminal.
    Mark(At, f64),
    /// A text that begins at this place, centred vertically.
    Text(At, String),
}

impl Panel {
    /// Adds a row below: a heap as tokens, and a text beside it.
    pub fn row(&mut self, tokens: u32, text: &str) {
        let drawn = match tokens {
            0..=MOST_DRAWN => tokens,
            _ => DRAWN_OF_MORE,
        };
        let middle = self.height + 0.5;
        let token = |i: u32| Shape::Dot((f64::from(i) + 0.5, middle), TOKEN);
        self.shapes.extend((0..drawn).map(token));
        let text = if drawn < tokens {
            format!("… {text}")
        } else {
            text.to_owned()
        };
        let end = f64::from(drawn) + 0.3;
        self.height += 1.0;
        self.width = self.width.max(end + LETTER * text.chars().count() as f64);
        self.shapes.push(Shape::Text((end, middle), text));
    }
}
