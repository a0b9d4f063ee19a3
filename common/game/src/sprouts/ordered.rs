//! The options of a land, those of the smallest lands first. These are most likely known already, and usually include
//! an option that decides the land.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::diagram::{self, Region};
use super::shapes::Shapes;
use super::{encoding, links};
use crate::OptionSink;

/// The initial capacity, enough for the options of most lands.
const USUAL: usize = 256;

/// The options of one land.
pub(super) struct OrderedOptions<'a> {
    shapes: &'a Shapes,
    regions: Vec<Region>,
    /// For each land of an option, its regions and its maximum number of moves.
    lands: Vec<(Range<u32>, u32)>,
    /// For each option, the maximum number of moves of its largest land, and its lands.
    all: Vec<(u32, Range<u32>)>,
}

impl<'a> OrderedOptions<'a> {
    /// The options of the land of these regions.
    pub(super) fn of(land: &[Region], shapes: &'a Shapes) -> Self {
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
                let max_moves = diagram::max_moves(regions, shapes);
                largest = largest.max(max_moves);
                let end = options.regions.len() as u32;
                options.lands.push((start..end, max_moves));
            });
            let lands = first..options.lands.len() as u32;
            options.all.push((largest, lands));
        });
        // Options with equally large lands stay in the order of generation.
        let key = |(largest, lands): &(u32, Range<u32>)| (*largest, lands.start);
        options.all.sort_unstable_by_key(key);
        options
    }

    /// The lands of an option, with their maximum numbers of moves.
    fn lands(&self, lands: &Range<u32>) -> &[(Range<u32>, u32)] {
        &self.lands[lands.start as usize..lands.end as usize]
    }

    /// Passes all options to `sink`.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub(super) fn pass_all(&self, sink: &mut dyn OptionSink) -> ControlFlow<()> {
        self.pass(&self.all, sink)
    }

    /// Passes the first `most` options to `sink`, and all others in outline.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub(super) fn pass_first(&self, most: usize, sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (first, others) = self.all.split_at(most.min(self.all.len()));
        self.pass(first, sink)?;
        for (_, lands) in others {
            let max_moves = self.lands(lands).iter().map(|(_, max_moves)| *max_moves);
            sink.outline(&mut { max_moves });
        }
        ControlFlow::Continue(())
    }

    fn pass(&self, some: &[(u32, Range<u32>)], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let mut bytes = SmallVec::new();
        let lands_of_one_move_are_equal = self.shapes.rules.merges_small_regions();
        for (_, lands) in some {
            for &(ref regions, max_moves) in self.lands(lands) {
                let regions = &self.regions[regions.start as usize..regions.end as usize];
                if max_moves == 1 && lands_of_one_move_are_equal {
                    sink.land(&encoding::ONE_MOVE, max_moves);
                } else if !diagram::pass_land(regions, max_moves, self.shapes, &mut bytes, sink) {
                    let raw = diagram::raw_position(regions, self.shapes);
                    sink.land(&links::encode(&raw, 0..raw.regions()), max_moves);
                }
            }
            sink.end()?;
        }
        ControlFlow::Continue(())
    }
}
