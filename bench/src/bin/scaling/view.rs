//! The knowledge of a virtual worker: a real convention over its own table of lands, searched at a virtual pace.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_game::{LandId, Lands, expansions_by_this_thread};
use sproutnet_solver::play::{
    Archive, Contradiction, Convention, Effort, EncodedLands, Exchange, Guidance, LeastWorth,
    NimberStep, Outcome, PartialExpansion, Play, ProvedOutcomes, Record, RecordError, Rules, State,
    StateError, Switches,
};
use sproutnet_solver::search::{Means, Numbers};

use crate::worker::Pace;

/// The lands that any worker of a fleet expanded, by their hashes.
#[derive(Clone, Default)]
pub(crate) struct Expanded(Arc<Mutex<HashSet<u128>>>);

impl Expanded {
    /// The number of these lands, including those whose options the worker holds.
    pub(crate) fn with(&self, lands: &Lands) -> usize {
        let is_expanded = |&land: &LandId| lands.known_options(land).is_some();
        let mut all = self.lock();
        all.extend(lands.ids().filter(is_expanded).map(|land| lands.hash(land)));
        all.len()
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<u128>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The knowledge of a virtual worker, as seen by one of its threads.
pub(crate) struct View<C> {
    /// Shared by the threads of a worker.
    known: Arc<C>,
    expanded: Expanded,
    pace: Pace,
    /// The number of expansions by its thread whose time was spent.
    paid: AtomicU64,
    visits: AtomicU64,
}

impl<C: Convention> View<C> {
    /// The view of a thread with this knowledge and pace.
    pub(crate) fn of(known: Arc<C>, expanded: Expanded, pace: Pace) -> Self {
        Self {
            known,
            expanded,
            pace,
            paid: AtomicU64::new(0),
            visits: AtomicU64::new(0),
        }
    }

    /// The knowledge of the worker.
    pub(crate) fn known(&self) -> &Arc<C> {
        &self.known
    }

    /// The pace at which the thread works.
    pub(crate) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The number of lands that the thread expanded.
    pub(crate) fn expansions(&self) -> u64 {
        self.paid.load(Ordering::Relaxed)
    }

    /// The number of states that the thread visited.
    pub(crate) fn visits(&self) -> u64 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Spends the time of visits, and of new expansions of the thread.
    fn pay(&self, visits: u64, state: &State<C::Value>) {
        let all = expansions_by_this_thread();
        let new = all - self.paid.swap(all, Ordering::Relaxed);
        if new > 0 {
            let lands = state.lands.iter().map(|&land| self.lands().hash(land));
            self.expanded.lock().extend(lands);
        }
        self.visits.fetch_add(visits, Ordering::Relaxed);
        self.pace.work(visits, new);
    }
}

impl<C: Convention> Rules for View<C> {
    type Value = C::Value;

    const PLAY: Play = C::PLAY;

    fn lands(&self) -> &Lands {
        self.known.lands()
    }

    fn nothing(&self) -> C::Value {
        self.known.nothing()
    }

    fn key(&self, state: &State<C::Value>) -> u128 {
        self.known.key(state)
    }

    fn parts(&self, state: &State<C::Value>) -> Option<Vec<State<C::Value>>> {
        self.known.parts(state)
    }

    fn each_option(
        &self,
        state: &State<C::Value>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<C::Value>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let end = self.known.each_option(state, stop, sink)?;
        self.pay(1, state);
        Some(end)
    }

    fn encode_value(&self, value: C::Value) -> Option<Vec<u8>> {
        self.known.encode_value(value)
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<C::Value, StateError> {
        self.known.decode_value(bytes)
    }
}

impl<C: Convention> ProvedOutcomes for View<C> {
    fn fold(&self, state: &mut State<C::Value>) -> Option<Outcome> {
        self.known.fold(state)
    }

    fn resolve(&self, state: &mut State<C::Value>) -> Option<Outcome> {
        self.known.resolve(state)
    }

    fn recall(
        &self,
        states: &mut dyn Iterator<Item = (u128, &State<C::Value>)>,
    ) -> Vec<Option<Outcome>> {
        self.known.recall(states)
    }

    fn is_solved(&self, state: &State<C::Value>, key: u128) -> bool {
        self.known.is_solved(state, key)
    }

    fn prove(&self, state: &State<C::Value>, outcome: Outcome, visits: u64) {
        self.known.prove(state, outcome, visits);
    }

    fn settle(&self, state: &State<C::Value>, outcome: Outcome) {
        self.known.settle(state, outcome);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.known.contradiction()
    }
}

impl<C: Convention> Guidance for View<C> {
    fn switches(&self) -> &Switches {
        self.known.switches()
    }

    fn effort(&self, state: &State<C::Value>) -> Effort {
        self.known.effort(state)
    }

    fn expand_partially(&self, state: &State<C::Value>) -> PartialExpansion {
        let found = self.known.expand_partially(state);
        // A decided state ends the visit, an estimate mostly does, and an inconclusive expansion never does.
        let visits = u64::from(found != PartialExpansion::Inconclusive);
        self.pay(visits, state);
        found
    }

    fn study(&self, state: &State<C::Value>) -> bool {
        let resolves_further = self.known.study(state);
        self.pay(0, state);
        resolves_further
    }
}

impl<C: Convention> Exchange for View<C> {
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record> {
        self.known.take_worthy_records(least)
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.known.check(key, value)
    }

    fn lands_of<'k>(&self, key: &'k [u8]) -> EncodedLands<'k> {
        self.known.lands_of(key)
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.known.learn(key, value)
    }
}

impl<C: Convention> Convention for View<C> {
    fn new(lands: Arc<Lands>) -> Self {
        let known = Arc::new(C::new(lands));
        Self::of(known, Expanded::default(), Pace::default())
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        let known = Arc::new(C::over(lands, archive));
        Self::of(known, Expanded::default(), Pace::default())
    }

    fn bytes(&self) -> usize {
        self.known.bytes()
    }

    fn search(&self, means: &Means<'_>, state: &State<C::Value>, limit: Numbers) -> Numbers {
        means.search(self, state, limit)
    }

    fn nimber(&self, land: LandId) -> Option<NimberStep<C::Value>> {
        self.known.nimber(land)
    }
}
