//! Normal play: the player who makes the last move wins. A land is worth its nimber
//! (Sprague 1935, Grundy 1939), and values add by XOR.
//!
//! A state of one land L and the value *n is lost exactly if the nimber of L is n. So the search for a nimber tries *0,
//! *1, … until one is lost, and each win on the way excludes one nimber (Lemoine and Viennot 2012). A state of several
//! lands is judged by its lands, the smallest first: once all nimbers but one are known, one land and a value are left.
//! A state of a land and a nimber too large for a set of excluded ones has a part, too: see [`large`].

mod facts;
mod imported;
mod large;
pub(super) mod proof;
mod values;

use crate::search::{Means, Numbers};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use self::imported::Imported;
use self::proof::{EVALUATED_DIRECTLY, LARGEST_EXCLUDED};
use self::values::{cancel_pairs, kept, merged, nimber_is, settled};
use super::proved::Proved;
use super::{
    Archive, Contradiction, Convention, Effort, EncodedLands, Exchange, Guidance, LeastWorth,
    NimberStep, Outcome, PartialExpansion, Play, ProvedOutcomes, Record, RecordError, Rules, State,
    StateError, Switch, Switches, state,
};
use sproutnet_game::{ByLand, LandId, Lands, Position};
use sproutnet_notation::GameCode;
use sproutnet_record::{self as record, Fact, RecordSet};

/// The bit of a land's word that is set once imported facts about the land are included.
const IMPORTED: u64 = 1 << 63;

/// The known nimbers of lands.
pub struct Normal {
    lands: Arc<Lands>,
    switches: Switches,
    /// For each land a word: the [value](Fact::value) of the known fact, and [`IMPORTED`].
    facts: ByLand<AtomicU64>,
    /// Facts proved elsewhere about lands that are new here.
    imported: Imported,
    /// Lands with facts newly proved by search, and these facts.
    proved: Proved<(LandId, Fact)>,
    contradiction: OnceLock<Contradiction>,
    /// Its facts guide the searches here, and prove nothing.
    guide: Option<Arc<Normal>>,
}

impl Normal {
    fn knowing(lands: Arc<Lands>, imported: Imported) -> Self {
        Self {
            lands,
            switches: Switches::default(),
            facts: ByLand::default(),
            imported,
            proved: Proved::default(),
            contradiction: OnceLock::new(),
            guide: None,
        }
    }

    /// Without facts. Its searches first try the states that are lost according to `guide`, and so find little more
    /// than the facts on the way from there to an outcome.
    #[must_use]
    pub fn guided_by(guide: Arc<Normal>) -> Self {
        let lands = guide.shared_lands();
        Self {
            guide: Some(guide),
            ..Self::new(lands)
        }
    }

    /// Sets the switches of the search.
    #[must_use]
    pub fn with(self, switches: Switches) -> Self {
        Self { switches, ..self }
    }

    /// The records of the nimbers of a position's lands, without pairs of equal lands. They prove the outcome. `None`
    /// if a nimber is unknown.
    pub(super) fn grounds(&self, position: &Position) -> Option<Vec<Record>> {
        let mut lands = self.state(position).lands;
        cancel_pairs(&mut lands);
        let nimber = |&land| Some(self.record(land, nimber_is(self.known(land)?)));
        lands.iter().map(nimber).collect()
    }

    /// The lands that states refer to, to be shared with another convention.
    pub fn shared_lands(&self) -> Arc<Lands> {
        Arc::clone(&self.lands)
    }

    /// The known fact about a land, imported or found here.
    fn fact(&self, land: LandId) -> Fact {
        let word = self.facts.get(land).load(Ordering::Relaxed);
        if word & IMPORTED == 0 {
            self.import(land)
        } else {
            Fact::of_land(word & !IMPORTED)
        }
    }

    /// Merges the imported facts about a land into the known one.
    #[cold]
    fn import(&self, land: LandId) -> Fact {
        if self.lands.max_moves(land) <= EVALUATED_DIRECTLY {
            // First, so that an imported fact cannot take the place of the evaluation.
            self.evaluate(land);
        }
        self.keep(land, self.imported.fact(&self.lands, land));
        // Last, so that no thread continues without the imported fact.
        let word = self.facts.get(land).fetch_or(IMPORTED, Ordering::Relaxed);
        Fact::of_land(word & !IMPORTED)
    }

    /// The land's nimber if it is known, or can be evaluated directly.
    fn known(&self, land: LandId) -> Option<u32> {
        self.known_by(land, self.fact(land))
    }

    /// The same, given the [fact](Self::fact) about the land.
    fn known_by(&self, land: LandId, fact: Fact) -> Option<u32> {
        match settled(fact) {
            None if large::is_full(fact) => self.evaluate_large(land),
            nimber => nimber,
        }
    }

