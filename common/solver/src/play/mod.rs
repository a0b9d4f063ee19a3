//! Play conventions: the value of a sum of games, and the winner when no move is left.
//!
//! A search state is a sum of lands not yet valued and one value that stands for all lands that
//! are. [`Normal`] play values lands by nimbers, [`Misere`] play by reduced canonical trees. The
//! search knows neither; it sees [`Convention`].

mod describe;
mod knowledge;
pub mod misere;
pub mod normal;
mod state;
mod switches;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use sproutnet_game::{LandId, Lands, Position};

use crate::search::{Means, Numbers};

pub use sproutnet_notation::{Outcome, Play};
use sproutnet_record as record;
pub use sproutnet_record::{
    Archive, Contradiction, Fact, Kind, Record, RecordError, RecordRules, fact, merge, news,
    subject as record_subject,
};

pub use describe::Subject;
pub use knowledge::{GameKnowledge, Knowledge};
pub use misere::Misere;
pub use normal::Normal;
pub use state::{State, StateError};
pub use switches::{Switch, SwitchError, Switches};

/// Estimated effort to prove a state a win or a loss, as natural logarithms of numbers of leaves.
/// Estimates guide the search and prove nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// To prove a win for the player to move.
    pub win: f32,
    /// To prove a loss.
    pub loss: f32,
}

/// A convention over the lands of one game, with everything that is known under it.
///
/// Search threads share it: a fact that one of them proves is known to all at once.
pub trait Convention: Send + Sync + Sized + 'static {
    /// What stands for all valued lands of a state.
    type Value: Copy + Eq + fmt::Debug + Send + Sync;

    /// The convention's name.
    const PLAY: Play;

    /// Knows nothing yet, and keeps in memory all that it learns.
    fn new(lands: Arc<Lands>) -> Self;

    /// Knows what is in the archive. Of what it learns it keeps only what is about lands that it has
    /// met; so its memory is bounded by those.
    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self;

    /// The switches of its searches.
    fn switches(&self) -> &Switches {
        &Switches::ALL_ON
    }

    /// The lands that states refer to.
    fn lands(&self) -> &Lands;

    /// The value of no land at all.
    fn nothing(&self) -> Self::Value;

    /// The state of a position none of whose lands is valued yet.
    fn state(&self, position: &Position) -> State<Self::Value> {
        State {
            lands: self.lands().intern_position(position),
            value: self.nothing(),
        }
    }

    /// Folds all lands whose value is known into the state's value, and says who wins if what is known
    /// of the lands tells.
    fn fold(&self, state: &mut State<Self::Value>) -> Option<Outcome>;

    /// Folds a state, and says who wins if that is known then in whatever way: the state is *resolved*.
    fn resolve(&self, state: &mut State<Self::Value>) -> Option<Outcome> {
        self.fold(state)
    }

    /// What is known of folded states beyond what their lands tell, by their keys. To ask of many at once
    /// is much faster.
    fn recall(
        &self,
        states: &mut dyn Iterator<Item = (u128, &State<Self::Value>)>,
    ) -> Vec<Option<Outcome>> {
        states.map(|_| None).collect()
    }

    /// Whether it is known who wins a state that was resolved earlier and has that key. What was found out
    /// about its lands alone since may go unseen.
    fn is_solved(&self, state: &State<Self::Value>, key: u128) -> bool {
        let _ = key;
        self.resolve(&mut state.clone()).is_some()
    }

    /// A hash that identifies a state as long as the process lives.
    fn key(&self, state: &State<Self::Value>) -> u128;

    /// A resolved state's parts, if it is to be judged by them: to know the state one must know the
    /// first part whichever way it ends; then the state resolves further.
    fn parts(&self, state: &State<Self::Value>) -> Option<Vec<State<Self::Value>>>;

    /// Hands the options of a resolved state without parts to `sink` until it breaks, which is
    /// returned; some are perhaps handed over twice. `None` if `stop` became true meanwhile.
    fn each_option(
        &self,
        state: &State<Self::Value>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<Self::Value>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>>;

    /// The same after a partial expansion of a resolved state without parts that was never expanded
    /// before, or its outcome if an option seen decides it. `None` if one had better look at all of them.
    fn glance(&self, state: &State<Self::Value>) -> Option<Result<Outcome, Effort>> {
        let _ = state;
        None
    }

    /// Finds out more about the lands of a resolved state without parts that is to be searched. True if
    /// the state resolves further then.
    fn study(&self, state: &State<Self::Value>) -> bool {
        let _ = state;
        false
    }

    /// How hard a resolved state without parts looks before any search of it.
    fn effort(&self, state: &State<Self::Value>) -> Effort;

    /// Takes note of an outcome that was proved with that many visits.
    fn prove(&self, state: &State<Self::Value>, outcome: Outcome, visits: u64);

    /// Takes note of the outcome of a state that was asked for, and makes a record of it whatever
    /// it cost.
    fn settle(&self, state: &State<Self::Value>, outcome: Outcome);

    /// Two proofs that cannot both be right, of which one may have been told, if ever there were:
    /// the search must stop then.
    fn contradiction(&self) -> Option<&Contradiction>;

    /// What has been proved here since the last call, for others to learn.
    fn take_records(&self) -> Vec<Record>;

    /// Whether a record is well-formed; not whether it is true. It is cheap, and so it lets through
    /// records about lands or values that are well-formed but not canonical. These do no harm, since
    /// nobody ever meets what they are about.
    ///
    /// # Errors
    /// It is malformed.
    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// Takes note of what was proved elsewhere.
    ///
    /// # Errors
    /// The record does not pass [`Self::check`], or contradicts what is known; nothing is changed
    /// then. A contradiction may also show only when what the record is about is met: see
    /// [`Self::contradiction`].
    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError>;

    /// About how many bytes of memory all that is known takes, without the lands. Fit to be asked
    /// every second.
    fn bytes(&self) -> usize;

    /// A state's value for people to read: its nimber, or its genus if that is quickly found. `None` if
    /// it is worth nothing, or cannot be written.
    fn describe_value(&self, value: Self::Value) -> Option<String> {
        let _ = value;
        None
    }

    /// Portable bytes of a state's value. `None` if it is too large to travel.
    fn encode_value(&self, value: Self::Value) -> Option<Vec<u8>>;

    /// The inverse of [`Self::encode_value`].
    ///
    /// # Errors
    /// The bytes are not those of a value.
    fn decode_value(&self, bytes: &[u8]) -> Result<Self::Value, StateError>;

    /// What one thread does in a search of a state: [`Means::search`]. Each convention has its own copy so
    /// that the search is compiled once, with the convention, and not again in each crate that searches.
    fn search(&self, means: &Means<'_>, state: &State<Self::Value>) -> Numbers;

    /// The next state to solve on the way to the nimber of a land, or the nimber. `None` where the
    /// convention has no nimbers.
    fn nimber(&self, land: LandId) -> Option<Result<u32, State<Self::Value>>>;
}
