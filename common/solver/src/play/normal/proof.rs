//! What one step of a search proves about a land under normal play.

use std::ops::ControlFlow;

use super::super::{Effort, Outcome, PartialExpansion, ProvedOutcomes, Rules, State};
use super::Normal;
use sproutnet_game::{LandId, Visitor};
use sproutnet_record::{Fact, Nimbers};

/// Lands with at most that many moves left are evaluated directly.
pub(in crate::play) const EVALUATED_DIRECTLY: u32 = 5;

/// Nimbers above this are not kept as excluded; they are met rarely.
pub(in crate::play) const LARGEST_EXCLUDED: u32 = 61;

/// The number of options that a partial expansion finds. If an option decides at all, it is one of these in
/// nineteen of twenty cases.
const SEEN: usize = 10;

/// The share of options in outline that are no repeats.
const DISTINCT: f32 = 0.93;

/// The estimated effort for lands with that many lives and a nimber.
pub(in crate::play) fn effort(lives: u32, nimber: u32) -> Effort {
    let lives = lives as f32;
    // All options must be wins: their number grows with the lives. From 40 lives on the effort grows more slowly, because
    // large lands share most positions below them.
    let small = 0.1 * lives + 0.3 * lives.ln();
    let large = 0.04 * lives + 0.7 * lives.ln() + 0.925;
    Effort {
        win: 0.05 * lives,
        loss: small.min(large) + 0.3 * nimber as f32,
    }
}

/// By how much the estimate of a loss shrinks in a guided search that expects it. With more, or if estimates grow where
/// nothing is expected, the search is shorter, but it finds fewer facts for a proof to choose from.
const EXPECTED: f32 = 4.0;

/// The estimated effort to prove what is not expected.
const UNEXPECTED: f32 = 15.0;

/// The estimate for a guided search that expects an outcome.
pub(in crate::play) fn expecting(outcome: Outcome, Effort { win, loss }: Effort) -> Effort {
    match outcome {
        Outcome::Win => Effort {
            win,
            loss: UNEXPECTED,
        },
        Outcome::Loss => Effort {
            win: UNEXPECTED,
            loss: (loss - EXPECTED).max(0.0),
        },
    }
}

/// What the outcome of a land and a nimber says of the land. `None` if that is not kept.
pub(in crate::play) fn fact(nimber: u32, outcome: Outcome) -> Option<Fact> {
    match outcome {
        Outcome::Loss => Some(Fact::Nimber(u64::from(nimber))),
        Outcome::Win => (nimber <= LARGEST_EXCLUDED).then(|| Fact::Excluded(Nimbers::only(nimber))),
    }
}

/// A step of a search: visits the options of a land and a nimber.
pub(in crate::play) struct Step<'a> {
    /// Resolves the options.
    pub(in crate::play) convention: &'a Normal,
    /// The land.
    pub(in crate::play) land: LandId,
    /// The nimber.
    pub(in crate::play) nimber: u32,
    /// Receives what the options say of the land.
    pub(in crate::play) exclude: &'a dyn Fn(Fact),
    /// Whether a fact about the land with a hash may be imported: see [`Visitor`].
    pub(in crate::play) is_imported: &'a dyn Fn(u128) -> bool,
}