    /// The nimber of a land: the smallest number that is no option's nimber.
    fn evaluate(&self, land: LandId) -> u32 {
        let mut met = 0u64;
        let options = self.lands.options(land, &|| false);
        for option in options.expect("it is never stopped").iter() {
            let nimbers = option.iter().map(|&land| self.known(land));
            let sum = nimbers.fold(0, |sum, nimber| {
                sum ^ nimber.expect("the lands of an option are smaller still")
            });
            met |= 1 << sum;
        }
        let nimber = met.trailing_ones();
        self.keep(land, nimber_is(nimber));
        nimber
    }

    fn is_excluded(&self, land: LandId, nimber: u32) -> bool {
        self.is_excluded_by(self.fact(land), land, nimber)
    }

    /// Whether a land with this [fact](Self::fact) has another nimber.
    fn is_excluded_by(&self, fact: Fact, land: LandId, nimber: u32) -> bool {
        // The nimber of a game of m moves is at most m.
        matches!(fact, Fact::Excluded(set) if set.contains(u64::from(nimber)))
            && self.switches.has(Switch::Exclusions)
            || nimber > self.lands.max_moves(land)
    }

    fn smallest_not_excluded(&self, land: LandId) -> u32 {
        match self.fact(land) {
            Fact::Excluded(set) => set.mex(),
            fact => fact.nimber().map_or(0, |nimber| nimber as u32),
        }
    }

    /// Merges a fact into the known one of a land. Returns the result if it changed.
    fn merge(&self, land: LandId, new: Fact) -> Result<Option<Fact>, Contradiction> {
        let mut contradiction = None;
        let mut now = None;
        let change = |word| {
            let known = Fact::of_land(word & !IMPORTED);
            let merged = merged(known, new, self.lands.max_moves(land));
            contradiction = merged.is_none().then_some(known);
            now = merged.filter(|&merged| merged != known);
            now.map(|merged| merged.value() | word & IMPORTED)
        };
        let facts = self.facts.get(land);
        // An unchanged fact is not an error.
        let _ = facts.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
        match contradiction {
            None => Ok(now),
            Some(known) => Err(Contradiction {
                key: self.record(land, new).key,
                known: known.value(),
                new: new.value(),
            }),
        }
    }

    /// The land of a record's key.
    fn subject<'a>(&self, key: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let [code, _, ..] = *key else {
            return None;
        };
        let subject = record::subject(key, GameCode(code), Play::Normal)?;
        self.lands.game().unfiled(GameCode(code), subject)
    }

    /// The subject and the fact of a record, and the maximum number of moves of its land. A fact about a directly
    /// evaluated land must be true.
    fn read<'a>(
        &self,
        key: &'a [u8],
        value: u64,
    ) -> Result<(Cow<'a, [u8]>, Fact, u32), RecordError> {
        let game = self.lands.game();
        let malformed = |problem: &str| RecordError::Malformed(problem.to_owned());
        let subject = self.subject(key);
        let subject = subject.ok_or_else(|| malformed("of another game or convention"))?;
        let max_moves = game
            .check(&subject)
            .map_err(|error| malformed(&error.to_string()))?;
        let fact = kept(Fact::of_land(value));
        if merged(Fact::NOTHING, fact, max_moves).is_none() {
            return Err(malformed("it leaves the land no nimber that it can have"));
        }
        if max_moves <= EVALUATED_DIRECTLY {
            let land = self.lands.read(&subject);
            let nimber = self.evaluate(land.map_err(|error| malformed(&error.to_string()))?);
            if merged(nimber_is(nimber), fact, max_moves).is_none() {
                return Err(malformed(&format!("the land's nimber is {nimber}")));
            }
        }
        Ok((subject, fact, max_moves))
    }

    /// The next possible nimber to try: the expected one, or else the smallest.
    fn next_nimber(&self, land: LandId) -> u32 {
        let expected = self.guide.as_ref().and_then(|guide| guide.known(land));
        let possible = expected.filter(|&nimber| !self.is_excluded(land, nimber));
        possible.unwrap_or_else(|| self.smallest_not_excluded(land))
    }

    /// Merges a fact proved here into the known one. Returns the result if it changed.
    fn keep(&self, land: LandId, new: Fact) -> Option<Fact> {
        self.merge(land, new).unwrap_or_else(|contradiction| {
            self.contradiction.get_or_init(|| contradiction);
            None
        })
    }

    /// Applies `take` to the step of a resolved state without parts.
    fn step<T>(&self, state: &State<u32>, take: impl FnOnce(&proof::Step<'_>) -> T) -> T {
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
            is_imported: &|hash| self.imported.may_know(hash),
        })
    }

    pub(super) fn record(&self, land: LandId, fact: Fact) -> Record {
        let (game, subject) = self.lands.game().filed(self.lands.encoding(land));
        Record::new(game, Play::Normal, subject, fact.value())
    }
}

impl Rules for Normal {
    type Value = u32;

    const PLAY: Play = Play::Normal;

