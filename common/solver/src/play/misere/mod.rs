//! Misère play: the player who makes the last move loses. The value of a land is its reduced canonical
//! tree (Conway, *On Numbers and Games*, ch. 12). Values add as sums of trees; only *1 + *1 cancels.
//!
//! Small lands are valued in full (as in GLOP: Lemoine and Viennot, arXiv 0908.4407), and some larger lands are proved
//! to be heaps. The others are searched beside that value. A state has no parts, since every option of a land is an
//! option of the state.

pub mod bag;
pub mod encoding;
mod form;
pub mod forms;
pub mod genus;
mod intern;
mod outcomes;
mod records;
pub mod tree;
mod values;

#[cfg(test)]
mod tests;

use crate::search::{Means, Numbers};
use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use self::bag::{Bag, Bags};
use self::genus::Genus;
use self::outcomes::{Outcomes, View};
pub use self::records::LARGEST_RECORD;
use self::records::{outcome_of_value, record_value};
use self::tree::{Tree, Trees};
use self::values::{Limits, Values};
use super::proved::Proved;
use super::{
    Archive, Contradiction, Convention, Effort, Guidance, NimberStep, Outcome, Play,
    ProvedOutcomes, Rules, State, StateError, Switch, Switches, state,
};
use sproutnet_game::{LandId, Lands};

/// The least number of visits of a loss that gets a record.
const VISITS_WORTH_A_RECORD: u64 = 4;

/// The maximum length of an encoded value in a state, in bytes.
const LARGEST_VALUE: usize = 1 << 16;

/// The maximum depth of a value whose genus is shown. Larger ones may take long.
const MOST_MOVES_OF_A_GENUS: u32 = 16;

/// The maximum number of options looked at for the outcome of a value at a time. That takes less than a tenth of a
/// second. Nobody can stop it meanwhile.
const MOST_OPTIONS: u64 = 100_000;

/// Bits of a state. This one: the archive has no record of it.
const NOT_ARCHIVED: u8 = 1;
/// The player to move wins.
const WINS: u8 = 2;
/// The player to move loses.
const LOSES: u8 = 4;
/// There is a record of the outcome.
const IS_RECORDED: u8 = 8;

/// The known trees of lands and outcomes of states.
pub struct Misere {
    lands: Arc<Lands>,
    switches: Switches,
    bags: Bags,
    values: Values,
    /// By the keys of states.
    solved: Outcomes,
    /// The source of facts proved elsewhere.
    archive: Option<Arc<dyn Archive>>,
    /// States solved by search with outcomes that are worth a record.
    proved: Proved<(State<Bag>, Outcome)>,
    contradiction: OnceLock<Contradiction>,
    /// The maximum number of options looked at for the outcome of a value. A value that takes more is searched.
    most_options: u64,
}

impl Misere {
    fn knowing(lands: Arc<Lands>, archive: Option<Arc<dyn Archive>>) -> Self {
        let trees = Arc::new(Trees::new());
        Self {
            values: Values::new(Arc::clone(&lands), Arc::clone(&trees), Limits::USUAL),
            lands,
            switches: Switches::default(),
            bags: Bags::new(trees),
            solved: Outcomes::default(),
            archive,
            proved: Proved::default(),
            contradiction: OnceLock::new(),
            most_options: MOST_OPTIONS,
        }
    }

    /// Sets the switches of the search.
    #[must_use]
    pub fn with(mut self, switches: Switches) -> Self {
        self.switches = switches;
        self.values.limits = if switches.has(Switch::Heaps) {
            Limits::USUAL
        } else {
            Limits::USUAL.without_heaps()
        };
        self
    }

    /// Proves fewer lands to be heaps. Searches then visit more states, and certificates of their results have a third
    /// of the facts.
    #[must_use]
    pub fn with_few_heaps(mut self) -> Self {
        self.values.limits = Limits::FEW;
        self
    }

    /// The maximum number of moves of a land that is valued in full.
    pub const VALUED_IN_FULL: u32 = Limits::USUAL.in_full;

    /// The value of a land that is small or proved to be a heap. The answer to the first call is final.
    pub fn value_of(&self, land: LandId) -> Option<Tree> {
        self.values.seek(land)
    }

    /// The genus of a value, if it has few moves left.
    pub fn genus(&self, value: Bag) -> Option<Genus> {
        let is_quick = self.bags.depth(value) <= MOST_MOVES_OF_A_GENUS;
        is_quick.then(|| {
            let trees = self.bags.trees();
            let summands = self.bags.summands(value);
            trees.genus(summands.fold(Tree::ZERO, |sum, tree| trees.add(sum, tree)))
        })
    }

