//! What one step of a search proves about a land in normal play.

use std::ops::ControlFlow;

use super::super::{Convention, Effort, Outcome, State};
use sproutnet_game::{LandId, Visitor};
use sproutnet_record::{Fact, Nimbers};

/// Lands with at most that many moves left are evaluated directly.
pub const EVALUATED_DIRECTLY: u32 = 5;

/// Nimbers above this are not kept as excluded; they are met rarely.
pub const LARGEST_EXCLUDED: u32 = 61;

/// So many options are found out at a glance. Where one decides at all, it is among these in nineteen
/// of twenty cases.
const SEEN: usize = 10;

/// Of options in outline so many are no repeats.
const DISTINCT: f32 = 0.93;

/// How hard lands with so many lives look with a nimber.
pub fn effort(lives: u32, nimber: u32) -> Effort {
    let lives = lives as f32;
    Effort {
        win: 0.05 * lives,
        // All options must be wins: their number grows with the lives.
        loss: 0.1 * lives + 0.3 * lives.ln() + 0.3 * nimber as f32,
    }
}

/// What the outcome of a land and a nimber says of the land. `None` if that is not kept.
pub fn fact(nimber: u32, outcome: Outcome) -> Option<Fact> {
    match outcome {
        Outcome::Loss => Some(Fact::Nimber(u64::from(nimber))),
        Outcome::Win => (nimber <= LARGEST_EXCLUDED).then(|| Fact::Excluded(Nimbers::only(nimber))),
    }
}

/// A step of a search: the options of a land and a nimber are looked at as they are found.
pub struct Step<'a, C> {
    /// Resolves them.
    pub convention: &'a C,
    /// The land.
    pub land: LandId,
    /// The nimber.
    pub nimber: u32,
    /// Receives what they say of the land.
    pub exclude: &'a dyn Fn(Fact),
    /// Whether a fact about the land with a hash may be imported: see [`Visitor`].
    pub is_imported: &'a dyn Fn(u128) -> bool,
}

impl<C: Convention<Value = u32>> Step<'_, C> {
    /// Hands the options on, as far as possible resolved by what the convention knows: see
    /// [`Convention::each_option`].
    pub fn each(
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

    /// The same with the options as they are, after all of them were found.
    pub fn each_unfolded(
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

    /// A partial expansion: see [`Convention::glance`].
    pub fn glance(&self) -> Option<Result<Outcome, Effort>> {
        let mut glimpse = Glimpse {
            step: self,
            win: f32::INFINITY,
            loss: 0.0,
        };
        let lands = self.convention.lands();
        if lands
            .expand_partially(self.land, SEEN, &mut glimpse)?
            .is_break()
        {
            return Some(Ok(Outcome::Win));
        }
        for smaller in self.smaller() {
            if glimpse.meet(smaller).is_break() {
                return Some(Ok(Outcome::Win));
            }
        }
        // With no option open it is a loss, unless what was seen in outline says otherwise.
        glimpse.win.is_finite().then(|| Err(glimpse.effort()))
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

/// Hands options on.
struct Folding<'a, C> {
    step: &'a Step<'a, C>,
    sink: &'a mut dyn FnMut(State<u32>) -> ControlFlow<()>,
}

impl<C: Convention<Value = u32>> Visitor for Folding<'_, C> {
    fn may_be_known(&self, hash: u128) -> bool {
        (self.step.is_imported)(hash)
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        let mut option = self.step.option(lands);
        self.step.resolve(&mut option);
        (self.sink)(option)
    }
}

/// What a partial expansion shows.
struct Glimpse<'a, C> {
    step: &'a Step<'a, C>,
    /// The least effort to prove an option a loss, and the effort to prove all of them wins.
    win: f32,
    loss: f32,
}

impl<C: Convention<Value = u32>> Glimpse<'_, C> {
    /// Meets an option, which may decide.
    fn meet(&mut self, mut option: State<u32>) -> ControlFlow<()> {
        match self.step.resolve(&mut option) {
            Some(Outcome::Loss) => return ControlFlow::Break(()),
            Some(Outcome::Win) => {}
            None => {
                let lands = self.step.convention.lands();
                let lengths = option.lands.iter().map(|&land| lands.max_moves(land));
                self.count(lengths, option.value, 1.0);
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts options of lands of these lengths and a nimber, so many that are alike.
    fn count(&mut self, lengths: impl Iterator<Item = u32> + Clone, nimber: u32, many: f32) {
        let Some(largest) = lengths.clone().max() else {
            return;
        };
        // To know the sum one has to know all lands but the largest.
        let to_know = |length| effort(length + 1, 0).loss.exp();
        let others = lengths.map(to_know).sum::<f32>() - to_know(largest);
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

impl<C: Convention<Value = u32>> Visitor for Glimpse<'_, C> {
    fn may_be_known(&self, hash: u128) -> bool {
        (self.step.is_imported)(hash)
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        self.meet(self.step.option(lands))
    }

    fn outline(&mut self, lengths: &[u32]) {
        let unknown = lengths
            .iter()
            .copied()
            .filter(|&length| length > EVALUATED_DIRECTLY);
        self.count(unknown, self.step.nimber, DISTINCT);
    }
}
