//! Drawings of positions: each is made once, and kept for a while.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use sproutnet_drawing::{Drawing, DrawingError, SvgOptions};
use sproutnet_game::Position;
use xxhash_rust::xxh3::xxh3_128;

use super::Site;
use super::problem::Problem;
use crate::links;

/// Between so many bytes and twice as many are kept.
const KEPT: usize = 8 << 20;

/// Drawings made so far, as long as there is room.
#[derive(Default)]
pub(super) struct Drawings {
    kept: Mutex<Kept>,
}

/// Two generations: the older goes when the newer is full.
#[derive(Default)]
struct Kept {
    newer: HashMap<Key, Arc<str>>,
    older: HashMap<Key, Arc<str>>,
    bytes: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    position: Position,
    kind: Kind,
}

/// What a drawing is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A part of a page, which has the style. Lives are written at the spots.
    Inline,
    /// A file of its own.
    File,
    /// A small file of its own.
    Thumbnail,
}

impl Kind {
    fn look(self) -> SvgOptions {
        let lives = SvgOptions::default();
        match self {
            Self::Inline => SvgOptions {
                style: false,
                ..lives
            },
            Self::File => lives,
            Self::Thumbnail => SvgOptions {
                style: true,
                ..SvgOptions::thumbnail()
            },
        }
    }
}

impl Drawings {
    /// The drawing of a position of Sprouts. May take a few hundredths of a second.
    ///
    /// # Errors
    /// It cannot be drawn.
    pub(super) fn of(&self, position: &Position, kind: Kind) -> Result<Arc<str>, DrawingError> {
        let position = position.clone();
        let key = Key { position, kind };
        if let Some(drawing) = self.kept().get(&key) {
            return Ok(drawing);
        }
        let drawing: Arc<str> = Drawing::of(&key.position)?.svg(&kind.look()).into();
        self.kept().insert(key, Arc::clone(&drawing));
        Ok(drawing)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Whatever is in it is whole.
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
pub(super) struct Asked {
    thumbnail: Option<u8>,
}

/// A drawing as a file.
pub(super) async fn file(
    State(site): State<Arc<Site>>,
    path: Result<Path<String>, PathRejection>,
    asked: Result<Query<Asked>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Path(text) = path.map_err(|_| Problem::bad("a position is expected"))?;
    let Query(asked) = asked.map_err(|_| Problem::bad("thumbnail=1 or nothing is expected"))?;
    let kind = match asked.thumbnail {
        None | Some(0) => Kind::File,
        Some(_) => Kind::Thumbnail,
    };
    let (game, position) = Problem::unless_position(&text)?;
    if game.name() != "sprouts" {
        return Err(Problem::missing(DrawingError::NotSprouts.to_string()));
    }
    let drawing = site.draw(position, kind).await?;
    let drawing = drawing.map_err(|error| Problem::missing(error.to_string()))?;
    let tag = format!("\"{:032x}\"", xxh3_128(drawing.as_bytes()));
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let has_it = known
        .filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(','))
        .any(|known| known.trim().trim_start_matches("W/") == tag);
    let headers = [
        (header::ETAG, tag),
        // The same text is drawn the same until the program changes.
        (header::CACHE_CONTROL, "private, max-age=3600".to_owned()),
        // The style is in the file; nothing else may be.
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'".to_owned(),
        ),
    ];
    if has_it {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let kind = (header::CONTENT_TYPE, "image/svg+xml");
    Ok((headers, [kind], drawing.to_string()).into_response())
}

/// A small drawing, fetched when it comes into view.
pub(super) fn thumbnail(text: &str) -> Markup {
    html! {
        img.thumbnail src=(links::drawing(text, true)) alt=(format!("Drawing of {text}"))
            loading="lazy" decoding="async" width="132" height="132";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_and_what_is_used_stays() {
        let mut kept = Kept::default();
        let (_, position) = sproutnet_game::parse("0*3").expect("a position");
        let key = |kind| Key {
            position: position.clone(),
            kind,
        };
        let drawing = |mib: usize| Arc::<str>::from("x".repeat(mib << 20));
        kept.insert(key(Kind::File), drawing(5));
        kept.insert(key(Kind::Inline), drawing(5));
        assert!(kept.get(&key(Kind::File)).is_some());
        assert_eq!((kept.newer.len(), kept.older.len()), (1, 1));
        kept.insert(key(Kind::Thumbnail), drawing(5));
        assert!(kept.get(&key(Kind::Inline)).is_none());
        assert!(kept.get(&key(Kind::File)).is_some());
    }
}