    fn lands(&self) -> &Lands {
        &self.lands
    }

    fn nothing(&self) -> u32 {
        0
    }

    fn key(&self, state: &State<u32>) -> u128 {
        state::key(&self.lands, Self::PLAY, &state.lands, state.value.into())
    }

    fn parts(&self, state: &State<u32>) -> Option<Vec<State<u32>>> {
        if let [land] = state.lands[..] {
            return (state.value > LARGEST_EXCLUDED).then(|| vec![self.step_towards(land)]);
        }
        let mut lands = state.lands.to_vec();
        lands.sort_by_key(|&land| self.lands.max_moves(land));
        let biggest = lands.pop()?;
        let probe = |land| State::single(land, self.next_nimber(land));
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
            if self.switches.has(Switch::Lookups) {
                step.each(stop, sink)
            } else {
                step.each_unfolded(stop, sink)
            }
        })
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
}

impl ProvedOutcomes for Normal {
    fn fold(&self, state: &mut State<u32>) -> Option<Outcome> {
        // Most states have one land.
        if let [land] = state.lands[..] {
            let fact = self.fact(land);
            let Some(nimber) = self.known_by(land, fact) else {
                let is_excluded = self.is_excluded_by(fact, land, state.value);
                return is_excluded.then_some(Outcome::Win);
            };
            state.lands.clear();
            state.value ^= nimber;
            return Some(Outcome::win_if(state.value != 0));
        }
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

    fn prove(&self, state: &State<u32>, outcome: Outcome, visits: u64) {
        let &[land] = &state.lands[..] else {
            return;
        };
        let new = proof::fact(state.value, outcome);
        if let Some(fact) = new.and_then(|new| self.keep(land, new)) {
            self.proved.push(visits, (land, fact));
        }
    }

    fn settle(&self, state: &State<u32>, outcome: Outcome) {
        self.prove(state, outcome, u64::MAX);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.contradiction.get()
    }
}

impl Guidance for Normal {
    fn switches(&self) -> &Switches {
        &self.switches
    }

    fn effort(&self, state: &State<u32>) -> Effort {
        let lives = state
            .lands
            .iter()
            .map(|&land| self.lands.max_moves(land) + 1);
        let effort = proof::effort(lives.sum(), state.value);
        let guide = self.guide.as_ref();
        match guide.and_then(|guide| guide.fold(&mut state.clone())) {
            Some(expected) => proof::expecting(expected, effort),
            None => effort,
        }
    }

    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method is of a step of one lifetime"
    )]
    fn expand_partially(&self, state: &State<u32>) -> PartialExpansion {
        self.step(state, |step| step.expand_partially())
    }
}

impl Exchange for Normal {
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record> {
        // Not the facts known by now: these may be among the next records, and would be sent twice.
        let proved = self.proved.take(least).into_iter();
        let records = proved.map(|(worth, (land, fact))| Record {
            worth,
            ..self.record(land, fact)
        });
        // Kept facts contradict nothing.
        let (set, _) = RecordSet::of(records.collect());
        set.into_records()
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.read(key, value).map(|_| ())
    }

    fn lands_of<'k>(&self, key: &'k [u8]) -> EncodedLands<'k> {
        let subject = record::subject(key, self.lands.game().code(), Play::Normal);
        subject.into_iter().collect()
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        if matches!(self.imported, Imported::Archived(_)) {
            // Most records are about new lands, and need not be read again.
            let is_new =
                |subject: Cow<'_, [u8]>| self.lands.find(Lands::hash_of(&subject)).is_none();
            if self.subject(key).is_some_and(is_new) {
                return Ok(());
            }
        }
        let (subject, new, max_moves) = self.read(key, value)?;
        let hash = Lands::hash_of(&subject);
        let find = || self.lands.find(hash);
        let kept = self.imported.keep(hash, new, max_moves, find);
        let met = kept.map_err(|known| Contradiction {
            key: key.into(),
            known: known.value(),
            new: new.value(),
        })?;
        if let Some(land) = met {
            // Imported facts and direct evaluation come first.
            self.fact(land);
            self.merge(land, new)?;
        }
        Ok(())
    }
}

impl Convention for Normal {
    fn new(lands: Arc<Lands>) -> Self {
        Self::knowing(lands, Imported::InMemory(Box::default()))
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        Self::knowing(lands, Imported::Archived(archive))
    }

    fn bytes(&self) -> usize {
        self.facts.bytes() + self.imported.bytes() + self.proved.bytes()
    }

    fn search(&self, means: &Means<'_>, state: &State<u32>, limit: Numbers) -> Numbers {
        means.search(self, state, limit)
    }

    fn nimber(&self, land: LandId) -> Option<NimberStep<u32>> {
        Some(match self.known(land) {
            Some(nimber) => NimberStep::Known(nimber),
            None => NimberStep::Next(State::single(land, self.next_nimber(land))),
        })
    }
}
