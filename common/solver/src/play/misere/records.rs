//! Records of states: outcomes by the lands and the value of a state.

use smallvec::SmallVec;

use super::bag::Bag;
use super::{Misere, encoding};
use crate::play::state::Encoded;
use crate::play::{
    EncodedLands, Exchange, LeastWorth, Outcome, Play, ProvedOutcomes, Record, RecordError, Rules,
    State, StateError, record,
};
use sproutnet_game::{Lands, Position};
use sproutnet_record::{Fact, Worth};

/// The maximum length of an encoded state with a record, in bytes. Longer ones are few, and trees grow fast.
pub const LARGEST_RECORD: usize = 512;

impl Misere {
    /// The record of a lost position with lands of unknown value. It proves the outcome.
    pub(in crate::play) fn ground(&self, position: &Position) -> Option<Record> {
        let mut state = self.state(position);
        let is_lost = self.resolve(&mut state) == Some(Outcome::Loss);
        is_lost.then(|| self.record_of_loss(state)).flatten()
    }

    /// The record of a lost state with lands of unknown value, unless it is too large for a record.
    pub fn record_of_loss(&self, mut state: State<Bag>) -> Option<Record> {
        self.fold(&mut state);
        if state.lands.is_empty() {
            return None;
        }
        let (key, value) = (self.record_key(&state)?, record_value(Outcome::Loss));
        Some(Record {
            key,
            value,
            worth: Worth::LEAST,
        })
    }

    /// The key of a state's record, unless it is too large for a record.
    pub(super) fn record_key(&self, state: &State<Bag>) -> Option<Box<[u8]>> {
        let subject = state
            .encode(self)
            .filter(|subject| subject.len() <= LARGEST_RECORD)?;
        let game = self.lands.game().code();
        Some(record::key(game, Play::Misere, &subject))
    }

    /// The state and the outcome of a well-formed record.
    fn read<'a>(&self, key: &'a [u8], value: u64) -> Result<(Encoded<'a>, Outcome), RecordError> {
        let malformed = |problem: &str| RecordError::Malformed(problem.to_owned());
        let game = self.lands.game();
        let subject = record::subject(key, game.code(), Play::Misere);
        let subject = subject.ok_or_else(|| malformed("of another game or convention"))?;
        let state = Encoded::split(subject).map_err(|error| malformed(&error.to_string()))?;
        for land in &state.lands {
            let checked = game.check(land);
            checked.map_err(|error| malformed(&error.to_string()))?;
        }
        let length = encoding::check_sum(state.value);
        if length.map_err(|error| malformed(&error.to_string()))? != state.value.len() {
            return Err(malformed(&StateError::Length.to_string()));
        }
        let outcome = outcome_of_value(value).ok_or_else(|| malformed("an outcome is 0 or 1"))?;
        Ok((state, outcome))
    }

    /// The state of a record. `None` if it is not canonical, or if it is new and in the archive.
    fn met(&self, state: &Encoded<'_>) -> Option<State<Bag>> {
        let is_archived = self.archive.is_some();
        let land = |&land: &&[u8]| {
            if is_archived {
                self.lands.find(Lands::hash_of(land))
            } else {
                self.lands.read(land).ok()
            }
        };
        let mut lands: SmallVec<_> = state.lands.iter().map(land).collect::<Option<_>>()?;
        lands.sort_unstable();
        let value = if is_archived {
            self.bags.find(state.value)
        } else {
            self.decode_value(state.value).ok()
        }?;
        Some(State { lands, value })
    }
}

impl Exchange for Misere {
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record> {
        let proved = self.proved.take(least);
        let record = |(worth, (state, outcome)): &_| {
            Some(Record {
                key: self.record_key(state)?,
                value: record_value(*outcome),
                worth: *worth,
            })
        };
        proved.iter().filter_map(record).collect()
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.read(key, value).map(|_| ())
    }

    fn lands_of<'k>(&self, key: &'k [u8]) -> EncodedLands<'k> {
        let subject = record::subject(key, self.lands.game().code(), Play::Misere);
        let state = subject.and_then(|subject| Encoded::split(subject).ok());
        state.map_or_else(EncodedLands::new, |state| state.lands)
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        let (state, outcome) = self.read(key, value)?;
        if let Some(mut state) = self.met(&state) {
            self.keep(&mut state, outcome, true)?;
        }
        Ok(())
    }
}

pub(super) fn record_value(outcome: Outcome) -> u64 {
    Fact::from(outcome).value()
}

pub(super) fn outcome_of_value(value: u64) -> Option<Outcome> {
    Fact::read(Play::Misere, value)?.outcome()
}
