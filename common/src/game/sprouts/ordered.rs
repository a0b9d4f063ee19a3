//! The options of a land, those of the smallest lands first: these are known most likely, and the one
//! that decides is among them.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::canonical::Canoniser;
use super::diagram::{self, Region};
use super::encoding;
use super::shapes::Shapes;
use crate::game::OptionSink;

/// Room for the options of most lands.
const USUAL: usize = 256;

/// The options of one land.
pub(super) struct Ordered<'a> {
    shapes: &'a Shapes,
    regions: Vec<Region>,
    /// For each land of an option, its regions and lives.
    lands: Vec<(Range<usize>, u32)>,
    /// For each option, the lives of its largest land, and its lands.
    all: Vec<(u32, Range<usize>)>,
}

impl<'a> Ordered<'a> {
    /// Finds the options of a land that consists of some regions.
    pub(super) fn options(land: &[Region], shapes: &'a Shapes) -> Self {
        let mut options = Self {
            shapes,
            regions: Vec::with_capacity(USUAL),
            lands: Vec::with_capacity(USUAL),
            all: Vec::with_capacity(USUAL),
        };
        diagram::each_move(land, shapes, &mut |after| {
            let first = options.lands.len();
            diagram::each_land(after, &mut |regions| {
                let start = options.regions.len();
                options.regions.extend_from_slice(regions);
                let lives = diagram::lives(regions, shapes);
                options.lands.push((start..options.regions.len(), lives));
            });
            let largest = options.lands[first..].iter().map(|&(_, lives)| lives).max();
            let lands = first..options.lands.len();
            options.all.push((largest.unwrap_or(0), lands));
        });
        options.all.sort_by_key(|&(largest, _)| largest);
        options
    }

    /// Hands them to `sink`, until it breaks.
    ///
    /// # Errors
    /// `Break` when the sink broke.
    pub(super) fn tell(&self, sink: &mut dyn OptionSink) -> ControlFlow<()> {
        self.tell_some(&self.all, sink)
    }

    /// Hands the first of them to `sink`, until it breaks, and outlines the others.
    ///
    /// # Errors
    /// `Break` when the sink broke.
    pub(super) fn glance(&self, most: usize, sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (first, others) = self.all.split_at(most.min(self.all.len()));
        self.tell_some(first, sink)?;
        for (_, lands) in others {
            let lives = self.lands[lands.clone()].iter().map(|(_, lives)| lives);
            sink.outline(&mut lives.map(|lives| lives - 1));
        }
        ControlFlow::Continue(())
    }

    fn tell_some(
        &self,
        some: &[(u32, Range<usize>)],
        sink: &mut dyn OptionSink,
    ) -> ControlFlow<()> {
        let mut bytes = SmallVec::new();
        for (_, lands) in some {
            for (regions, lives) in &self.lands[lands.clone()] {
                let length = lives - 1;
                let regions = &self.regions[regions.clone()];
                // All lands of one move are one.
                if *lives == 2 {
                    sink.land(&encoding::ONE_MOVE, length);
                } else if diagram::encode(regions, self.shapes, &mut bytes) {
                    sink.land(&bytes, length);
                } else {
                    let drawn = diagram::drawn(regions, self.shapes);
                    let land = Canoniser::default().large_land(&drawn);
                    sink.land(land.as_bytes(), length);
                }
            }
            sink.end()?;
        }
        ControlFlow::Continue(())
    }
}
