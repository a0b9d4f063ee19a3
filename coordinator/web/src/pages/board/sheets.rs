//! The sheets that were drawn last. Whatever is not kept is drawn again from its address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_drawing::sheet::{Edit, EditError, Sheet, Stroke, StrokeError};

/// Each of the two generations has at most so many sheets, of some ten kilobytes each.
const KEPT: usize = 400;

/// Sheets by how they began, and what was drawn.
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

/// What changes a sheet.
pub(in crate::pages) trait Step {
    /// Why it cannot be made.
    type Error;

    /// Whether it takes milliseconds, so that the sheet after it is worth keeping.
    fn is_slow(&self) -> bool;

    /// The step as text.
    fn code(&self) -> String;

    /// The sheet after it.
    fn on(&self, sheet: &Sheet) -> Result<Sheet, Self::Error>;
}

impl Step for Stroke {
    type Error = StrokeError;

    fn is_slow(&self) -> bool {
        true
    }

    fn code(&self) -> String {
        self.code()
    }

    fn on(&self, sheet: &Sheet) -> Result<Sheet, StrokeError> {
        sheet.play(self)
    }
}

impl Step for Edit {
    type Error = EditError;

    fn is_slow(&self) -> bool {
        matches!(self, Self::Even)
    }

    fn code(&self) -> String {
        self.code()
    }

    fn on(&self, sheet: &Sheet) -> Result<Sheet, EditError> {
        sheet.edited(self)
    }
}

impl Sheets {
    /// The sheets after each number of steps, from one that a text stands for.
    ///
    /// # Errors
    /// The first step that cannot be made, counted from 1, and why.
    pub(in crate::pages) fn of<S: Step>(
        &self,
        text: &str,
        start: Arc<Sheet>,
        steps: &[S],
    ) -> Result<Vec<Arc<Sheet>>, (usize, S::Error)> {
        let mut key = text.to_owned();
        let mut sheets = vec![start];
        for (i, step) in steps.iter().enumerate() {
            key += &step.code();
            let kept = step.is_slow().then(|| self.get(&key)).flatten();
            let next = match kept {
                Some(sheet) => sheet,
                None => {
                    let sheet = step.on(&sheets[i]).map_err(|error| (i + 1, error))?;
                    let sheet = Arc::new(sheet);
                    if step.is_slow() {
                        self.keep(key.clone(), Arc::clone(&sheet));
                    }
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
