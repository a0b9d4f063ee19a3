//! Normal play: the player who makes the last move wins. A land is worth its nimber
//! (Sprague 1935, Grundy 1939), and values add by XOR.
//!
//! A state of one land L and the value *n is lost exactly if the nimber of L is n. So the nimber of
//! a land is found by trying *0, *1, … until one is lost, and every win on the way excludes one
//! nimber (Lemoine and Viennot 2012). A state of several lands is judged by its lands, the
//! smallest first: once all nimbers but one are known, one land and a value are left.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use smallvec::SmallVec;

use super::record::merge_nimbers;
use super::{
    Contradiction, Convention, Effort, Outcome, Play, Record, RecordError, State, StateError, state,
};
use crate::game::{ByLand, Land, LandId, Lands};

/// Lands with at most that many moves left are valued at sight.
const AT_SIGHT: u32 = 5;

/// Nimbers above this are not kept as excluded; they are met rarely.
const LARGEST_EXCLUDED: u32 = 62;

/// Nimbers of lands, as far as they are known.
pub struct Normal {
    lands: Arc<Lands>,
    /// For each land a value as in a [`Record`]; zero where nothing is known.
    facts: ByLand<AtomicU64>,
    /// Lands of which something new was proved by search.
    proved: Mutex<Vec<LandId>>,
    contradiction: OnceLock<Contradiction>,
}

impl Normal {
    /// The land's nimber if it is known, or is found at sight.
    fn known(&self, land: LandId) -> Option<u32> {
        let fact = self.facts.get(land).load(Ordering::Relaxed);
        if fact & 1 == 1 {
            return Some((fact >> 1) as u32);
        }
        (self.lands.length(land) <= AT_SIGHT).then(|| self.at_sight(land))
    }

    /// The smallest number that is no option's nimber.
    fn at_sight(&self, land: LandId) -> u32 {
        let mut met = 0u64;
        let options = self.lands.options(land, &|| false);
        for option in options.expect("never told to stop").iter() {
            let nimbers = option.iter().map(|&land| self.known(land));
            let sum = nimbers.fold(0, |sum, nimber| {
                sum ^ nimber.expect("the lands of an option are smaller still")
            });
            met |= 1 << sum;
        }
        let nimber = met.trailing_ones();
        self.keep(land, u64::from(nimber) << 1 | 1);
        nimber
    }

    fn is_excluded(&self, land: LandId, nimber: u32) -> bool {
        // A game of m moves has a nimber of m at most.
        let fact = self.facts.get(land).load(Ordering::Relaxed);
        nimber > self.lands.length(land)
            || nimber <= LARGEST_EXCLUDED && fact & 1 == 0 && fact >> 1 >> nimber & 1 == 1
    }

    fn smallest_not_excluded(&self, land: LandId) -> u32 {
        let fact = self.facts.get(land).load(Ordering::Relaxed);
        (fact >> 1).trailing_ones()
    }

    /// Adds to what is known of a land. True if that was new.
    fn merge(&self, land: LandId, new: u64) -> Result<bool, Contradiction> {
        let mut contradiction = None;
        let before =
            self.facts
                .get(land)
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |known| {
                    let merged =
                        merge_nimbers(known, new).filter(|&merged| self.leaves_one(land, merged));
                    contradiction = merged.is_none().then_some(known);
                    merged.filter(|&merged| merged != known)
                });
        match contradiction {
            None => Ok(before.is_ok()),
            Some(known) => Err(Contradiction {
                key: self.record(land, new).key,
                known,
                new,
            }),
        }
    }

    /// The land of a well-formed record.
    fn read(&self, record: &Record) -> Result<Land, RecordError> {
        let game = self.lands.game();
        let malformed = |problem: &str| RecordError::Malformed(problem.to_owned());
        let subject = record.subject(game.as_ref(), Play::Normal);
        let subject = subject.ok_or_else(|| malformed("of another game or convention"))?;
        let land = game
            .land(subject)
            .map_err(|error| malformed(&error.to_string()))?;
        if record.value & 1 == 1 && record.value >> 1 > u64::from(game.length(&land)) {
            return Err(malformed("a nimber larger than the number of moves"));
        }
        Ok(land)
    }

    /// Whether a fact leaves the land a nimber: one up to its number of moves.
    fn leaves_one(&self, land: LandId, fact: u64) -> bool {
        fact & 1 == 1
            || (fact >> 1).trailing_ones() <= self.lands.length(land).min(LARGEST_EXCLUDED)
    }

    /// Adds what was proved here. True if that was new.
    fn keep(&self, land: LandId, new: u64) -> bool {
        self.merge(land, new).unwrap_or_else(|contradiction| {
            self.contradiction.get_or_init(|| contradiction);
            false
        })
    }

    fn record(&self, land: LandId, value: u64) -> Record {
        let game = self.lands.game().as_ref();
        Record::new(game, Play::Normal, self.lands.land(land).as_bytes(), value)
    }

    fn single(land: LandId, value: u32) -> State<u32> {
        State {
            lands: SmallVec::from_slice(&[land]),
            value,
        }
    }
}

