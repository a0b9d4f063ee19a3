//! One step of a search under normal play, and the facts that it proves about a land.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::super::{Effort, Outcome, PartialExpansion, ProvedOutcomes, Rules, State};
use super::Normal;
use sproutnet_game::{LandId, Visitor};
use sproutnet_record::{Fact, Nimbers};

/// The maximum number of moves of a land that is evaluated directly.
pub(in crate::play) const EVALUATED_DIRECTLY: u32 = 5;

/// The largest nimber kept in sets of excluded nimbers. Larger ones are rare, and [never searched](super::large).
pub(in crate::play) const LARGEST_EXCLUDED: u32 = 61;

/// The number of options that a partial expansion finds. In 19 of 20 cases a deciding option is among them.
const SEEN: usize = 10;

/// The share of distinct options among those seen in outline.
const DISTINCT: f32 = 0.93;

/// The estimated effort for a land with `lives` lives and a nimber.
pub(in crate::play) fn effort(lives: u32, nimber: u32) -> Effort {
    let lives = lives as f32;
    // All options must be wins: their number grows with the lives. From 40 lives on the effort grows more slowly,
    // because large lands share most positions below them.
    let small = 0.1 * lives + 0.3 * lives.ln();
    let large = 0.04 * lives + 0.7 * lives.ln() + 0.925;
    Effort {
        win: 0.05 * lives,
        loss: small.min(large) + 0.3 * nimber as f32,
    }
}

/// The lives and nimbers whose [exponential efforts](exponentials) are computed once.
const MOST_LIVES: u32 = 128;
const MOST_NIMBERS: u32 = 8;

/// The exponentials of the estimated efforts to prove a win and a loss. Those of most lands are in a table.
fn exponentials(lives: u32, nimber: u32) -> [f32; 2] {
    type Row = [[f32; 2]; MOST_NIMBERS as usize];
    static TABLE: LazyLock<Box<[Row]>> = LazyLock::new(|| {
        let row = |lives| std::array::from_fn(|nimber| compute(lives, nimber as u32));
        (0..MOST_LIVES).map(row).collect()
    });
    fn compute(lives: u32, nimber: u32) -> [f32; 2] {
        let Effort { win, loss } = effort(lives, nimber);
        [win.exp(), loss.exp()]
    }
    let row = TABLE.get(lives as usize);
    let known = row.and_then(|row| row.get(nimber as usize));
    known.copied().unwrap_or_else(|| compute(lives, nimber))
}

/// The amount by which a guided search lowers the estimate of an expected loss. With a larger amount, or with raised
/// estimates elsewhere, the search is shorter, but it finds fewer facts for a proof to choose from.
const EXPECTED: f32 = 4.0;

/// The estimated effort to prove an unexpected outcome.
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

/// The fact about a land from the outcome of the land and a nimber. `None` if it is not kept.
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
    /// Receives the facts about the land that follow from the options.
    pub(in crate::play) exclude: &'a dyn Fn(Fact),
    /// Whether a fact about the land with a hash may be imported: see [`Visitor`].
    pub(in crate::play) is_imported: &'a dyn Fn(u128) -> bool,
}

impl Step<'_> {
    /// Passes the options on, resolved with the known facts: see
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

    /// Passes the options on unresolved, after all of them were found.
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

    /// The options that reduce the nimber.
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
            // If no option is open, it is a loss, unless an option seen only in outline is lost.
            false => PartialExpansion::Inconclusive,
        }
    }

    /// The option with these lands.
    fn option(&self, lands: &[LandId]) -> State<u32> {
        State {
            lands: lands.into(),
            value: self.nimber,
        }
    }

    /// Resolves an option, and notes the fact about the land that follows.
    fn resolve(&self, option: &mut State<u32>) -> Option<Outcome> {
        let outcome = self.convention.resolve(option);
        if option.lands.is_empty()
            && let Some(fact) = fact(option.value ^ self.nimber, Outcome::Win)
        {
            // The land can move to this nimber, so its own differs (Beling and Rogalski 2020).
            (self.exclude)(fact);
        }
        outcome
    }
}

/// Passes options to a sink.
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
    /// Adds an option. Breaks if it decides.
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
        // To know the sum, one has to know all lands but the largest.
        let to_know = |moves| exponentials(moves + 1, 0)[1];
        let others = moves.map(to_know).sum::<f32>() - to_know(largest);
        let [win, loss] = exponentials(largest + 1, nimber);
        self.win = self.win.min(loss + others);
        self.loss += many * (win + others);
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
