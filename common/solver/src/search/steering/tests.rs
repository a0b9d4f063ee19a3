use super::*;

#[test]
fn lesser_numbers_are_what_sums_count() {
    let part = Numbers {
        proof: 7,
        disproof: 3,
    };
    let lesser = Numbers {
        proof: 3,
        disproof: 3,
    };
    assert_eq!(SumRule::Lesser.last(part), lesser);
    assert_eq!(SumRule::Lesser.before_last(part), 3);
    assert_eq!(SumRule::Losses.last(part), part);
    for rule in [SumRule::Losses, SumRule::Lesser] {
        for outcome in [Outcome::Win, Outcome::Loss] {
            // It may not stay so.
            let solved = Numbers::solved(outcome);
            assert_eq!(rule.last(solved).outcome(), None, "{rule:?}");
            assert!(rule.before_last(solved) < Numbers::INFINITE, "{rule:?}");
        }
    }
}

#[test]
fn patience_is_never_less_than_one_step() {
    let eager = Switches::ALL_ON.without(Switch::Epsilon);
    for second in [0, 1, 9, 100, 1 << 20, Numbers::INFINITE - 1] {
        let patience = patience(&Switches::default(), second);
        assert!(patience > second || second == Numbers::INFINITE - 1);
        assert!(super::patience(&eager, second) <= patience);
    }
    assert_eq!(patience(&eager, 100), 101);
    assert_eq!(patience(&Switches::default(), 100), 110);
}

#[test]
fn seeds_differ_and_the_first_changes_nothing() {
    let order = |seed| order(&Switches::seeded(seed));
    assert_eq!(order(0), 0);
    assert!(order(1) >> 120 != order(2) >> 120);
}

#[test]
fn estimates_are_finite_and_positive() {
    let hopeless = Effort {
        win: 1e9,
        loss: -1e9,
    };
    let leaf = hopeless.numbers();
    assert_eq!((leaf.proof, leaf.disproof), (Numbers::LARGEST, 1));
}
