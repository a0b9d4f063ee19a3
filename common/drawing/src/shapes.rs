//! Pictures that games give as shapes, as SVG documents.

use sproutnet_game::picture::{At, Picture, Shape};

use crate::arrange::{self, Arranged};
use crate::error::DrawingError;
use crate::labels::Labels;
use crate::number::Number;
use crate::point::Point;
use crate::svg::{Escaped, SvgOptions, circle, head};

/// The side of a cell in the units of the document.
pub(super) const CELL: f64 = 20.0;

/// The size of letters.
const LETTERS: f64 = 10.0;

/// The scale at which a picture with letters is shown: its letters are then smaller than the heading of a page.
const SCALE: f64 = 2.0;

/// The maximum number of shapes in a picture.
const MOST_SHAPES: usize = 20_000;

/// The maximum number of shapes in a picture that is a part of a page: they take some 30 kB.
const MOST_ON_A_PAGE: usize = 500;

/// Writes the picture of the position with this text.
pub(super) fn write(
    picture: &Picture,
    text: &str,
    options: &SvgOptions,
) -> Result<String, DrawingError> {
    let Arranged {
        corners,
        width,
        height,
    } = arranged(picture)?;
    let mut shapes = picture.lands.iter().flat_map(|land| &land.shapes);
    let is_text = |shape: &Shape| matches!(shape, Shape::Text(..));
    let has_letters = options.labels != Labels::None && shapes.any(is_text);
    let scale = has_letters.then_some(SCALE);
    let mut out = head([width, height], scale, text, picture.caption, options);
    for (land, corner) in picture.lands.iter().zip(corners) {
        out += "<g class=\"land\">\n";
        let place = |(x, y): At| corner + Point::new(x, y) * CELL;
        for shape in &land.shapes {
            out += &drawn(shape, place, options);
        }
        out += "</g>\n";
    }
    Ok(out + "</svg>\n")
}

/// The width and the height of a picture with more shapes than [`MOST_ON_A_PAGE`], if it can be drawn.
pub(super) fn size_if_large(picture: &Picture) -> Option<(f64, f64)> {
    if shapes(picture) <= MOST_ON_A_PAGE {
        return None;
    }
    let all = arranged(picture).ok()?;
    Some((all.width, all.height))
}

fn shapes(picture: &Picture) -> usize {
    picture.lands.iter().map(|land| land.shapes.len()).sum()
}

/// The places of the lands of a picture.
pub(super) fn arranged(picture: &Picture) -> Result<Arranged, DrawingError> {
    if shapes(picture) > MOST_SHAPES {
        return Err(DrawingError::TooLarge);
    }
    let lands = picture.lands.iter();
    let sizes = lands.map(|land| (CELL * land.width, CELL * land.height));
    let sizes: Vec<_> = sizes.collect();
    let arrange = if picture.rows {
        arrange::below
    } else {
        arrange::beside
    };
    Ok(arrange(&sizes))
}

fn drawn(shape: &Shape, place: impl Fn(At) -> Point, options: &SvgOptions) -> String {
    let line = |class: &str, from: At, to: At| {
        let [from, to] = [from, to].map(&place);
        let [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(Number);
        format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#)
    };
    let drawn = match shape {
        Shape::Cell(at) => {
            let at = place(*at);
            let [x, y, side] = [at.x, at.y, CELL].map(Number);
            format!(r#"<rect class="cell" x="{x}" y="{y}" width="{side}" height="{side}"/>"#)
        }
        Shape::Line(from, to) => line("edge", *from, *to),
        Shape::Bold(from, to) => line("edge bold", *from, *to),
        Shape::Dot(at, radius) => circle("token", place(*at), radius * CELL),
        Shape::Mark(at, radius) => circle("token mark", place(*at), radius * CELL),
        Shape::Text(..) if options.labels == Labels::None => return String::new(),
        Shape::Text(at, text) => {
            let at = place(*at);
            let [x, y, size] = [at.x, at.y + 0.35 * LETTERS, LETTERS].map(Number);
            let text = Escaped(text);
            format!(r#"<text class="label" x="{x}" y="{y}" font-size="{size}">{text}</text>"#)
        }
    };
    drawn + "\n"
}
