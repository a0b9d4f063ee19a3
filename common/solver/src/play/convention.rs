//! The roles of a play convention in a search: the rules, the proved outcomes, the guidance, and the exchange of
//! records.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use sproutnet_game::{LandId, Lands, Position};

use super::{
    Archive, Contradiction, EncodedLands, LeastWorth, Outcome, Play, Record, RecordError, State,
    StateError, Switches,
};
use crate::search::{Means, Numbers};

/// A convention over the lands of one game, with all facts known under it.
///
/// Search threads share it: a fact that one thread proves is known to all at once.
pub trait Convention: ProvedOutcomes + Guidance + Exchange + Sized {
    /// An empty convention that keeps all learned facts in memory.
    fn new(lands: Arc<Lands>) -> Self;

    /// A convention over an archive. It keeps only facts about lands that it has met, which bounds its memory.
    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self;

    /// The approximate memory of the known facts without the lands, in bytes. Cheap enough to call every second.
    fn bytes(&self) -> usize;

    /// One thread's share of a search of a state: [`Means::search`]. Each convention has its own copy, so
    /// that the search is compiled once, with the convention, and not again in each crate that searches.
    fn search(&self, means: &Means<'_>, state: &State<Self::Value>, limit: Numbers) -> Numbers;

    /// The nimber of a land, or the next step to it. `None` if the convention has no nimbers.
    fn nimber(&self, land: LandId) -> Option<NimberStep<Self::Value>>;
}

/// The rules of a convention: states, their values and their options.
pub trait Rules: Send + Sync + 'static {
    /// The sum of all valued lands of a state.
    type Value: Copy + Eq + fmt::Debug + Send + Sync;

    /// The convention's name.
    const PLAY: Play;

    /// The lands that states refer to.
    fn lands(&self) -> &Lands;

    /// The value of the empty sum.
    fn nothing(&self) -> Self::Value;

    /// The state of a position none of whose lands is valued yet.
    fn state(&self, position: &Position) -> State<Self::Value> {
        State {
            lands: self.lands().intern_position(position),
            value: self.nothing(),
        }
    }

    /// A hash that identifies a state. Equal states have equal keys in every process, whatever the order in which it
    /// met their lands and values.
    fn key(&self, state: &State<Self::Value>) -> u128;

    /// The parts of a resolved state that is judged by its parts. The outcome of the first part, win or loss, lets the
    /// state resolve further, or gives it other parts.
    fn parts(&self, state: &State<Self::Value>) -> Option<Vec<State<Self::Value>>>;

    /// Passes the options of a resolved state without parts to `sink`, and returns whether it broke. Some options may
    /// be repeated. `None` if `stop` became true.
    fn each_option(
        &self,
        state: &State<Self::Value>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<Self::Value>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>>;

    /// A state's value for people to read: its nimber, or its genus if that is quickly found. `None` if the value is
    /// zero or cannot be written.
    fn describe_value(&self, value: Self::Value) -> Option<String> {
        let _ = value;
        None
    }

    /// Portable bytes of a state's value. `None` if they would be too long.
    fn encode_value(&self, value: Self::Value) -> Option<Vec<u8>>;

    /// The inverse of [`Self::encode_value`].
    ///
    /// # Errors
    /// The bytes are not those of a value.
    fn decode_value(&self, bytes: &[u8]) -> Result<Self::Value, StateError>;
}

/// The proved outcomes of states.
pub trait ProvedOutcomes: Rules {
    /// Folds all lands of known value into the state's value. Returns the outcome if it follows from the known lands.
    fn fold(&self, state: &mut State<Self::Value>) -> Option<Outcome>;

    /// Folds a state, and returns its outcome if any known fact gives it. The state is then *resolved*.
    fn resolve(&self, state: &mut State<Self::Value>) -> Option<Outcome> {
        self.fold(state)
    }

    /// The known outcomes of folded states, by their keys, beyond those that follow from the lands alone. One call for
    /// many states is much faster than many calls.
    fn recall(
        &self,
        states: &mut dyn Iterator<Item = (u128, &State<Self::Value>)>,
    ) -> Vec<Option<Outcome>> {
        states.map(|_| None).collect()
    }

    /// Whether the outcome of an earlier resolved state with this key is known. May miss newer facts about its lands.
    fn is_solved(&self, state: &State<Self::Value>, key: u128) -> bool {
        let _ = key;
        self.resolve(&mut state.clone()).is_some()
    }

    /// Keeps an outcome proved in `visits` visits.
    fn prove(&self, state: &State<Self::Value>, outcome: Outcome, visits: u64);

    /// Keeps the outcome of a requested state, and always makes a record of it.
    fn settle(&self, state: &State<Self::Value>, outcome: Outcome);

    /// The first contradiction between two proofs; one may be imported. The search must stop then.
    fn contradiction(&self) -> Option<&Contradiction>;
}

/// The guidance of a search. It proves nothing.
pub trait Guidance: Rules {
    /// The switches of its searches.
    fn switches(&self) -> &Switches {
        &Switches::ALL_ON
    }

    /// The estimated effort to solve a resolved state without parts.
    fn effort(&self, state: &State<Self::Value>) -> Effort;

    /// Expands a resolved state without parts partially. The state was never expanded before.
    fn expand_partially(&self, state: &State<Self::Value>) -> PartialExpansion {
        let _ = state;
        PartialExpansion::Inconclusive
    }

    /// Seeks the values of the lands of a resolved state without parts before it is searched. True if the state then
    /// resolves further.
    fn study(&self, state: &State<Self::Value>) -> bool {
        let _ = state;
        false
    }
}

/// The result of a partial expansion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartialExpansion {
    /// An option decides the state.
    Decided(Outcome),
    /// An estimate from the options.
    Estimated(Effort),
    /// Only a full expansion helps.
    Inconclusive,
}

/// Estimated effort to prove a state a win or a loss, as natural logarithms of numbers of leaves.
/// Estimates guide the search and prove nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// To prove a win for the player to move.
    pub win: f32,
    /// To prove a loss.
    pub loss: f32,
}

/// The exchange of proved facts as records.
pub trait Exchange: Send + Sync {
    /// The facts proved here since the last call.
    fn take_records(&self) -> Vec<Record> {
        self.take_worthy_records(LeastWorth::ALL)
    }

    /// Like [`Self::take_records`], but facts below the least worth stay for a later call.
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record>;

    /// Whether a record is well-formed; not whether it is true. The check is cheap. It accepts records
    /// whose lands or values are well-formed but not canonical; they do no harm, since no search meets
    /// their subjects.
    ///
    /// # Errors
    /// It is malformed.
    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// The lands in a well-formed key.
    fn lands_of<'k>(&self, key: &'k [u8]) -> EncodedLands<'k>;

    /// Imports a fact proved elsewhere.
    ///
    /// # Errors
    /// The record fails [`Self::check`], or contradicts a known fact; then nothing changes. A contradiction may also
    /// show later, when its subject is met: see [`ProvedOutcomes::contradiction`].
    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError>;
}

/// The nimber of a land, or the next step to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NimberStep<V> {
    /// The nimber.
    Known(u32),
    /// The next state to solve on the way to the nimber.
    Next(State<V>),
}

impl<V> NimberStep<V> {
    /// The nimber, if it is known.
    pub fn known(self) -> Option<u32> {
        match self {
            Self::Known(nimber) => Some(nimber),
            Self::Next(_) => None,
        }
    }
}
