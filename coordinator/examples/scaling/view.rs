//! What a virtual worker knows: normal play, with the facts that have reached it.
//!
//! All virtual workers share one table of lands, so that options are generated once in reality; each
//! notes which it had to ask for. A fact that a worker proves is its own at once, and everybody's
//! once it has come by way of the coordinator. The slots of a worker share what it knows.

use sproutnet_solver::search::{Means, Numbers};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_game::{ByLand, LandId, Lands, Options};
use sproutnet_solver::play::normal::proof::{self, EVALUATED_DIRECTLY};
use sproutnet_solver::play::{
    Archive, Contradiction, Convention, Effort, Exchange, Fact, Guidance, NimberStep, Normal,
    Outcome, Play, ProvedOutcomes, Record, RecordError, Rules, State, StateError, Switch, Switches,
};

use crate::worker::Pace;

/// The effort of a partial expansion depends on what other virtual workers expanded, so they do without.
pub(crate) const WITHOUT_PARTIAL: Switches = Switches::ALL_ON.without(Switch::Partial);

/// What all virtual workers share.
pub(crate) struct World {
    lands: Arc<Lands>,
    /// What has reached everybody.
    public: Normal,
    /// Whether somebody knows of a land what not everybody may know.
    is_private: ByLand<AtomicBool>,
    /// Lands for whose options anybody asked.
    expanded: Mutex<HashSet<LandId>>,
    switches: Switches,
}

impl World {
    /// Nobody knows anything but, perhaps, the options of lands. The seed orders the children of a state.
    pub(crate) fn new(lands: Arc<Lands>, seed: u64) -> Arc<Self> {
        Self::with(Normal::new(Arc::clone(&lands)), lands, seed)
    }

    fn with(public: Normal, lands: Arc<Lands>, seed: u64) -> Arc<Self> {
        let switches = Switches::seeded(seed).without(Switch::Partial);
        Arc::new(Self {
            switches,
            lands,
            public,
            is_private: ByLand::default(),
            expanded: Mutex::default(),
        })
    }

    /// Lets everybody know.
    pub(crate) fn publish(&self, records: &[Record]) -> Result<(), RecordError> {
        let mut records = records.iter();
        records.try_for_each(|record| self.public.learn(&record.key, record.value))
    }

    /// How many different lands had their options asked for.
    pub(crate) fn expansions(&self) -> usize {
        lock(&self.expanded).len()
    }
}

/// Facts of one worker's own, as in records; what it has yet to tell; for which options it asked.
#[derive(Default)]
struct Own {
    facts: HashMap<LandId, Fact, rustc_hash::FxBuildHasher>,
    proved: Vec<LandId>,
    /// Lands whose options it has.
    expanded: HashSet<LandId, rustc_hash::FxBuildHasher>,
    /// How often it had to generate options.
    expansions: u64,
}

/// A worker's view of the world, as one of its slots has it.
pub(crate) struct View {
    world: Arc<World>,
    own: Arc<Mutex<Own>>,
    pace: Pace,
    visits: AtomicU64,
}

impl View {
    /// A worker that knows what everybody knows, and works at a pace.
    pub(crate) fn of(world: Arc<World>, pace: Pace) -> Self {
        Self {
            world,
            own: Arc::default(),
            pace,
            visits: AtomicU64::new(0),
        }
    }

    /// What another slot of the same worker sees.
    pub(crate) fn beside(&self, pace: Pace) -> Self {
        Self {
            own: Arc::clone(&self.own),
            ..Self::of(Arc::clone(&self.world), pace)
        }
    }

    /// The pace at which its slot works.
    pub(crate) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// For the options of how many lands the worker asked.
    pub(crate) fn expansions(&self) -> u64 {
        lock(&self.own).expansions
    }

    /// How many states the slot visited.
    pub(crate) fn visits(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }

    fn keep(&self, land: LandId, new: Fact) -> bool {
        let mut own = lock(&self.own);
        let fact = own.facts.entry(land).or_insert(Fact::NOTHING);
        let merged = fact.merge(new).unwrap_or(*fact);
        let is_new = merged != *fact;
        *fact = merged;
        self.world
            .is_private
            .get(land)
            .store(true, Ordering::Relaxed);
        is_new
    }

    fn own_fact(&self, land: LandId) -> Fact {
        if !self.world.is_private.get(land).load(Ordering::Relaxed) {
            return Fact::NOTHING;
        }
        let own = lock(&self.own);
        own.facts.get(&land).copied().unwrap_or(Fact::NOTHING)
    }

    fn excludes(&self, land: LandId, nimber: u32) -> bool {
        matches!(self.own_fact(land), Fact::Excluded(set) if set.contains(u64::from(nimber)))
    }

    fn is_excluded(&self, land: LandId, nimber: u32) -> bool {
        self.excludes(land, nimber) || self.is_public(land, nimber, Outcome::Win)
    }

    fn is_public(&self, land: LandId, nimber: u32, outcome: Outcome) -> bool {
        self.world.public.resolve(&mut State::single(land, nimber)) == Some(outcome)
    }

    /// Notes that a land is valued at sight, and those below it.
    fn value_at_sight(&self, land: LandId) {
        if lock(&self.own).expanded.contains(&land) {
            return;
        }
        self.expand(land, true);
        let options = self.world.lands.options(land, &|| false);
        for &below in options.into_iter().flat_map(Options::iter).flatten() {
            self.value_at_sight(below);
        }
    }

