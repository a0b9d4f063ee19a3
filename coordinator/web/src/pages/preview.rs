//! What a page says of itself to programs that show a link with a picture (<https://ogp.me>): messengers, social
//! networks, chats.
//!
//! These programs fetch the page without cookies or scripts, follow redirects, and read `og:` properties from its head.
//! They take absolute addresses only, of pictures that are PNG, JPEG or GIF: X and Facebook do not take SVG, so the
//! picture is PNG. They show it at 1.91:1, 1200 by 630 pixels at best, or cut a square from its middle. What needs a
//! token they cannot see.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use sproutnet_board::Preview as Shown;
use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{SIDE, Sheet, Size};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use crate::problem::Problem;

/// The size of a picture in pixels.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

/// The width of lines in units of the sheet. Lines and spots are as on the board of a phone, because the picture is shown
/// small.
const LINE: f32 = 6.0;

/// Red, green and blue: those of a sheet in the light scheme.
type Rgb = [u8; 3];
const PAPER: Rgb = [0xfa, 0xf9, 0xf5];
const DEAD: Rgb = [0xe2, 0xe5, 0xde];
const INK: Rgb = [0x33, 0x41, 0x5c];
/// By the number of lines that a spot can still take.
const SPOTS: [Rgb; 4] = [
    [0x68, 0x74, 0x8a],
    [0xc2, 0x41, 0x0c],
    [0x15, 0x80, 0x3d],
    [0x1d, 0x4e, 0xd8],
];

/// What is shown with a link.
pub(super) struct Preview {
    of: Shown,
    /// The scheme and the host of this site.
    origin: String,
}

impl Preview {
    /// What is shown with a link to this site.
    pub(super) fn new(of: Shown, origin: String) -> Self {
        Self { of, origin }
    }

    /// The elements for the head of the page.
    pub(super) fn head(&self) -> Markup {
        let origin = &self.origin;
        let Shown {
            title,
            description,
            page,
            picture,
        } = &self.of;
        let properties = [
            ("og:type", "website".to_owned()),
            ("og:site_name", "Sproutnet".to_owned()),
            ("og:title", title.clone()),
            ("og:description", description.clone()),
            ("og:url", format!("{origin}{page}")),
            ("og:image", format!("{origin}{picture}")),
            ("og:image:type", "image/png".to_owned()),
            ("og:image:width", WIDTH.to_string()),
            ("og:image:height", HEIGHT.to_string()),
            ("og:image:alt", "The board".to_owned()),
        ];
        html! {
            meta name="description" content=(description);
            // X reads the rest from the properties of Open Graph.
            meta name="twitter:card" content="summary_large_image";
            @for (property, content) in properties { meta property=(property) content=(content); }
        }
    }
}

/// A sheet as a PNG file.
///
/// # Errors
/// The picture cannot be written.
pub(super) fn file(sheet: &Sheet) -> Result<Response, Problem> {
    let missing = || Problem::missing("there is no picture of this drawing");
    let mut picture = Pixmap::new(WIDTH, HEIGHT).ok_or_else(missing)?;
    picture.fill(colour(PAPER));
    let side = HEIGHT as f32;
    let scale = side / SIDE as f32;
    let middle = (WIDTH as f32 - side) / 2.0;
    let place = Transform::from_row(scale, 0.0, 0.0, scale, middle, 0.0);
    let fill = |picture: &mut Pixmap, path: Option<Path>, rgb: Rgb| {
        if let Some(path) = path {
            picture.fill_path(&path, &paint(rgb), FillRule::EvenOdd, place, None);
        }
    };
    for face in sheet.dead_outlines() {
        fill(&mut picture, along(&face, true), DEAD);
    }
    let stroke = Stroke {
        width: LINE,
        line_cap: tiny_skia::LineCap::Round,
        line_join: tiny_skia::LineJoin::Round,
        ..Stroke::default()
    };
    if let Some(path) = along(&sheet.curves(), false) {
        picture.stroke_path(&path, &paint(INK), &stroke, place, None);
    }
    let spots = sheet.spots().iter().enumerate();
    for (i, at) in spots.filter(|(i, _)| !sheet.is_middle(*i)) {
        let lives = sheet.lives(i);
        let radius = sheet.disc(i, Size::Board) as f32;
        let path = PathBuilder::from_circle(at.x as f32, at.y as f32, radius);
        fill(&mut picture, path, SPOTS[lives]);
    }
    let file = picture
        .encode_png()
        .map_err(|error| Problem::fault(&error))?;
    Ok(([(header::CONTENT_TYPE, "image/png")], file).into_response())
}

/// The path along these curves.
fn along(curves: &[Vec<Point>], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for curve in curves {
        for (i, at) in curve.iter().enumerate() {
            let (x, y) = (at.x as f32, at.y as f32);
            if i == 0 {
                path.move_to(x, y);
            } else {
                path.line_to(x, y);
            }
        }
        if is_closed {
            path.close();
        }
    }
    path.finish()
}

fn colour([red, green, blue]: Rgb) -> Color {
    Color::from_rgba8(red, green, blue, u8::MAX)
}

fn paint(rgb: Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour(rgb));
    paint
}
