//! Partial expansion of a land: the options of the smallest lands are generated, of all others only
//! the sizes. Nothing is kept.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::{LandId, Lands, OptionSink, Visitor};

/// Passes options on to a visitor: by their lands if all of these have numbers, else in outline.
pub(super) struct PartialExpansion<'a> {
    lands: &'a Lands,
    visitor: &'a mut dyn Visitor,
    /// The lands of the current option; `None` if one of them has no number.
    known: Option<SmallVec<[LandId; 4]>>,
    max_moves: SmallVec<[u32; 4]>,
}

impl<'a> PartialExpansion<'a> {
    pub(super) fn new(lands: &'a Lands, visitor: &'a mut dyn Visitor) -> Self {
        Self {
            lands,
            visitor,
            known: Some(SmallVec::new()),
            max_moves: SmallVec::new(),
        }
    }
}

impl OptionSink for PartialExpansion<'_> {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        let found = self
            .lands
            .intern_if_useful(canonical, max_moves, self.visitor);
        match (found, &mut self.known) {
            (Ok(land), Some(known)) => known.push(land),
            _ => self.known = None,
        }
        self.max_moves.push(max_moves);
    }

    fn end(&mut self) -> ControlFlow<()> {
        let max_moves = std::mem::take(&mut self.max_moves);
        match self.known.replace(SmallVec::new()) {
            Some(mut option) => {
                option.sort_unstable();
                self.visitor.option(&option)
            }
            None => {
                self.visitor.outline(&max_moves);
                ControlFlow::Continue(())
            }
        }
    }

    fn outline(&mut self, max_moves: &mut dyn Iterator<Item = u32>) {
        let max_moves: SmallVec<[u32; 4]> = max_moves.collect();
        self.visitor.outline(&max_moves);
    }
}