    /// The table of the values.
    pub fn bags(&self) -> &Bags {
        &self.bags
    }

    /// An upper bound on the number of moves left in a state.
    pub fn max_moves(&self, state: &State<Bag>) -> u32 {
        let lands = state.lands.iter().map(|&land| self.lands.max_moves(land));
        lands.fold(self.bags.depth(state.value), u32::saturating_add)
    }

    /// The outcome of a folded state with this key, if it is in memory or in the archive.
    fn known(&self, view: &View, state: &State<Bag>, key: u128) -> Option<Outcome> {
        let kept = view.get(key);
        match &self.archive {
            Some(archive) if kept == 0 => self.import(archive.as_ref(), state, key),
            _ => outcome_of(kept),
        }
    }

    /// The outcome of a new folded state in the archive.
    fn import(&self, archive: &dyn Archive, state: &State<Bag>, key: u128) -> Option<Outcome> {
        let value = self.record_key(state).and_then(|key| archive.value(&key));
        let Some(outcome) = value.and_then(outcome_of_value) else {
            return outcome_of(self.solved.add(key, NOT_ARCHIVED, |_| true));
        };
        match self.enter(state, outcome, true) {
            Ok(_) => Some(outcome),
            Err(contradiction) => {
                let known = contradiction.known;
                self.contradiction.get_or_init(|| contradiction);
                outcome_of_value(known)
            }
        }
    }

    /// Folds a state and keeps its outcome. True if a record is due: the first call with `record` set.
    fn keep(
        &self,
        state: &mut State<Bag>,
        outcome: Outcome,
        record: bool,
    ) -> Result<bool, Contradiction> {
        match self.fold(state) {
            None => self.enter(state, outcome, record),
            Some(known) if known == outcome => Ok(false),
            Some(known) => Err(self.contradiction_of(state, known)),
        }
    }

    /// Like [`Self::keep`], for a folded state of unknown outcome.
    fn enter(
        &self,
        state: &State<Bag>,
        outcome: Outcome,
        record: bool,
    ) -> Result<bool, Contradiction> {
        if state.lands.is_empty() {
            // A record is about lands.
            self.bags.record(state.value, outcome == Outcome::Win);
            return Ok(false);
        }
        let key = self.key(state);
        let agrees = |known| outcome_of(known).is_none_or(|known| known == outcome);
        let bits = match outcome {
            Outcome::Win => WINS,
            Outcome::Loss => LOSES,
        };
        let recorded = if record { IS_RECORDED } else { 0 };
        let known = self.solved.add(key, bits | recorded, agrees);
        match outcome_of(known).filter(|&known| known != outcome) {
            None => Ok(record && known & IS_RECORDED == 0),
            Some(known) => Err(self.contradiction_of(state, known)),
        }
    }

    /// The contradiction between a known outcome of a state and its opposite.
    fn contradiction_of(&self, state: &State<Bag>, known: Outcome) -> Contradiction {
        Contradiction {
            key: self.record_key(state).unwrap_or_default(),
            known: record_value(known),
            new: record_value(known.reversed()),
        }
    }

    /// Keeps an outcome proved here.
    fn keep_own(&self, state: &State<Bag>, outcome: Outcome, record: bool, visits: u64) {
        let mut state = state.clone();
        match self.keep(&mut state, outcome, record) {
            Ok(true) => self.proved.push(visits, (state, outcome)),
            Ok(false) => {}
            Err(contradiction) => {
                self.contradiction.get_or_init(|| contradiction);
            }
        }
    }
}

/// The outcome in the bits of a state.
fn outcome_of(kept: u8) -> Option<Outcome> {
    (kept & (WINS | LOSES) != 0).then(|| Outcome::win_if(kept & WINS != 0))
}

impl Rules for Misere {
    type Value = Bag;

    const PLAY: Play = Play::Misere;

    fn lands(&self) -> &Lands {
        &self.lands
    }

    fn nothing(&self) -> Bag {
        Bag::ZERO
    }

    fn key(&self, state: &State<Bag>) -> u128 {
        let mark = self.bags.mark(state.value);
        state::key(&self.lands, Self::PLAY, &state.lands, mark)
    }

    fn parts(&self, _state: &State<Bag>) -> Option<Vec<State<Bag>>> {
        None
    }

    fn each_option(
        &self,
        state: &State<Bag>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<Bag>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        for (i, &land) in state.lands.iter().enumerate() {
            if i > 0 && state.lands[i - 1] == land {
                continue;
            }
            let mut others = state.lands.clone();
            others.remove(i);
            // All are kept, unlike wins, which are found again each time.
            for option in self.lands.options(land, stop)?.iter() {
                let mut lands = others.clone();
                lands.extend_from_slice(option);
                lands.sort_unstable();
                let value = state.value;
                if sink(State { lands, value }).is_break() {
                    return Some(ControlFlow::Break(()));
                }
            }
        }
        let mut values = self.bags.options(state.value).map(|value| State {
            lands: state.lands.clone(),
            value,
        });
        Some(values.try_for_each(sink))
    }

