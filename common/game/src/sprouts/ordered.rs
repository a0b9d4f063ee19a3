//! The options of a land, those of the smallest lands first: these are known most likely, and the one
//! that decides is among them.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::canonical::Canonicaliser;
use super::diagram::{self, Region};
use super::encoding;
use super::shapes::Shapes;
use crate::OptionSink;

/// Room for the options of most lands.
const USUAL: usize = 256;

/// The options of one land.
pub(super) struct OrderedOptions<'a> {
    shapes: &'a Shapes,
    regions: Vec<Region>,
    /// For each land of an option, its regions and lives.
    lands: Vec<(Range<u32>, u32)>,
    /// For each option, the lives of its largest land, and its lands.
    all: Vec<(u32, Range<u32>)>,
}

impl<'a> OrderedOptions<'a> {
    /// Finds the options of a land that consists of some regions.
    pub(super) fn options(land: &[Region], shapes: &'a Shapes) -> Self {
        let mut options = Self {
            shapes,
            regions: Vec::with_capacity(USUAL),
            lands: Vec::with_capacity(USUAL),
            all: Vec::with_capacity(USUAL),
        };
        diagram::each_move(land, shapes, &mut |after| {
            let first = options.lands.len() as u32;
            let mut largest = 0;
            diagram::each_land(after, &mut |regions| {
                let start = options.regions.len() as u32;
                options.regions.extend_from_slice(regions);
                let lives = diagram::lives(regions);
                largest = largest.max(lives);
                let end = options.regions.len() as u32;
                options.lands.push((start..end, lives));
            });
            let lands = first..options.lands.len() as u32;
            options.all.push((largest, lands));
        });
        // Those that are alike stay in the order in which they were found.
        let key = |(largest, lands): &(u32, Range<u32>)| (*largest, lands.start);
        options.all.sort_unstable_by_key(key);
        options
    }

    /// The lands of an option, with their lives.
    fn lands(&self, lands: &Range<u32>) -> &[(Range<u32>, u32)] {
        &self.lands[lands.start as usize..lands.end as usize]
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
    pub(super) fn partial_expansion(
        &self,
        most: usize,
        sink: &mut dyn OptionSink,
    ) -> ControlFlow<()> {
        let (first, others) = self.all.split_at(most.min(self.all.len()));
        self.tell_some(first, sink)?;
        for (_, lands) in others {
            let lives = self.lands(lands).iter().map(|(_, lives)| lives);
            sink.outline(&mut lives.map(|lives| lives - 1));
        }
        ControlFlow::Continue(())
    }

    fn tell_some(&self, some: &[(u32, Range<u32>)], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let mut bytes = SmallVec::new();
        for (_, lands) in some {
            for (regions, lives) in self.lands(lands) {
                let length = lives - 1;
                let regions = &self.regions[regions.start as usize..regions.end as usize];
                // All lands of one move are one.
                if *lives == 2 {
                    sink.land(&encoding::ONE_MOVE, length);
                } else if diagram::encode(regions, self.shapes, &mut bytes) {
                    sink.land(&bytes, length);
                } else {
                    let drawn = diagram::drawn(regions, self.shapes);
                    let land = Canonicaliser::default().large_land(&drawn);
                    sink.land(land.as_bytes(), length);
                }
            }
            sink.end()?;
        }
        ControlFlow::Continue(())
    }
}
