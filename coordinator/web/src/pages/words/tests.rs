use super::*;

#[test]
fn the_largest_proof_number_is_no_count() {
    assert_eq!(number(2000), "2,000");
    assert_eq!(number(Numbers::LARGEST), "over 4 billion");
    assert_eq!(number(Numbers::INFINITE), "∞");
}

#[test]
fn days_are_those_of_the_calendar() {
    for (seconds, iso, text) in [
        (0, "1970-01-01", "1 January 1970"),
        (951_782_400, "2000-02-29", "29 February 2000"),
        (951_868_799, "2000-02-29", "29 February 2000"),
        (951_868_800, "2000-03-01", "1 March 2000"),
        (1_795_305_600, "2026-11-22", "22 November 2026"),
        (4_107_542_399, "2100-02-28", "28 February 2100"),
        (4_107_542_400, "2100-03-01", "1 March 2100"),
    ] {
        assert_eq!(day(seconds), (iso.to_owned(), text.to_owned()));
    }
}
