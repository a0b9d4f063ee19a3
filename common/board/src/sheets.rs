//! A cache of sheets. A missing one is drawn again from its address.

use std::sync::Arc;

use quick_cache::sync::Cache;
use sproutnet_drawing::sheet::{Edit, EditError, Sheet, Stroke, StrokeError};

/// The maximum number of cached sheets, of some ten kilobytes each.
const KEPT: usize = 800;

/// Sheets by the text of their start and their steps.
pub struct Sheets(Cache<String, Arc<Sheet>>);

impl Default for Sheets {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

/// A change to a sheet.
pub trait Step {
    /// The reason why the step cannot be made.
    type Error;

    /// Whether the step takes milliseconds, so that its sheet is worth caching.
    fn is_slow(&self) -> bool;

    /// The step as text.
    fn code(&self) -> String;

    /// The sheet after the step.
    ///
    /// # Errors
    /// The step cannot be made.
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
    /// The sheets after each number of steps, from `start` on. In the keys of the cache, `text` stands for `start`.
    ///
    /// # Errors
    /// The first step that cannot be made, counted from 1, and why.
    pub fn of<S: Step>(
        &self,
        text: &str,
        start: Arc<Sheet>,
        steps: &[S],
    ) -> Result<Vec<Arc<Sheet>>, (usize, S::Error)> {
        let mut key = text.to_owned();
        let mut sheets = vec![start];
        for (i, step) in steps.iter().enumerate() {
            key += &step.code();
            let draw = || step.on(&sheets[i]).map(Arc::new);
            let drawn = if step.is_slow() {
                self.0.get_or_insert_with(&*key, draw)
            } else {
                draw()
            };
            sheets.push(drawn.map_err(|error| (i + 1, error))?);
        }
        Ok(sheets)
    }
}
