//! Misère play: the player who makes the last move loses. A land is worth its reduced canonical
//! tree (Conway, *On Numbers and Games*, ch. 12), and values add as sums of trees, in which only
//! *1 + *1 cancels.
//!
//! Lands of few moves are valued in full (as GLOP does for all that the 6-spot game reaches:
//! Lemoine and Viennot, arXiv 0908.4407); larger ones are searched beside the value of the others.
//! Since any option of any land is an option of the state, a state has no parts.

pub mod bag;
pub mod encode;
pub mod encode_bag;
mod intern;
pub mod tree;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

use self::bag::{Bag, Bags};
use self::tree::{Tree, Trees};
use super::{
    Contradiction, Convention, Effort, Outcome, Play, Record, RecordError, State, StateError, state,
};
use crate::game::{ByLand, LandId, Lands};

/// Lands with at most that many moves left are valued at sight.
const AT_SIGHT: u32 = 8;

/// Losses proved with fewer visits are not worth telling.
const VISITS_WORTH_TELLING: u64 = 4;

/// Values whose encoding is longer, in bytes, do not travel.
const LARGEST_VALUE: usize = 1 << 16;

/// States whose encoding is longer, in bytes, make no record: few are, and trees grow fast.
const LARGEST_RECORD: usize = 512;

const SHARDS: usize = 64;

/// Outcomes by the keys of states, each with whether a record tells it.
type Outcomes = HashMap<u128, (Outcome, bool), rustc_hash::FxBuildHasher>;

/// Trees of lands and outcomes of states, as far as they are known.
pub struct Misere {
    lands: Arc<Lands>,
    bags: Bags,
    values: ByLand<OnceLock<Tree>>,
    solved: [Mutex<Outcomes>; SHARDS],
    /// States solved by search whose outcome is worth telling.
    proved: Mutex<Vec<(State<Bag>, Outcome)>>,
    contradiction: OnceLock<Contradiction>,
}

impl Misere {
    /// The land's tree, if it is small enough to be found at sight.
    fn value(&self, land: LandId) -> Option<Tree> {
        if self.lands.length(land) > AT_SIGHT {
            return None;
        }
        let slot = self.values.get(land);
        if let Some(&tree) = slot.get() {
            return Some(tree);
        }
        let trees = self.bags.trees();
        let options = self.lands.options(land, &|| false);
        let options: Option<Vec<Tree>> = options
            .expect("never told to stop")
            .iter()
            .map(|option| {
                option.iter().try_fold(Tree::ZERO, |sum, &land| {
                    Some(trees.add(sum, self.value(land)?))
                })
            })
            .collect();
        let tree = trees.simplify(&options.expect("the lands of an option are smaller still"));
        Some(*slot.get_or_init(|| tree))
    }

    fn outcome(&self, key: u128) -> Option<Outcome> {
        self.shard(key).get(&key).map(|&(outcome, _)| outcome)
    }

    fn shard(&self, key: u128) -> std::sync::MutexGuard<'_, Outcomes> {
        let shard = &self.solved[(key >> 64) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resolves a state and keeps its outcome. True if it is to be told now: `tell` is set, and was
    /// not before.
    fn keep(
        &self,
        state: &mut State<Bag>,
        outcome: Outcome,
        tell: bool,
    ) -> Result<bool, Contradiction> {
        let at_sight = self.resolve(state).filter(|_| state.lands.is_empty());
        let (known, is_told) = match at_sight {
            Some(known) => (known, true),
            None => {
                let key = self.key(state);
                let mut shard = self.shard(key);
                let kept = shard.entry(key).or_insert((outcome, false));
                let before = *kept;
                kept.1 |= tell && kept.0 == outcome;
                before
            }
        };
        if known == outcome {
            return Ok(tell && !is_told);
        }
        Err(Contradiction {
            key: self
                .record(state, outcome)
                .map(|record| record.key)
                .unwrap_or_default(),
            known: record_value(known),
            new: record_value(outcome),
        })
    }

    /// The record of a state, unless it is too large for one.
    fn record(&self, state: &State<Bag>, outcome: Outcome) -> Option<Record> {
        let game = self.lands.game().as_ref();
        let subject = state
            .encode(self)
            .filter(|subject| subject.len() <= LARGEST_RECORD)?;
        Some(Record::new(
            game,
            Play::Misere,
            &subject,
            record_value(outcome),
        ))
    }

    /// What a well-formed record says.
    fn read(&self, record: &Record) -> Result<(State<Bag>, Outcome), RecordError> {
        let malformed = |problem: &str| RecordError::Malformed(problem.to_owned());
        let subject = record.subject(self.lands.game().as_ref(), Play::Misere);
        let subject = subject.ok_or_else(|| malformed("of another game or convention"))?;
        let state = State::decode(subject, self).map_err(|error| malformed(&error.to_string()))?;
        match record.value {
            0 => Ok((state, Outcome::Loss)),
            1 => Ok((state, Outcome::Win)),
            _ => Err(malformed("an outcome is 0 or 1")),
        }
    }

    /// Keeps what was proved here.
    fn keep_own(&self, state: &State<Bag>, outcome: Outcome, tell: bool) {
        let mut state = state.clone();
        match self.keep(&mut state, outcome, tell) {
            Ok(true) => {
                let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
                proved.push((state, outcome));
            }
            Ok(false) => {}
            Err(contradiction) => {
                self.contradiction.get_or_init(|| contradiction);
            }
        }
    }
}

fn record_value(outcome: Outcome) -> u64 {
    u64::from(outcome == Outcome::Win)
}

impl Convention for Misere {
    type Value = Bag;

