//! A convention some of whose values are too large to travel.

use super::invariants::check;
use super::*;
use crate::play::{
    Archive, Contradiction, Effort, Exchange, Guidance, LeastWorth, NimberStep, Play,
    ProvedOutcomes, Record, RecordError, Rules, StateError,
};
use crate::search::Means;
use sproutnet_game::LandId;
use std::ops::ControlFlow;

/// Normal play in which only even nimbers have an encoding.
struct Shy(Normal);

impl Rules for Shy {
    type Value = u32;

    const PLAY: Play = Play::Normal;

    fn lands(&self) -> &Lands {
        self.0.lands()
    }

    fn nothing(&self) -> u32 {
        self.0.nothing()
    }

    fn key(&self, state: &State<u32>) -> u128 {
        self.0.key(state)
    }

    fn parts(&self, state: &State<u32>) -> Option<Vec<State<u32>>> {
        self.0.parts(state)
    }

    fn each_option(
        &self,
        state: &State<u32>,
        stop: &dyn Fn() -> bool,
        sink: &mut dyn FnMut(State<u32>) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        self.0.each_option(state, stop, sink)
    }

    fn encode_value(&self, value: u32) -> Option<Vec<u8>> {
        self.0
            .encode_value(value)
            .filter(|_| value.is_multiple_of(2))
    }

    fn decode_value(&self, bytes: &[u8]) -> Result<u32, StateError> {
        self.0.decode_value(bytes)
    }
}

impl ProvedOutcomes for Shy {
    fn fold(&self, state: &mut State<u32>) -> Option<Outcome> {
        self.0.fold(state)
    }

    fn prove(&self, state: &State<u32>, outcome: Outcome, visits: u64) {
        self.0.prove(state, outcome, visits);
    }

    fn settle(&self, state: &State<u32>, outcome: Outcome) {
        self.0.settle(state, outcome);
    }

    fn contradiction(&self) -> Option<&Contradiction> {
        self.0.contradiction()
    }
}

impl Guidance for Shy {
    fn effort(&self, state: &State<u32>) -> Effort {
        self.0.effort(state)
    }
}

impl Exchange for Shy {
    fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record> {
        self.0.take_worthy_records(least)
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.0.check(key, value)
    }

    fn lands_of<'k>(&self, key: &'k [u8]) -> Vec<&'k [u8]> {
        self.0.lands_of(key)
    }

    fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.0.learn(key, value)
    }
}

impl Convention for Shy {
    fn new(lands: Arc<Lands>) -> Self {
        Self(Normal::new(lands))
    }

    fn over(lands: Arc<Lands>, archive: Arc<dyn Archive>) -> Self {
        Self(Normal::over(lands, archive))
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn search(&self, means: &Means<'_>, state: &State<Self::Value>) -> Numbers {
        means.search(self, state)
    }

    fn nimber(&self, land: LandId) -> Option<NimberStep<u32>> {
        self.0.nimber(land)
    }
}

#[test]
fn parents_of_what_cannot_travel_are_leaves() {
    let dag = grown::<Shy>("0*12", 300);
    assert_eq!(dag.root().outcome(), None);
    let root = dag.slab.node(Slot::ROOT).state.clone();
    let (fresh, _) = start::<Shy>("0*12");
    let restored = Dag::restore(fresh, root.clone(), &dag.checkpoint()).expect("a checkpoint");
    check(&restored, &[]);
    assert!(restored.nodes() < dag.nodes());
    for node in restored.slab.live() {
        assert_eq!(restored.slab.node(node).state.value % 2, 0);
    }
    // Nothing wrong follows from what is missing.
    let mut restored = restored;
    while restored.root().outcome().is_none() {
        grow(&mut restored, 100);
    }
    assert_eq!(restored.root().outcome(), Some(Outcome::Loss));
}

#[test]
fn a_root_that_cannot_travel_leaves_an_empty_checkpoint() {
    let (convention, mut root) = start::<Shy>("0*8");
    root.value = 1;
    let mut dag = Dag::new(Arc::clone(&convention), root.clone());
    grow(&mut dag, 20);
    let restored = Dag::restore(convention, root, &dag.checkpoint()).expect("a checkpoint");
    check(&restored, &[]);
    assert_eq!(restored.nodes(), 1);
}
