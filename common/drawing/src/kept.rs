//! The lands that were drawn last. A move changes one land of a sum, so that the others need not be drawn again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::DrawingError;
use super::embed::Embedding;
use super::picture::Picture;
use sproutnet_game::sprouts::Mid;
use sproutnet_game::{Game, Land};

/// Each of the two generations has at most so many spots and lines, of some 500 bytes each.
const MOST_THINGS: usize = 10_000;

/// A land by its game.
type Key = (&'static str, Land);

/// Two generations: the older is dropped when the newer is full.
#[derive(Default)]
struct Kept {
    newer: HashMap<Key, Arc<Picture>>,
    older: HashMap<Key, Arc<Picture>>,
    things: usize,
}

static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// The picture of a land, in a square around the origin.
///
/// # Errors
/// The land cannot be drawn in the plane, or is too large.
pub(super) fn picture(
    game: &dyn Game,
    mid: Mid,
    land: &Land,
) -> Result<Arc<Picture>, DrawingError> {
    let key = (game.name(), land.clone());
    if let Some(picture) = kept().get_or_insert_default().get(&key) {
        return Ok(picture);
    }
    let picture = Arc::new(Picture::of(embedding(game, mid, land)?)?);
    kept()
        .get_or_insert_default()
        .insert(key, Arc::clone(&picture));
    Ok(picture)
}

/// Whether the picture of a land is kept.
pub(super) fn has(game: &dyn Game, land: &Land) -> bool {
    let key = (game.name(), land.clone());
    kept().get_or_insert_default().get(&key).is_some()
}

/// A land as a map of the plane.
///
/// # Errors
/// It cannot be drawn in the plane.
pub(super) fn embedding(game: &dyn Game, mid: Mid, land: &Land) -> Result<Embedding, DrawingError> {
    let land = game.land(land.as_bytes());
    Embedding::of(&land.map_err(|_| DrawingError::NoPictures)?, mid)
}

fn kept() -> MutexGuard<'static, Option<Kept>> {
    // No panic leaves it inconsistent.
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn get(&mut self, key: &Key) -> Option<Arc<Picture>> {
        if let Some(picture) = self.newer.get(key) {
            return Some(Arc::clone(picture));
        }
        let picture = self.older.remove(key)?;
        self.insert(key.clone(), Arc::clone(&picture));
        Some(picture)
    }

    fn insert(&mut self, key: Key, picture: Arc<Picture>) {
        let things = picture.map.lives.len() + picture.map.lines();
        if self.things + things > MOST_THINGS {
            self.older = std::mem::take(&mut self.newer);
            self.things = 0;
        }
        if self.newer.insert(key, picture).is_none() {
            self.things += things;
        }
    }
}
