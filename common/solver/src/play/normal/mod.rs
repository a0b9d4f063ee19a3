//! Normal play: the player who makes the last move wins. A land is worth its nimber
//! (Sprague 1935, Grundy 1939), and values add by XOR.
//!
//! A state of one land L and the value *n is lost exactly if the nimber of L is n. So the nimber of
//! a land is found by trying *0, *1, … until one is lost, and every win on the way excludes one
//! nimber (Lemoine and Viennot 2012). A state of several lands is judged by its lands, the
//! smallest first: once all nimbers but one are known, one land and a value are left.

mod imported;
pub mod proof;

use crate::search::{Means, Numbers};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use smallvec::SmallVec;

use self::imported::Told;
use self::proof::{AT_SIGHT, LARGEST_EXCLUDED};
use super::{
    Archive, Contradiction, Convention, Effort, Outcome, Play, Record, RecordError, State,
    StateError, Switches, state,
};
use sproutnet_game::{ByLand, LandId, Lands, Position};
use sproutnet_record::{self as record, merge_nimbers};

/// The bit of a land's fact that is set once imported facts about the land are included.
const ASKED: u64 = 1 << 63;

/// Nimbers of lands, as far as they are known.
pub struct Normal {
    lands: Arc<Lands>,
    switches: Switches,
    /// For each land a value as in a [`Record`], zero where nothing is known; and [`ASKED`].
    facts: ByLand<AtomicU64>,
    /// What others proved, of lands that were not met here so far.
    told: Told,
    /// Lands of which something new was proved by search.
    proved: Mutex<Vec<LandId>>,
    contradiction: OnceLock<Contradiction>,
}

impl Normal {
    fn knowing(lands: Arc<Lands>, told: Told) -> Self {
        Self {
            lands,
            switches: Switches::default(),
            facts: ByLand::default(),
            told,
            proved: Mutex::default(),
            contradiction: OnceLock::new(),
        }
    }

    /// The same with other ideas used in its searches.
    #[must_use]
    pub fn with(self, switches: Switches) -> Self {
        Self { switches, ..self }
    }

    /// The records of the nimbers of a position's lands, equal ones left out in pairs; `None` if one is
    /// not known. They prove who wins.
    pub(super) fn grounds(&self, position: &Position) -> Option<Vec<Record>> {
        let mut lands = self.state(position).lands;
        cancel_pairs(&mut lands);
        let nimber = |&land| Some(self.record(land, u64::from(self.known(land)?) << 1 | 1));
        lands.iter().map(nimber).collect()
    }

    /// The lands that states refer to, for another who is to know them by the same numbers.
    pub fn shared_lands(&self) -> Arc<Lands> {
        Arc::clone(&self.lands)
    }

    /// What is known of a land, imported or found here, as in a [`Record`].
    fn fact(&self, land: LandId) -> u64 {
        let fact = self.facts.get(land).load(Ordering::Relaxed);
        if fact & ASKED == 0 {
            self.ask(land)
        } else {
            fact & !ASKED
        }
    }

    /// Adds imported facts about a land to what is known.
    #[cold]
    fn ask(&self, land: LandId) -> u64 {
        if self.lands.max_moves(land) <= AT_SIGHT {
            // First, so that an imported fact cannot take its place.
            self.at_sight(land);
        }
        self.keep(land, self.told.of(&self.lands, land));
        // Last, so that no thread goes on without the imported fact.
        self.facts.get(land).fetch_or(ASKED, Ordering::Relaxed) & !ASKED
    }

    /// The land's nimber if it is known, or can be evaluated directly.
    fn known(&self, land: LandId) -> Option<u32> {
        let fact = self.fact(land);
        if fact & 1 == 1 {
            return Some((fact >> 1) as u32);
        }
        (self.lands.max_moves(land) <= AT_SIGHT).then(|| self.at_sight(land))
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
        let fact = self.fact(land);
        nimber > self.lands.max_moves(land)
            || self.switches.exclusions
                && nimber <= LARGEST_EXCLUDED
                && fact & 1 == 0
                && fact >> 1 >> nimber & 1 == 1
    }

    fn smallest_not_excluded(&self, land: LandId) -> u32 {
        (self.fact(land) >> 1).trailing_ones()
    }