    fn describe_value(&self, value: Bag) -> Option<String> {
        let genus = self.genus(value).filter(|_| value != Bag::ZERO);
        genus.map(|genus| genus.to_string())
    }

    fn encode_value(&self, value: Bag) -> Option<Vec<u8>> {
        self.bags.encode(value, LARGEST_VALUE)
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<Bag, StateError> {
        match self.bags.decode(bytes) {
            Ok((value, length)) if length == bytes.len() => Ok(value),
            Ok(_) => Err(StateError::Length),
            Err(error) => Err(StateError::Value(error.to_string())),
        }
    }
}

impl ProvedOutcomes for Misere {
    fn fold(&self, state: &mut State<Bag>) -> Option<Outcome> {
        let mut value = state.value;
        state
            .lands
            .retain(|&mut land| match self.values.known(land) {
                Some(tree) => {
                    value = self.bags.add(value, tree);
                    false
                }
                None => true,
            });
        state.value = value;
        let is_valued = state.lands.is_empty();
        let wins = is_valued.then(|| self.bags.mover_wins_quickly(value, self.most_options))?;
        wins.map(Outcome::win_if)
    }

    fn resolve(&self, state: &mut State<Bag>) -> Option<Outcome> {
        let outcome = self.fold(state);
        outcome.or_else(|| self.known(&self.solved.view(), state, self.key(state)))
    }

    fn recall(
        &self,
        states: &mut dyn Iterator<Item = (u128, &State<Bag>)>,
    ) -> Vec<Option<Outcome>> {
        let view = self.solved.view();
        let mut touched = 0;
        let touch = |&(key, _): &_| touched ^= view.touch(key);
        let states: Vec<_> = states.inspect(touch).collect();
        black_box(touched);
        let known = states
            .iter()
            .map(|&(key, state)| self.known(&view, state, key));
        known.collect()
    }

    fn is_solved(&self, state: &State<Bag>, key: u128) -> bool {
        self.known(&self.solved.view(), state, key).is_some()
    }

    fn prove(&self, state: &State<Bag>, outcome: Outcome, visits: u64) {
        // A win follows from a loss below it. It is kept to save time, and needs no record.
        // The outcome of a value alone is kept with the value.
        let is_value = state.lands.is_empty();
        if outcome == Outcome::Loss || is_value || self.switches.has(Switch::Exclusions) {
            let record = outcome == Outcome::Loss && visits >= VISITS_WORTH_A_RECORD;
            self.keep_own(state, outcome, record, visits);
        }
    }

    fn settle(&self, state: &State<Bag>, outcome: Outcome) {
        self.keep_own(state, outcome, true, u64::MAX);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.get()
    }
}

impl Guidance for Misere {
    fn switches(&self) -> &Switches {
        &self.switches
    }

    fn effort(&self, state: &State<Bag>) -> Effort {
        let mut lives = 0;
        let mut not_expanded = 0;
        for &land in &state.lands {
            lives += self.lands.max_moves(land) + 1;
            not_expanded += u32::from(self.lands.known_options(land).is_none());
        }
        let depth = self.bags.depth(state.value);
        // There may be a value alone, whose outcome takes long.
        let (lives, unknown) = (lives.max(1) as f32, not_expanded as f32);
        // With larger differences between the two, the search takes many times as long.
        Effort {
            win: 0.05 * lives + unknown,
            loss: 0.1 * (lives + depth as f32) + 0.4 * lives.ln() + unknown,
        }
    }

    fn study(&self, state: &State<Bag>) -> bool {
        let is_found = |&land: &LandId| self.values.seek(land).is_some();
        // `count` visits all lands: each value helps.
        state.lands.iter().filter(|land| is_found(land)).count() > 0
    }
}

impl Convention for Misere {
    fn new(lands: Arc<Lands>) -> Self {
        Self::knowing(lands, None)
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        Self::knowing(lands, Some(archive))
    }

    fn bytes(&self) -> usize {
        let proved = self.proved.bytes();
        self.bags.bytes() + self.values.bytes() + self.solved.bytes() + proved
    }

    fn search(&self, means: &Means<'_>, state: &State<Bag>, limit: Numbers) -> Numbers {
        means.search(self, state, limit)
    }

    fn nimber(&self, _land: LandId) -> Option<NimberStep<Bag>> {
        None
    }
}
