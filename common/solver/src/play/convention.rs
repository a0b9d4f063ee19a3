//! What a search needs of a play convention, by roles: the rules, the proved outcomes, the guidance, and the
//! exchange of records.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use sproutnet_game::{LandId, Lands, Position};

use super::{
    Archive, Contradiction, LeastWorth, Outcome, Play, Record, RecordError, State, StateError,
    Switches,
};
use crate::search::{Means, Numbers};

/// A convention over the lands of one game, with everything that is known under it.
///
/// Search threads share it: a fact that one of them proves is known to all at once.
pub trait Convention: ProvedOutcomes + Guidance + Exchange + Sized {
    /// Knows nothing yet, and keeps in memory all that it learns.
    fn new(lands: Arc<Lands>) -> Self;

    /// Knows what is in the archive. It keeps only what concerns lands that it has met, which bounds its
    /// memory.
    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self;

    /// About how many bytes of memory the knowledge takes, without the lands. Cheap enough to call every
    /// second.
    fn bytes(&self) -> usize;

    /// One thread's share of a search of a state: [`Means::search`]. Each convention has its own copy, so
    /// that the search is compiled once, with the convention, and not again in each crate that searches.
    fn search(&self, means: &Means<'_>, state: &State<Self::Value>, limit: Numbers) -> Numbers;

    /// How far the nimber of a land is known. `None` if the convention has no nimbers.
    fn nimber(&self, land: LandId) -> Option<NimberStep<Self::Value>>;
}

/// The rules of a convention: states, their values and their options.
pub trait Rules: Send + Sync + 'static {
    /// What stands for all valued lands of a state.
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

    /// A hash that identifies a state. Equal states have equal keys in every process, in whatever order it met
    /// their lands and values.
    fn key(&self, state: &State<Self::Value>) -> u128;

    /// The parts of a resolved state, if it is judged by them. The outcome of the first part, whichever it
    /// is, lets the state resolve further.
    fn parts(&self, state: &State<Self::Value>) -> Option<Vec<State<Self::Value>>>;

    /// Passes the options of a resolved state without parts to `sink`, and returns whether it broke. Some
    /// options may come twice. `None` if `stop` became true.
    fn each_option(
        &self,
        state: &State<Self::Value>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<Self::Value>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>>;

    /// A state's value for people to read: its nimber, or its genus if that is quickly found. `None` if
    /// the value is nothing or cannot be written.
    fn describe_value(&self, value: Self::Value) -> Option<String> {
        let _ = value;
        None
    }

    /// Portable bytes of a state's value. `None` if they would be too many.
    fn encode_value(&self, value: Self::Value) -> Option<Vec<u8>>;

    /// The inverse of [`Self::encode_value`].
    ///
    /// # Errors
    /// The bytes are not those of a value.
    fn decode_value(&self, bytes: &[u8]) -> Result<Self::Value, StateError>;
}

/// The outcomes of states as far as they are proved.
pub trait ProvedOutcomes: Rules {
    /// Folds all lands of known value into the state's value. Returns the outcome if it follows from what
    /// is known of the lands.
    fn fold(&self, state: &mut State<Self::Value>) -> Option<Outcome>;

    /// Folds a state, and returns its outcome if that is then known in any way. The state is then
    /// *resolved*.
    fn resolve(&self, state: &mut State<Self::Value>) -> Option<Outcome> {
        self.fold(state)
    }

    /// The outcomes of folded states, by their keys, as far as they are known beyond what the lands say.
    /// One call for many states is much faster than many calls.
    fn recall(
        &self,
        states: &mut dyn Iterator<Item = (u128, &State<Self::Value>)>,
    ) -> Vec<Option<Outcome>> {
        states.map(|_| None).collect()
    }

    /// Whether the outcome of a state that was resolved earlier, with that key, is known. Newer facts about
    /// its lands may be missed.
    fn is_solved(&self, state: &State<Self::Value>, key: u128) -> bool {
        let _ = key;
        self.resolve(&mut state.clone()).is_some()
    }

    /// Keeps an outcome that was proved with that many visits.
    fn prove(&self, state: &State<Self::Value>, outcome: Outcome, visits: u64);

    /// Keeps the outcome of a requested state, and makes a record of it whatever it cost.
    fn settle(&self, state: &State<Self::Value>, outcome: Outcome);

    /// The first contradiction between two proofs, one of which may be imported. The search must stop then.
    fn contradiction(&self) -> Option<&Contradiction>;
}

/// What guides a search and proves nothing.
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

    /// Seeks the values of the lands of a resolved state without parts before it is searched. True if the
    /// state then resolves further.
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
    /// What has been proved here and was not taken yet.
    fn take_records(&self) -> Vec<Record> {
        self.take_worthy_records(LeastWorth::ALL)
    }

    /// The same, but what took less work stays until it is asked for.
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record>;

    /// Whether a record is well-formed; not whether it is true. The check is cheap. It accepts records
    /// whose lands or values are well-formed but not canonical; they do no harm, since no search meets
    /// their subjects.
    ///
    /// # Errors
    /// It is malformed.
    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// The lands that a well-formed key is about.
    fn lands_of<'k>(&self, key: &'k [u8]) -> Vec<&'k [u8]>;

    /// Imports a fact that was proved elsewhere.
    ///
    /// # Errors
    /// The record does not pass [`Self::check`], or contradicts what is known; nothing is changed then. A
    /// contradiction may also show only when its subject is met: see [`ProvedOutcomes::contradiction`].
    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError>;
}

/// How far the nimber of a land is known.
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
