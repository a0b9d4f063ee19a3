//! Search states as portable bytes.

use proptest::prelude::*;
use proptest::sample::Index;

use sproutnet_game::{Position, Sprouts};
use sproutnet_solver::play::{Convention, Misere, Normal, ProvedOutcomes, State};

use crate::solver::{Solver, cases};

/// The sum of some start positions after some random moves.
type DfpnWorker = (Vec<u32>, Vec<(Index, Index)>);

fn walk() -> impl Strategy<Value = DfpnWorker> {
    let spots = prop::collection::vec(1..6_u32, 0..5);
    (spots, prop::collection::vec(any::<(Index, Index)>(), 0..14))
}

fn position<C: Convention>(solver: &Solver<C>, (spots, moves): &DfpnWorker) -> Position {
    let lands = solver.convention.lands();
    let mut position = Position::default();
    for spots in spots {
        position = position.plus(&solver.position(&format!("0*{spots}")));
    }
    for (land, option) in moves {
        if position.lands().is_empty() {
            break;
        }
        let mut others = position.lands().to_vec();
        let land = lands.intern(&others.remove(land.index(others.len())));
        let options = lands.options(land, &|| false).expect("never told to stop");
        let option = options.iter().nth(option.index(options.len()));
        let option = lands.position(option.expect("the index is below the number"));
        position = Position::new(others).plus(&option);
    }
    position
}

fn encode<C: Convention>(solver: &Solver<C>, state: &State<C::Value>) -> Option<Vec<u8>> {
    state.encode(&solver.convention)
}

/// A state of that position, resolved or not, comes back from its bytes, here and elsewhere.
fn round_trip<C: Convention>(
    here: &Solver<C>,
    walk: &DfpnWorker,
    resolved: bool,
) -> Result<(), TestCaseError> {
    let mut state = here.convention.state(&position(here, walk));
    if resolved {
        here.convention.resolve(&mut state);
    }
    let Some(bytes) = encode(here, &state) else {
        prop_assert!(resolved, "only a value can be too long");
        return Err(TestCaseError::reject("the value is too long"));
    };
    let back = State::decode(&bytes, &here.convention).expect("what was encoded is a state");
    prop_assert_eq!(&back, &state);
    prop_assert_eq!(here.convention.key(&back), here.convention.key(&state));

    // Elsewhere lands and values are met in another order.
    let there = Solver::<C>::new(Sprouts);
    let mut met_before = there.state("0*2.12+0*4.1a1a+0*3.AB|AB");
    there.convention.resolve(&mut met_before);
    let state = State::decode(&bytes, &there.convention).expect("it is a state elsewhere too");
    prop_assert_eq!(encode(&there, &state), Some(bytes.clone()));
    let key = here.convention.key(&back);
    prop_assert_eq!(
        there.convention.key(&state),
        key,
        "the same in every process"
    );
    // A land more is another state.
    let mut more = back;
    more.lands.extend(more.lands.first().copied());
    if more.lands.len() > 1 {
        prop_assert_ne!(here.convention.key(&more), key);
    }

    for end in 0..bytes.len() {
        prop_assert!(
            State::decode(&bytes[..end], &here.convention).is_err(),
            "cut at {}",
            end
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    prop_assert!(State::decode(&longer, &here.convention).is_err());
    Ok(())
}

/// Bytes that are a state are those that it is encoded as.
fn no_other_bytes<C: Convention>(solver: &Solver<C>, bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(state) = State::decode(bytes, &solver.convention) {
        prop_assert_eq!(encode(solver, &state), Some(bytes.to_vec()));
    }
    Ok(())
}

/// Bytes of a state, some of them replaced.
fn damaged<C: Convention>(
    solver: &Solver<C>,
    walk: &DfpnWorker,
    damage: &[(Index, u8)],
) -> Vec<u8> {
    let mut state = solver.convention.state(&position(solver, walk));
    solver.convention.resolve(&mut state);
    let mut bytes = encode(solver, &state).unwrap_or_else(|| vec![0]);
    for (at, byte) in damage {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    bytes
}

fn one_encoding<C: Convention>() {
    let solver = Solver::<C>::new(Sprouts);
    let byte = || prop_oneof![4 => 0..8_u8, 1 => any::<u8>()];
    let random = prop::collection::vec(byte(), 0..24);
    let damage = prop::collection::vec((any::<Index>(), byte()), 1..4);
    proptest!(cases(5000), |(random in random, walk in walk(), damage in damage)| {
        no_other_bytes(&solver, &random)?;
        no_other_bytes(&solver, &damaged(&solver, &walk, &damage))?;
    });
}

#[test]
fn bytes_of_a_state_are_fixed() {
    let normal = Solver::<Normal>::new(Sprouts);
    let mut state = normal.state("0*3+0*4+2.1+0.0");
    state.value = 0x0102;
    let lands = [
        &[4, 3, 2, 2, 1, 3, 2, 3, 1, 3, 2, 4, 1][..],
        &[4, 3, 4, 0, 1],
    ];
    let bytes = [&lands.concat()[..], &[0, 0, 1, 2]].concat();
    assert_eq!(encode(&normal, &state), Some(bytes));

    let misere = Solver::<Misere>::new(Sprouts);
    let mut state = misere.state("0*4+0*2+1");
    let lands = [3, 3, 2, 2, 1, 3, 2, 4, 1, 3, 3, 0, 1];
    assert_eq!(
        encode(&misere, &state),
        Some([&lands[..], &[0, 0]].concat())
    );
    // 0*2 is worth {*2}, `1` is worth *1.
    misere.convention.resolve(&mut state);
    let bytes = vec![1, 3, 2, 4, 1, 1, 0xf0, 1, 2, 1];
    assert_eq!(encode(&misere, &state), Some(bytes));
}

#[test]
fn normal_states_round_trip() {
    let solver = Solver::<Normal>::new(Sprouts);
    proptest!(cases(128), |(walk in walk(), resolved: bool)| round_trip(&solver, &walk, resolved)?);
}

#[test]
fn misere_states_round_trip() {
    let solver = Solver::<Misere>::new(Sprouts);
    proptest!(cases(128), |(walk in walk(), resolved: bool)| round_trip(&solver, &walk, resolved)?);
}

#[test]
fn a_normal_state_has_one_encoding() {
    one_encoding::<Normal>();
}

#[test]
fn a_misere_state_has_one_encoding() {
    one_encoding::<Misere>();
}

#[test]
fn lands_out_of_order_are_no_state() {
    let solver = Solver::<Misere>::new(Sprouts);
    let sorted = [2, 3, 2, 4, 1, 3, 2, 5, 1, 0, 0];
    assert_eq!(
        encode(&solver, &solver.state("0*4+0*5")),
        Some(sorted.to_vec())
    );
    let swapped = [2, 3, 2, 5, 1, 3, 2, 4, 1, 0, 0];
    assert!(State::decode(&swapped, &solver.convention).is_err());
}
