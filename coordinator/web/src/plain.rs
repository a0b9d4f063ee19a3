//! The errors of parsers in plain words.

/// What a parser of JSON or of a query says, without the words of Rust.
pub(super) fn plain(error: &str) -> String {
    for kind in ["invalid type: ", "invalid value: ", "unknown variant "] {
        if let Some((before, rest)) = error.split_once(kind)
            && let Some(told) = what_is_expected(rest)
        {
            return before.to_owned() + &told;
        }
    }
    let mut text = error.to_owned();
    for (words, plain) in [
        (
            "invalid digit found in string",
            "a whole number is expected",
        ),
        (
            "cannot parse integer from empty string",
            "a whole number is expected",
        ),
        (
            "number too large to fit in target type",
            "the number is too large",
        ),
        (
            "number too small to fit in target type",
            "the number is too small",
        ),
    ] {
        text = text.replace(words, plain);
    }
    text
}

/// Reads `what is there, expected what should be`.
fn what_is_expected(error: &str) -> Option<String> {
    let (there, expected) = error.rsplit_once(", expected ")?;
    let there = match there.split_once(' ') {
        _ if there == "map" => "an object",
        _ if there == "sequence" => "a list",
        Some(("integer" | "boolean" | "string" | "character", value)) => value,
        Some(("floating", point)) => point.trim_start_matches("point "),
        _ => there,
    };
    let expected = match expected {
        "a string" => "a text",
        "a boolean" => "true or false",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        "string or map" => "a word",
        other => other,
    };
    let list = expected.strip_prefix("one of ");
    if let Some((others, last)) = list.and_then(|list| list.rsplit_once(", ")) {
        return Some(format!("{others} or {last} is expected, not {there}"));
    }
    Some(format!("{expected} is expected, not {there}"))
}

#[cfg(test)]
mod tests;
