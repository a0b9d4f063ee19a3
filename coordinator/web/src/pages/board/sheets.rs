//! The sheets that were drawn last. Whatever is not kept is drawn again from its address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_drawing::sheet::{Sheet, Stroke, StrokeError};

/// Each of the two generations has at most so many sheets, of some ten kilobytes each.
const KEPT: usize = 400;

/// Sheets by their number of spots and their moves.
#[derive(Default)]
pub(in crate::pages) struct Sheets {
    kept: Mutex<Kept>,
}

/// Two generations: the older is dropped when the newer is full.
#[derive(Default)]
struct Kept {
    newer: HashMap<String, Arc<Sheet>>,
    older: HashMap<String, Arc<Sheet>>,
}

impl Sheets {
    /// The sheets of a match after each number of moves.
    ///
    /// # Errors
    /// The first move that cannot be made, counted from 1, and why.
    pub(super) fn of(
        &self,
        spots: usize,
        strokes: &[Stroke],
    ) -> Result<Vec<Arc<Sheet>>, (usize, StrokeError)> {
        let mut key = spots.to_string();
        let mut sheets = vec![Arc::new(Sheet::start(spots))];
        for (i, stroke) in strokes.iter().enumerate() {
            key += &stroke.code();
            let next = match self.get(&key) {
                Some(sheet) => sheet,
                None => {
                    let sheet = sheets[i].play(stroke).map_err(|error| (i + 1, error))?;
                    let sheet = Arc::new(sheet);
                    self.keep(key.clone(), Arc::clone(&sheet));
                    sheet
                }
            };
            sheets.push(next);
        }
        Ok(sheets)
    }

    fn get(&self, key: &str) -> Option<Arc<Sheet>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sheet) = kept.newer.get(key) {
            return Some(Arc::clone(sheet));
        }
        let (key, sheet) = kept.older.remove_entry(key)?;
        kept.put(key, Arc::clone(&sheet));
        Some(sheet)
    }

    fn keep(&self, key: String, sheet: Arc<Sheet>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.put(key, sheet);
    }
}

impl Kept {
    fn put(&mut self, key: String, sheet: Arc<Sheet>) {
        if self.newer.len() >= KEPT {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, sheet);
    }
}