    const PLAY: Play = Play::Misere;

    fn new(lands: Arc<Lands>) -> Self {
        Self {
            lands,
            bags: Bags::new(Arc::new(Trees::new())),
            values: ByLand::default(),
            solved: [const { Mutex::new(HashMap::with_hasher(rustc_hash::FxBuildHasher)) }; SHARDS],
            proved: Mutex::default(),
            contradiction: OnceLock::new(),
        }
    }

    fn lands(&self) -> &Lands {
        &self.lands
    }

    fn nothing(&self) -> Bag {
        Bag::ZERO
    }

    fn resolve(&self, state: &mut State<Bag>) -> Option<Outcome> {
        let mut value = state.value;
        state.lands.retain(|&mut land| match self.value(land) {
            Some(tree) => {
                value = self.bags.add(value, tree);
                false
            }
            None => true,
        });
        state.value = value;
        if state.lands.is_empty() {
            return Some(Outcome::win_if(self.bags.mover_wins(value)));
        }
        self.outcome(self.key(state))
    }

    fn key(&self, state: &State<Bag>) -> u128 {
        state::key(&self.lands, Self::PLAY, &state.lands, state.value.id())
    }

    fn parts(&self, _state: &State<Bag>) -> Option<Vec<State<Bag>>> {
        None
    }

    fn options(&self, state: &State<Bag>, stop: &dyn Fn() -> bool) -> Option<Vec<State<Bag>>> {
        let mut states = Vec::new();
        for (i, &land) in state.lands.iter().enumerate() {
            if i > 0 && state.lands[i - 1] == land {
                continue;
            }
            let mut others = state.lands.clone();
            others.remove(i);
            for option in self.lands.options(land, stop)?.iter() {
                let mut lands = others.clone();
                lands.extend_from_slice(option);
                lands.sort_unstable();
                states.push(State {
                    lands,
                    value: state.value,
                });
            }
        }
        states.extend(self.bags.options(state.value).map(|value| State {
            lands: state.lands.clone(),
            value,
        }));
        Some(states)
    }

    fn effort(&self, state: &State<Bag>) -> Effort {
        let mut lives = 0;
        let mut not_expanded = 0;
        for &land in &state.lands {
            lives += self.lands.length(land) + 1;
            not_expanded += u32::from(self.lands.known_options(land).is_none());
        }
        let depth = self.bags.depth(state.value);
        let unknown = not_expanded as f32;
        Effort {
            win: 0.05 * lives as f32 + unknown,
            loss: 0.1 * (lives + depth) as f32 + 0.75 * (lives as f32).ln() + unknown,
        }
    }

    fn prove(&self, state: &State<Bag>, outcome: Outcome, visits: u64) {
        // A win follows from one of the losses.
        if outcome == Outcome::Loss {
            self.keep_own(state, outcome, visits >= VISITS_WORTH_TELLING);
        }
    }

    fn settle(&self, state: &State<Bag>, outcome: Outcome) {
        self.keep_own(state, outcome, true);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.get()
    }

    fn take_records(&self) -> Vec<Record> {
        let proved = {
            let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *proved)
        };
        let record = |(state, outcome): &_| self.record(state, *outcome);
        proved.iter().filter_map(record).collect()
    }

    fn check(&self, record: &Record) -> Result<(), RecordError> {
        self.read(record).map(|_| ())
    }

    fn learn(&self, record: &Record) -> Result<(), RecordError> {
        let (mut state, outcome) = self.read(record)?;
        self.keep(&mut state, outcome, true)?;
        Ok(())
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

    fn nimber(&self, _land: LandId) -> Option<Result<u32, State<Bag>>> {
        None
    }
}
