use super::*;

#[test]
fn estimates_are_finite_and_positive() {
    let hopeless = Effort {
        win: 1e9,
        loss: -1e9,
    };
    let leaf = hopeless.numbers();
    assert_eq!((leaf.proof, leaf.disproof), (Numbers::LARGEST, 1));
}
