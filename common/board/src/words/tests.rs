use super::*;

#[test]
fn sentences_begin_and_end_as_such() {
    assert_eq!(sentence_of("no room"), "No room.");
    assert_eq!(sentence_of("Ünd?"), "Ünd?");
    assert_eq!(sentence_of(""), ".");
}
