//! Drawings of positions. Each is made once, and kept for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::{DrawingError, SvgOptions};
use sproutnet_game::{self as game, Game, Position};

use super::Site;
use crate::extract::{Asked, Typed};
use crate::links;
use crate::problem::Problem;

/// Each of the two generations has at most this many bytes.
const KEPT: usize = 8 << 20;

/// The drawings that were used last.
#[derive(Default)]
pub(super) struct Drawings {
    kept: Mutex<Kept>,
}

/// Two generations: the older is dropped when the newer is full.
#[derive(Default)]
struct Kept {
    newer: HashMap<Key, Arc<str>>,
    older: HashMap<Key, Arc<str>>,
    bytes: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    game: &'static str,
    position: Position,
    kind: Kind,
}

/// What a drawing is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A part of a page, which has the style. The spots show their lives.
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
    /// The width and height of a drawing that takes long. The page does not wait for it.
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

    /// The drawing of a position. May take a few hundredths of a second.
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
        if let Some(drawing) = self.kept().get(&key) {
            return Ok(drawing);
        }
        let drawing: Arc<str> = sproutnet_drawing::svg(game, &key.position, &kind.look())?.into();
        self.kept().insert(key, Arc::clone(&drawing));
        Ok(drawing)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // No panic leaves it inconsistent.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn get(&mut self, key: &Key) -> Option<Arc<str>> {
        if let Some(drawing) = self.newer.get(key) {
            return Some(Arc::clone(drawing));
        }
        let drawing = self.older.remove(key)?;
        self.insert(key.clone(), Arc::clone(&drawing));
        Some(drawing)
    }

    fn insert(&mut self, key: Key, drawing: Arc<str>) {
        let bytes = drawing.len();
        if self.bytes + bytes > KEPT {
            self.older = std::mem::take(&mut self.newer);
            self.bytes = 0;
        }
        if self.newer.insert(key, drawing).is_none() {
            self.bytes += bytes;
        }
    }
}

/// Which drawing.
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
    let drawing = site.draw(named.game, named.position, kind).await?;
    let drawing = drawing.map_err(|error| Problem::missing(error.to_string()))?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        // A text is drawn the same until the program changes.
        (header::CACHE_CONTROL, "private, max-age=3600"),
        // The style is in the file; nothing else may be.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    Ok((headers, drawing.to_string()).into_response())
}

/// Whether the positions of the game with this name are drawn.
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