    /// Notes that options of a land are generated, and whether they are kept.
    fn expand(&self, land: LandId, is_kept: bool) {
        lock(&self.world.expanded).insert(land);
        let mut own = lock(&self.own);
        own.expansions += 1;
        if is_kept {
            own.expanded.insert(land);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Rules for View {
    type Value = u32;

    const PLAY: Play = Play::Normal;

    fn lands(&self) -> &Lands {
        &self.world.lands
    }

    fn nothing(&self) -> u32 {
        self.world.public.nothing()
    }

    fn key(&self, state: &State<u32>) -> u128 {
        self.world.public.key(state)
    }

    fn parts(&self, state: &State<u32>) -> Option<Vec<State<u32>>> {
        let mut parts = self.world.public.parts(state)?;
        let (_, probes) = parts.split_last_mut()?;
        for probe in probes {
            while self.is_excluded(probe.lands[0], probe.value) {
                probe.value += 1;
            }
        }
        Some(parts)
    }

    fn each_option(
        &self,
        state: &State<u32>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<u32>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let land = *state.lands.first()?;
        if stop() && !lock(&self.own).expanded.contains(&land) {
            return None;
        }
        let before = self.expansions();
        let is_new = !lock(&self.own).expanded.contains(&land);
        let exclude = |fact| {
            self.keep(land, fact);
        };
        let step = proof::Step {
            convention: self,
            land,
            nimber: state.value,
            exclude: &exclude,
            is_imported: &|_| false,
        };
        let end = step.each(&|| false, sink)?;
        if is_new {
            self.expand(land, end.is_continue());
        }
        self.visits.fetch_add(1, Ordering::Relaxed);
        self.pace.work(1, self.expansions() - before);
        Some(end)
    }

    fn encode_value(&self, value: u32) -> Option<Vec<u8>> {
        self.world.public.encode_value(value)
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<u32, StateError> {
        self.world.public.decode_value(bytes)
    }
}

impl ProvedOutcomes for View {
    fn fold(&self, state: &mut State<u32>) -> Option<Outcome> {
        for &land in &state.lands {
            if self.world.lands.max_moves(land) <= EVALUATED_DIRECTLY {
                self.value_at_sight(land);
            }
        }
        if let Some(outcome) = self.world.public.resolve(state) {
            return Some(outcome);
        }
        let before = state.lands.len();
        let mut value = state.value;
        state.lands.retain(|land| {
            let nimber = self.own_fact(*land).nimber();
            value ^= nimber.unwrap_or(0) as u32;
            nimber.is_none()
        });
        state.value = value;
        if state.lands.len() < before
            && let Some(outcome) = self.world.public.resolve(state)
        {
            return Some(outcome);
        }
        match state.lands[..] {
            [land] if self.excludes(land, value) => Some(Outcome::Win),
            _ => None,
        }
    }

    fn prove(&self, state: &State<u32>, outcome: Outcome, _visits: u64) {
        let &[land] = &state.lands[..] else {
            return;
        };
        let is_known = self.is_public(land, state.value, outcome);
        let new = proof::fact(state.value, outcome);
        if new.is_some_and(|new| self.keep(land, new)) && !is_known {
            lock(&self.own).proved.push(land);
        }
    }

    fn settle(&self, state: &State<u32>, outcome: Outcome) {
        self.prove(state, outcome, 0);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.world.public.contradiction()
    }
}

impl Guidance for View {
    fn switches(&self) -> &Switches {
        &self.world.switches
    }

    fn effort(&self, state: &State<u32>) -> Effort {
        self.world.public.effort(state)
    }
}

impl Exchange for View {
    fn take_records(&self) -> Vec<Record> {
        let own = &mut *lock(&self.own);
        let mut proved = std::mem::take(&mut own.proved);
        proved.sort_unstable();
        proved.dedup();
        let game = self.world.lands.game().code();
        let record = |land: LandId| {
            let subject = self.world.lands.land(land).as_bytes();
            Record::new(game, Play::Normal, subject, own.facts[&land].value())
        };
        proved.into_iter().map(record).collect()
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.world.public.check(key, value)
    }

    fn lands_of<'k>(&self, key: &'k [u8]) -> Vec<&'k [u8]> {
        self.world.public.lands_of(key)
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.world.public.learn(key, value)
    }
}

impl Convention for View {
    fn new(lands: Arc<Lands>) -> Self {
        Self::of(World::new(lands, 0), Pace::default())
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        let public = Normal::over(Arc::clone(&lands), archive);
        Self::of(World::with(public, lands, 0), Pace::default())
    }

    fn bytes(&self) -> usize {
        self.world.public.bytes()
    }

    fn search(&self, means: &Means<'_>, state: &State<u32>) -> Numbers {
        means.search(self, state)
    }

    fn nimber(&self, land: LandId) -> Option<NimberStep<u32>> {
        let mut probe = match self.world.public.nimber(land)? {
            NimberStep::Next(probe) => probe,
            known @ NimberStep::Known(_) => return Some(known),
        };
        if let Some(nimber) = self.own_fact(land).nimber() {
            return Some(NimberStep::Known(nimber as u32));
        }
        while self.is_excluded(land, probe.value) {
            probe.value += 1;
        }
        Some(NimberStep::Next(probe))
    }
}