impl Step<'_> {
    /// Passes the options on, resolved as far as the convention knows: see
    /// [`Rules::each_option`](super::super::Rules::each_option).
    pub(in crate::play) fn each(
        &self,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<u32>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let mut folding = Folding { step: self, sink };
        let lands = self.convention.lands();
        if lands
            .visit_options(self.land, stop, &mut folding)?
            .is_break()
        {
            return Some(ControlFlow::Break(()));
        }
        Some(self.smaller().try_for_each(sink))
    }

    /// Passes on the options unresolved, after all of them were found.
    pub(in crate::play) fn each_unfolded(
        &self,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<u32>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let options = self.convention.lands().options(self.land, stop)?;
        let with_nimber = |lands: &[LandId]| State {
            lands: lands.into(),
            value: self.nimber,
        };
        let mut all = options.iter().map(with_nimber).chain(self.smaller());
        Some(all.try_for_each(sink))
    }

    /// The options in which the nimber is made smaller.
    fn smaller(&self) -> impl Iterator<Item = State<u32>> {
        (0..self.nimber).map(|smaller| State::single(self.land, smaller))
    }

    /// See [`Guidance::expand_partially`](super::super::Guidance::expand_partially).
    pub(in crate::play) fn expand_partially(&self) -> PartialExpansion {
        let mut estimate = Estimate {
            step: self,
            win: f32::INFINITY,
            loss: 0.0,
        };
        let lands = self.convention.lands();
        let Some(end) = lands.expand_partially(self.land, SEEN, &mut estimate) else {
            return PartialExpansion::Inconclusive;
        };
        let is_won = end.is_break() || self.smaller().any(|option| estimate.add(option).is_break());
        match is_won {
            true => PartialExpansion::Decided(Outcome::Win),
            false if estimate.win.is_finite() => PartialExpansion::Estimated(estimate.effort()),
            // With no option open it is a loss, unless an option that was seen only in outline is one.
            false => PartialExpansion::Inconclusive,
        }
    }

    /// An option by its lands.
    fn option(&self, lands: &[LandId]) -> State<u32> {
        State {
            lands: lands.into(),
            value: self.nimber,
        }
    }

    /// Resolves an option as far as possible, and notes what it says of the land.
    fn resolve(&self, option: &mut State<u32>) -> Option<Outcome> {
        let outcome = self.convention.resolve(option);
        if option.lands.is_empty()
            && let Some(fact) = fact(option.value ^ self.nimber, Outcome::Win)
        {
            // The land can move to that nimber, so it has another (Beling and Rogalski 2020).
            (self.exclude)(fact);
        }
        outcome
    }
}

/// Passes options on.
struct Folding<'a> {
    step: &'a Step<'a>,
    sink: &'a mut dyn FnMut(State<u32>) -> ControlFlow<()>,
}

impl Visitor for Folding<'_> {
    fn may_be_known(&self, hash: u128) -> bool {
        (self.step.is_imported)(hash)
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        let mut option = self.step.option(lands);
        self.step.resolve(&mut option);
        (self.sink)(option)
    }
}

/// The estimate of a partial expansion.
struct Estimate<'a> {
    step: &'a Step<'a>,
    /// The least effort to prove an option a loss, and the effort to prove all of them wins.
    win: f32,
    loss: f32,
}

impl Estimate<'_> {
    /// Adds an option, which may decide.
    fn add(&mut self, mut option: State<u32>) -> ControlFlow<()> {
        match self.step.resolve(&mut option) {
            Some(Outcome::Loss) => return ControlFlow::Break(()),
            Some(Outcome::Win) => {}
            None => {
                let lands = self.step.convention.lands();
                let moves = option.lands.iter().map(|&land| lands.max_moves(land));
                self.count(moves, option.value, 1.0);
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts `many` like options: lands with these maximal numbers of moves, and a nimber.
    fn count(&mut self, moves: impl Iterator<Item = u32> + Clone, nimber: u32, many: f32) {
        let Some(largest) = moves.clone().max() else {
            return;
        };
        // To know the sum one has to know all lands but the largest.
        let to_know = |moves| effort(moves + 1, 0).loss.exp();
        let others = moves.map(to_know).sum::<f32>() - to_know(largest);
        let effort = effort(largest + 1, nimber);
        self.win = self.win.min(effort.loss.exp() + others);
        self.loss += many * (effort.win.exp() + others);
    }

    fn effort(&self) -> Effort {
        Effort {
            win: self.win.ln(),
            loss: self.loss.ln(),
        }
    }
}

impl Visitor for Estimate<'_> {
    fn may_be_known(&self, hash: u128) -> bool {
        (self.step.is_imported)(hash)
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        self.add(self.step.option(lands))
    }

    fn outline(&mut self, moves: &[u32]) {
        let unknown = moves
            .iter()
            .copied()
            .filter(|&moves| moves > EVALUATED_DIRECTLY);
        self.count(unknown, self.step.nimber, DISTINCT);
    }
}
