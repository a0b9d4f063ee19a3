use proptest::prelude::*;
use sproutnet_notation::Play;

use super::*;

fn excluded(nimbers: &[u32]) -> Fact {
    let sets = nimbers
        .iter()
        .map(|&nimber| Fact::Excluded(Nimbers::only(nimber)));
    sets.fold(Fact::NOTHING, |all, set| all.merge(set).expect("sets fit"))
}

#[test]
fn numbers_are_those_of_the_format() {
    let facts = [
        (Play::Normal, Fact::Nimber(0), 1, "nimber 0"),
        (Play::Normal, Fact::Nimber(3), 7, "nimber 3"),
        (Play::Normal, excluded(&[0, 2]), 0b1010, "nimber not 0, 2"),
        (Play::Normal, excluded(&[62]), 1 << 63, "nimber not 62"),
        (Play::Misere, Fact::Loss, 0, "loss"),
        (Play::Misere, Fact::Win, 1, "win"),
    ];
    for (play, fact, value, text) in facts {
        assert_eq!(fact.value(), value);
        assert_eq!(Fact::read(play, value), Some(fact));
        assert_eq!(fact.to_string(), text);
    }
    assert_eq!(Fact::read(Play::Misere, 2), None);
    assert_eq!(excluded(&[63, 64, 100]), Fact::NOTHING);
    assert_eq!(Fact::NOTHING.value(), 0);
}

#[test]
fn sets_are_sets_of_nimbers() {
    let Fact::Excluded(set) = excluded(&[0, 1, 3, 61, 62]) else {
        unreachable!("it is a set");
    };
    assert_eq!(set.mex(), 2);
    assert!(set.contains(62) && !set.contains(63) && !set.contains(u64::MAX));
    assert_eq!(set.up_to(61).iter().collect::<Vec<_>>(), [0, 1, 3, 61]);
    assert_eq!(set.up_to(Nimbers::LARGEST), set);
}

#[test]
fn opposite_outcomes_contradict() {
    assert_eq!(Fact::Loss.merge(Fact::Win), None);
    assert_eq!(Fact::Win.merge(Fact::Win), Some(Fact::Win));
}

proptest! {
    /// Each number says one fact, and the fact that number.
    #[test]
    fn numbers_and_facts_of_lands_are_one_to_one(value in any::<u64>()) {
        prop_assert_eq!(Fact::of_land(value).value(), value);
    }

    #[test]
    fn merging_loses_nothing(a in any::<u64>(), b in any::<u64>()) {
        let (a, b) = (Fact::of_land(a), Fact::of_land(b));
        let both = a.merge(b);
        prop_assert_eq!(both, b.merge(a));
        if let Some(both) = both {
            prop_assert_eq!(both.merge(a), Some(both));
            prop_assert_eq!(a.merge(b.beyond(a)), Some(both));
        }
    }
}
