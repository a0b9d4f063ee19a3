//! The options of a land by rewriting its raw position, those of the smallest lands first. It is used for lands that
//! are too large for [shapes](super::shapes), or not on the sphere.

use std::ops::ControlFlow;

use super::canonical::{Canonicaliser, lands};
use super::moves;
use super::rules::Rules;
use crate::OptionSink;
use sproutnet_notation::raw::RawPosition;

/// The maximum number of options that are put in order.
const MOST_OPTIONS: usize = 1 << 13;

/// The options of one land.
pub(super) struct RewrittenOptions {
    canonicaliser: Canonicaliser,
    all: Vec<RewrittenOption>,
}

/// An option, simplified and not yet in canonical form.
struct RewrittenOption {
    simple: RawPosition,
    /// For each land, its regions and its maximum number of moves.
    lands: Vec<(Vec<usize>, u32)>,
}

impl RewrittenOptions {
    /// The options of a land. `None` if there are too many.
    pub(super) fn of(land: &RawPosition, rules: Rules) -> Option<Self> {
        let mut canonicaliser = Canonicaliser::new(rules);
        let mut all = Vec::new();
        let end = moves::each(land, rules, &mut |raw| {
            let simple = canonicaliser.simplified(raw);
            let lands = lands(&simple).map(|regions| {
                let max_moves = rules.max_moves_in(&simple, &regions);
                (regions, max_moves)
            });
            let lands = lands.collect();
            all.push(RewrittenOption { simple, lands });
            match all.len() {
                0..=MOST_OPTIONS => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        // Options with equally large lands stay in the order of generation.
        let largest = |option: &RewrittenOption| option.lands.iter().map(|land| land.1).max();
        all.sort_by_key(largest);
        end.is_continue().then_some(Self { canonicaliser, all })
    }

    /// Passes the first `most` options to `sink`, and all others in outline.
    ///
    /// # Errors
    /// `Break` as soon as the sink breaks.
    pub(super) fn pass_first(&mut self, most: usize, sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (first, others) = self.all.split_at(most.min(self.all.len()));
        for RewrittenOption { simple, lands } in first {
            for (regions, max_moves) in lands {
                let land = self.canonicaliser.land(simple, regions);
                sink.land(land.as_bytes(), *max_moves);
            }
            sink.end()?;
        }
        for option in others {
            sink.outline(&mut option.lands.iter().map(|&(_, max_moves)| max_moves));
        }
        ControlFlow::Continue(())
    }
}
