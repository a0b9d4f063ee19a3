//! A glance at the options of a land: of the smallest it finds out which they are, of the others only
//! how large they are. Nothing is kept.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::{LandId, Lands, Look, OptionSink};

/// Shows options to one who looks, and what is not known of them as an outline.
pub(super) struct Glance<'a> {
    lands: &'a Lands,
    look: &'a mut dyn Look,
    /// The lands of the option that is being told: their numbers, if they all have one, and lengths.
    known: Option<SmallVec<[LandId; 4]>>,
    lengths: SmallVec<[u32; 4]>,
}

impl<'a> Glance<'a> {
    pub(super) fn new(lands: &'a Lands, look: &'a mut dyn Look) -> Self {
        Self {
            lands,
            look,
            known: Some(SmallVec::new()),
            lengths: SmallVec::new(),
        }
    }
}

impl OptionSink for Glance<'_> {
    fn land(&mut self, canonical: &[u8], length: u32) {
        let met = self.lands.met(canonical, length, self.look);
        match (met, &mut self.known) {
            (Ok(land), Some(known)) => known.push(land),
            _ => self.known = None,
        }
        self.lengths.push(length);
    }

    fn end(&mut self) -> ControlFlow<()> {
        let lengths = std::mem::take(&mut self.lengths);
        match self.known.replace(SmallVec::new()) {
            Some(mut option) => {
                option.sort_unstable();
                self.look.option(&option)
            }
            None => {
                self.look.outline(&lengths);
                ControlFlow::Continue(())
            }
        }
    }

    fn outline(&mut self, lengths: &mut dyn Iterator<Item = u32>) {
        let lengths: SmallVec<[u32; 4]> = lengths.collect();
        self.look.outline(&lengths);
    }
}
