//! Search states as portable bytes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::Index;

use sproutnet_game::{Position, Sprouts};
use sproutnet_solver::play::{Convention, Misere, Normal, ProvedOutcomes, Rules, State};

use sproutnet_testkit::solver::{Solver, cases};

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
    prop_assert_eq!(there.convention.key(&state), here.convention.key(&back));

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

/// A state as one process has it.
struct Met {
    /// The lands in the order of their ids.
    lands: Vec<Vec<u8>>,
    /// The value as a person reads it: its number in the process.
    value: String,
    key: u128,
}

/// The states of positions that are met in that order, resolved or not, by their bytes.
fn met<'a, C: Convention>(positions: impl Iterator<Item = &'a Position>) -> BTreeMap<Vec<u8>, Met> {
    let solver = Solver::<C>::new(Sprouts);
    let lands = solver.convention.lands();
    let mut met = BTreeMap::new();
    for position in positions {
        let state = solver.convention.state(position);
        let mut resolved = state.clone();
        solver.convention.resolve(&mut resolved);
        for state in [state, resolved] {
            let bytes = encode(&solver, &state).expect("values of small lands are short");
            let bytes_of = |&id: &_| lands.encoding(id).to_vec();
            let state = Met {
                lands: state.lands.iter().map(bytes_of).collect(),
                value: format!("{:?}", state.value),
                key: solver.convention.key(&state),
            };
            met.insert(bytes, state);
        }
    }
    met
}

/// Sums of at most three of some lands, equal ones among them, and all of these lands with a large one.
fn sums() -> Vec<Position> {
    let solver = Solver::<Normal>::new(Sprouts);
    let lands = solver.convention.lands();
    let mut found = BTreeSet::new();
    for start in ["0*3", "0*4", "0*5"] {
        let options = lands.options(solver.land(start), &|| false);
        for option in options.expect("never told to stop").iter() {
            found.extend(lands.position(option).lands().to_vec());
        }
    }
    let large = solver.position("0*9");
    let single = |land| Position::new(vec![land]);
    let singles: Vec<Position> = found.into_iter().map(single).collect();
    let mut sums = vec![Position::default(), large.clone()];
    for (i, one) in singles.iter().enumerate() {
        sums.extend([one.clone(), one.plus(&large)]);
        for (j, two) in singles[i..].iter().enumerate() {
            sums.push(one.plus(two));
            let three = singles[i + j..].iter().step_by(5);
            sums.extend(three.map(|three| one.plus(two).plus(three)));
        }
    }
    sums
}

/// A state has one key, in whatever order its lands and values were met, and no other state has it. Returns
/// the states, each as it was met in two orders.
fn one_key<C: Convention>() -> Vec<(Met, Met)> {
    let sums = sums();
    let forwards = met::<C>(sums.iter());
    let mut backwards = met::<C>(sums.iter().rev());
    let keys: BTreeSet<u128> = forwards.values().map(|state| state.key).collect();
    assert_eq!(keys.len(), forwards.len());
    let pair = |(bytes, state): (Vec<u8>, Met)| {
        let other = backwards.remove(&bytes).expect("met in both orders");
        assert_eq!(other.key, state.key, "{bytes:?}");
        (state, other)
    };
    let pairs: Vec<_> = forwards.into_iter().map(pair).collect();
    assert!(backwards.is_empty());
    // Otherwise the order of lands is not put to the test.
    assert!(pairs.iter().any(|(one, other)| one.lands != other.lands));
    pairs
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
fn a_normal_state_has_one_key() {
    one_key::<Normal>();
}

#[test]
fn a_misere_state_has_one_key() {
    let pairs = one_key::<Misere>();
    // Nor is the order of values otherwise.
    assert!(pairs.iter().any(|(one, other)| one.value != other.value));
}

/// The lands, how often each occurs, the value and the convention: each of them makes another key.
#[test]
fn all_of_a_state_is_in_its_key() {
    let normal = Solver::<Normal>::new(Sprouts);
    let misere = Solver::<Misere>::new(Sprouts);
    let mut keys = BTreeSet::new();
    let texts = ["0*4", "0*5", "0*4+0*4", "0*4+0*5", "0*4+0*4+0*4", "0*6"];
    for text in texts {
        let mut state = normal.state(text);
        for value in 0..4 {
            state.value = value;
            assert!(
                keys.insert(normal.convention.key(&state)),
                "{text} *{value}"
            );
        }
        let mut state = misere.state(text);
        let bags = misere.convention.bags();
        let [one, two] = [1, 2].map(|k| bags.trees().heap(k));
        for summand in [one, two, two, one] {
            assert!(
                keys.insert(misere.convention.key(&state)),
                "{text} {state:?}"
            );
            state.value = bags.add(state.value, summand);
        }
        assert!(
            keys.insert(misere.convention.key(&state)),
            "{text} {state:?}"
        );
    }
}

#[test]
fn keys_of_states_are_fixed() {
    let normal = Solver::<Normal>::new(Sprouts);
    let mut state = normal.state("0*3+0*4");
    state.value = 0x0102;
    assert_eq!(
        normal.convention.key(&state),
        214_100_122_152_756_425_698_217_063_444_742_012_056
    );

    let misere = Solver::<Misere>::new(Sprouts);
    let mut state = misere.state("0*4+0*2+1");
    misere.convention.resolve(&mut state);
    assert_eq!(
        misere.convention.key(&state),
        201_621_254_981_475_872_560_864_935_676_380_163_673
    );
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
