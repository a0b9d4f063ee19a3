use super::*;

#[test]
fn nobody_needs_to_know_rust() {
    for (error, told) in [
        (
            "invalid type: integer `5`, expected a string",
            "a text is expected, not `5`",
        ),
        (
            "invalid type: floating point `1.5`, expected u64",
            "a whole number is expected, not `1.5`",
        ),
        (
            "invalid type: map, expected a boolean",
            "true or false is expected, not an object",
        ),
        (
            "unknown variant `both`, expected `normal` or `misere`",
            "`normal` or `misere` is expected, not `both`",
        ),
        (
            "unknown variant `x`, expected one of `normal`, `misere`, `both`",
            "`normal`, `misere` or `both` is expected, not `x`",
        ),
        (
            "limit: invalid digit found in string",
            "limit: a whole number is expected",
        ),
        ("missing field `play`", "missing field `play`"),
    ] {
        assert_eq!(plain(error), told);
    }
}