impl Convention for Normal {
    type Value = u32;

    const PLAY: Play = Play::Normal;

    fn new(lands: Arc<Lands>) -> Self {
        Self {
            lands,
            facts: ByLand::default(),
            proved: Mutex::default(),
            contradiction: OnceLock::new(),
        }
    }

    fn lands(&self) -> &Lands {
        &self.lands
    }

    fn nothing(&self) -> u32 {
        0
    }

    fn resolve(&self, state: &mut State<u32>) -> Option<Outcome> {
        let mut value = state.value;
        state.lands.retain(|&mut land| match self.known(land) {
            Some(nimber) => {
                value ^= nimber;
                false
            }
            None => true,
        });
        state.value = value;
        cancel_pairs(&mut state.lands);
        match state.lands[..] {
            [] => Some(Outcome::win_if(value != 0)),
            [land] if self.is_excluded(land, value) => Some(Outcome::Win),
            _ => None,
        }
    }

    fn key(&self, state: &State<u32>) -> u128 {
        state::key(&self.lands, Self::PLAY, &state.lands, state.value)
    }

    fn parts(&self, state: &State<u32>) -> Option<Vec<State<u32>>> {
        if state.lands.len() < 2 {
            return None;
        }
        let mut lands = state.lands.to_vec();
        lands.sort_by_key(|&land| self.lands.length(land));
        let biggest = lands.pop()?;
        let probe = |land| Self::single(land, self.smallest_not_excluded(land));
        let mut parts: Vec<_> = lands.into_iter().map(probe).collect();
        parts.push(Self::single(biggest, state.value));
        Some(parts)
    }

    fn options(&self, state: &State<u32>, stop: &dyn Fn() -> bool) -> Option<Vec<State<u32>>> {
        let &[land] = &state.lands[..] else {
            unreachable!("a state of several lands has parts, and one of none is decided");
        };
        let options = self.lands.options(land, stop)?;
        let mut states = Vec::with_capacity(options.len() + state.value as usize);
        for option in options.iter() {
            let mut option = State {
                lands: option.into(),
                value: 0,
            };
            self.resolve(&mut option);
            if option.lands.is_empty() && option.value <= LARGEST_EXCLUDED {
                // The land can move to that nimber, so it has another (Beling and Rogalski 2020).
                self.keep(land, 2 << option.value);
            }
            option.value ^= state.value;
            states.push(option);
        }
        states.extend((0..state.value).map(|smaller| Self::single(land, smaller)));
        Some(states)
    }

    fn effort(&self, state: &State<u32>) -> Effort {
        let lengths = state.lands.iter().map(|&land| self.lands.length(land) + 1);
        let lives = lengths.sum::<u32>() as f32;
        Effort {
            win: 0.05 * lives,
            loss: 0.1 * lives + 0.3 * state.value as f32,
        }
    }

    fn prove(&self, state: &State<u32>, outcome: Outcome, _visits: u64) {
        let &[land] = &state.lands[..] else {
            return;
        };
        let new = match outcome {
            Outcome::Loss => u64::from(state.value) << 1 | 1,
            Outcome::Win if state.value <= LARGEST_EXCLUDED => 2 << state.value,
            Outcome::Win => return,
        };
        if self.keep(land, new) {
            self.proved
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(land);
        }
    }

    fn settle(&self, state: &State<u32>, outcome: Outcome) {
        self.prove(state, outcome, 0);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.get()
    }

    fn take_records(&self) -> Vec<Record> {
        let mut proved = {
            let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *proved)
        };
        proved.sort_unstable();
        proved.dedup();
        let fact = |land| self.facts.get(land).load(Ordering::Relaxed);
        proved
            .into_iter()
            .map(|land| self.record(land, fact(land)))
            .collect()
    }

    fn check(&self, record: &Record) -> Result<(), RecordError> {
        self.read(record).map(|_| ())
    }

    fn learn(&self, record: &Record) -> Result<(), RecordError> {
        let land = self.lands.intern(&self.read(record)?);
        // A land valued at sight must agree.
        self.known(land);
        self.merge(land, record.value)?;
        Ok(())
    }

    fn encode_value(&self, value: u32) -> Option<Vec<u8>> {
        Some(value.to_be_bytes().to_vec())
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<u32, StateError> {
        let bytes = bytes.try_into();
        bytes
            .map(u32::from_be_bytes)
            .map_err(|_| StateError::Length)
    }

    fn nimber(&self, land: LandId) -> Option<Result<u32, State<u32>>> {
        let next = || Self::single(land, self.smallest_not_excluded(land));
        Some(self.known(land).ok_or_else(next))
    }
}

/// Equal lands have equal nimbers, whose XOR is zero. `lands` is sorted.
fn cancel_pairs(lands: &mut SmallVec<[LandId; 4]>) {
    let mut i = 0;
    while i + 1 < lands.len() {
        if lands[i] == lands[i + 1] {
            lands.drain(i..i + 2);
        } else {
            i += 1;
        }
    }
}
