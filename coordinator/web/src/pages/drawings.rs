//! Drawings of positions.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::{DrawingError, SvgOptions};
use sproutnet_game::{self as game, Game, Position};

use crate::extract::{Asked, Typed};
use crate::links;
use crate::problem::Problem;

/// The drawing of a position on its page.
pub(super) enum Shown {
    /// The drawing itself.
    Now(String),
    /// The width and height of a slow or large drawing. The page does not wait for it.
    Later(f64, f64),
}

/// The drawing of a position on its page, which has the style.
///
/// # Errors
/// It cannot be drawn.
pub(super) fn on_a_page(game: &dyn Game, position: &Position) -> Result<Shown, DrawingError> {
    if let Some((width, height)) = sproutnet_drawing::size_if_slow(game, position) {
        return Ok(Shown::Later(width, height));
    }
    let options = SvgOptions {
        style: false,
        ..SvgOptions::default()
    };
    sproutnet_drawing::svg(game, position, &options).map(Shown::Now)
}

/// The query of a drawing.
#[derive(Deserialize)]
pub(super) struct Size {
    thumbnail: Option<u8>,
}

/// The drawing of a position as a file.
pub(super) async fn file(
    Asked(size): Asked<Size>,
    Typed(named): Typed,
) -> Result<Response, Problem> {
    let options = match size.thumbnail {
        None | Some(0) => SvgOptions::default(),
        Some(_) => SvgOptions {
            style: true,
            ..SvgOptions::thumbnail()
        },
    };
    let draw = move || sproutnet_drawing::svg(&*named.game, &named.position, &options);
    let drawn = crate::blocking(draw).await?;
    let drawn = drawn.map_err(|error| Problem::missing(error.to_string()))?;
    Ok(as_file(drawn))
}

/// A drawing as a file.
pub(super) fn as_file(drawn: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // The drawing at an address stays the same until the program changes.
        (header::CACHE_CONTROL, "private, max-age=3600"),
        // Nothing but the style in the file is allowed.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    (headers, drawn).into_response()
}

/// Whether the game with this name has pictures.
pub(crate) fn has_pictures(game: &str) -> bool {
    game::by_name(game).is_some_and(|game| sproutnet_drawing::has_pictures(&*game))
}

/// A small drawing, fetched when it comes into view.
pub(super) fn thumbnail(text: &str) -> Markup {
    html! {
        img.thumbnail src=(links::drawing(text, true)) alt=(format!("Drawing of {text}"))
            loading="lazy" decoding="async" width="132" height="132";
    }
}
