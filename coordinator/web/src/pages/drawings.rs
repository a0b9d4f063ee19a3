//! Drawings of positions, and a cache of them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::Deserialize;
use sproutnet_drawing::{DrawingError, SvgOptions};
use sproutnet_game::{self as game, Game, Position};

use super::Site;
use super::pick::as_file;
use crate::extract::{Asked, Typed};
use crate::links;
use crate::problem::Problem;

/// The maximum size of all cached drawings together, in bytes.
const KEPT: u64 = 16 << 20;

/// The likely number of cached drawings.
const LIKELY: usize = 64;

/// A cache of drawings.
pub(super) struct Drawings(Cache<Key, Arc<str>, Bytes>);

/// Weighs a drawing by its bytes.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<str>> for Bytes {
    fn weight(&self, _: &Key, drawing: &Arc<str>) -> u64 {
        drawing.len() as u64
    }
}

impl Default for Drawings {
    fn default() -> Self {
        Self(Cache::with_weighter(LIKELY, KEPT, Bytes))
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    game: &'static str,
    position: Position,
    kind: Kind,
}

/// The use of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A part of a page that has the style. The spots show their lives.
    Inline,
    /// A file of its own.
    File,
    /// A small file of its own.
    Thumbnail,
}

impl Kind {
    fn look(self) -> SvgOptions {
        let (style, look) = match self {
            Self::Inline => (false, SvgOptions::default()),
            Self::File => (true, SvgOptions::default()),
            Self::Thumbnail => (true, SvgOptions::thumbnail()),
        };
        SvgOptions { style, ..look }
    }
}

/// The drawing of a position on its page.
pub(super) enum Shown {
    /// The drawing itself.
    Now(Arc<str>),
    /// The width and height of a slow drawing. The page does not wait for it.
    Later(f64, f64),
}

impl Drawings {
    /// The drawing of a position on its page.
    ///
    /// # Errors
    /// It cannot be drawn.
    pub(super) fn on_a_page(
        &self,
        game: &dyn Game,
        position: Position,
    ) -> Result<Shown, DrawingError> {
        match sproutnet_drawing::size_if_slow(game, &position) {
            Some((width, height)) => Ok(Shown::Later(width, height)),
            None => self.of(game, position, Kind::Inline).map(Shown::Now),
        }
    }

    /// The drawing of a position, from the cache or newly made. This may take a few hundredths of a second.
    ///
    /// # Errors
    /// It cannot be drawn.
    pub(super) fn of(
        &self,
        game: &dyn Game,
        position: Position,
        kind: Kind,
    ) -> Result<Arc<str>, DrawingError> {
        let key = Key {
            game: game.name(),
            position,
            kind,
        };
        let draw = || sproutnet_drawing::svg(game, &key.position, &kind.look()).map(Arc::from);
        self.0.get_or_insert_with(&key, draw)
    }
}

/// The query of a drawing.
#[derive(Deserialize)]
pub(super) struct Size {
    thumbnail: Option<u8>,
}

/// A drawing as a file.
pub(super) async fn file(
    State(site): State<Arc<Site>>,
    Asked(size): Asked<Size>,
    Typed(named): Typed,
) -> Result<Response, Problem> {
    let kind = match size.thumbnail {
        None | Some(0) => Kind::File,
        Some(_) => Kind::Thumbnail,
    };
    let drawn = move || site.drawings.of(&*named.game, named.position, kind);
    let drawing = crate::blocking(drawn).await?;
    let drawing = drawing.map_err(|error| Problem::missing(error.to_string()))?;
    Ok(as_file(drawing.to_string()))
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

#[cfg(test)]
mod tests;