    /// Adds to what is known of a land. True if that was new.
    fn merge(&self, land: LandId, new: u64) -> Result<bool, Contradiction> {
        let mut contradiction = None;
        let before =
            self.facts
                .get(land)
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |fact| {
                    let (asked, known) = (fact & ASKED, fact & !ASKED);
                    let merged = merged(known, new, self.lands.max_moves(land));
                    contradiction = merged.is_none().then_some(known);
                    merged
                        .filter(|&merged| merged != known)
                        .map(|merged| merged | asked)
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

    /// What a record is about, and the number of moves it has at most. Of lands that are valued at
    /// sight nobody can tell anything that is not so.
    fn read<'a>(&self, key: &'a [u8], value: u64) -> Result<(&'a [u8], u32), RecordError> {
        let game = self.lands.game();
        let malformed = |problem: &str| RecordError::Malformed(problem.to_owned());
        let subject = record::subject(key, game.code(), Play::Normal);
        let subject = subject.ok_or_else(|| malformed("of another game or convention"))?;
        let length = game
            .check(subject)
            .map_err(|error| malformed(&error.to_string()))?;
        if merged(0, kept(value), length).is_none() {
            return Err(malformed("it leaves the land no nimber that it can have"));
        }
        if length <= AT_SIGHT {
            let land = self.lands.read(subject);
            let nimber = self.at_sight(land.map_err(|error| malformed(&error.to_string()))?);
            if merged(u64::from(nimber) << 1 | 1, kept(value), length).is_none() {
                return Err(malformed(&format!("the land's nimber is {nimber}")));
            }
        }
        Ok((subject, length))
    }

    /// Adds what was proved here. True if that was new.
    fn keep(&self, land: LandId, new: u64) -> bool {
        self.merge(land, new).unwrap_or_else(|contradiction| {
            self.contradiction.get_or_init(|| contradiction);
            false
        })
    }

    /// Takes a step from a resolved state without parts.
    fn step<T>(&self, state: &State<u32>, take: impl FnOnce(&proof::Step<'_, Self>) -> T) -> T {
        let &[land] = &state.lands[..] else {
            unreachable!("a state of several lands has parts, and one of none is decided");
        };
        take(&proof::Step {
            convention: self,
            land,
            nimber: state.value,
            exclude: &|fact| {
                self.keep(land, fact);
            },
            is_told: &|hash| self.told.may_tell_of(hash),
        })
    }

    fn record(&self, land: LandId, value: u64) -> Record {
        let game = self.lands.game().code();
        Record::new(game, Play::Normal, self.lands.land(land).as_bytes(), value)
    }
}

impl Convention for Normal {
    type Value = u32;

    const PLAY: Play = Play::Normal;

    fn new(lands: Arc<Lands>) -> Self {
        Self::knowing(lands, Told::in_memory())
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        Self::knowing(lands, Told::in_archive(archive))
    }

    fn switches(&self) -> &Switches {
        &self.switches
    }

    fn lands(&self) -> &Lands {
        &self.lands
    }

    fn nothing(&self) -> u32 {
        0
    }

    fn fold(&self, state: &mut State<u32>) -> Option<Outcome> {
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
        lands.sort_by_key(|&land| self.lands.max_moves(land));
        let biggest = lands.pop()?;
        let probe = |land| State::single(land, self.smallest_not_excluded(land));
        let mut parts: Vec<_> = lands.into_iter().map(probe).collect();
        parts.push(State::single(biggest, state.value));
        Some(parts)
    }

    fn each_option(
        &self,
        state: &State<u32>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<u32>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        self.step(state, |step| {
            if self.switches.lookups {
                step.each(stop, sink)
            } else {
                step.each_unfolded(stop, sink)
            }
        })
    }

    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is of a step of one lifetime"
    )]
    fn glance(&self, state: &State<u32>) -> Option<Result<Outcome, Effort>> {
        self.step(state, |step| step.glance())
    }

    fn effort(&self, state: &State<u32>) -> Effort {
        let lives = state
            .lands
            .iter()
            .map(|&land| self.lands.max_moves(land) + 1);
        proof::effort(lives.sum(), state.value)
    }

    fn prove(&self, state: &State<u32>, outcome: Outcome, _visits: u64) {
        let &[land] = &state.lands[..] else {
            return;
        };
        let new = proof::fact(state.value, outcome);
        if new.is_some_and(|new| self.keep(land, new)) {
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
        proved
            .into_iter()
            .map(|land| self.record(land, self.fact(land)))
            .collect()
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.read(key, value).map(|_| ())
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        if self.told.is_elsewhere() {
            // Most records are about lands that were never met; these need not be read again.
            let game = self.lands.game().code();
            let subject = record::subject(key, game, Play::Normal);
            if subject.is_some_and(|subject| self.lands.find(Lands::hash_of(subject)).is_none()) {
                return Ok(());
            }
        }
        let (subject, length) = self.read(key, value)?;
        let new = kept(value);
        let hash = Lands::hash_of(subject);
        let told = self.told.tell(hash, new, length, || self.lands.find(hash));
        let met = told.map_err(|known| Contradiction {
            key: key.into(),
            known,
            new,
        })?;
        if let Some(land) = met {
            // Imported facts come first, and direct evaluation.
            self.fact(land);
            self.merge(land, new)?;
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        self.facts.bytes() + self.told.bytes() + proved.capacity() * size_of::<LandId>()
    }

    fn describe_value(&self, value: u32) -> Option<String> {
        (value > 0).then(|| format!("*{value}"))
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

    fn search(&self, means: &Means<'_>, state: &State<u32>) -> Numbers {
        means.search(self, state)
    }

    fn nimber(&self, land: LandId) -> Option<Result<u32, State<u32>>> {
        let next = || State::single(land, self.smallest_not_excluded(land));
        Some(self.known(land).ok_or_else(next))
    }
}

/// What is kept of the value of a record: a mask may have more bits than there is room for.
fn kept(value: u64) -> u64 {
    if value & 1 == 1 {
        value
    } else {
        value & !ASKED
    }
}

/// Whether the value of a record, if it is a nimber, is one that a land of so many moves can have.
fn is_possible(value: u64, length: u32) -> bool {
    value & 1 == 0 || value >> 1 <= u64::from(length)
}

/// What is known after both facts of a land of so many moves. `None` if they leave it no nimber.
fn merged(known: u64, new: u64, length: u32) -> Option<u64> {
    merge_nimbers(known, new).filter(|&fact| {
        let leaves_one = (fact >> 1).trailing_ones() <= length.min(LARGEST_EXCLUDED);
        is_possible(fact, length) && (fact & 1 == 1 || leaves_one)
    })
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
