//! Lands that are numbers: `21` could be 21 spots, or a boundary of two.

use super::ParseError;

/// The other reading of a number alone, besides a boundary.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// This number of spots.
    Spots,
    /// This number of crosses.
    Crosses,
}

/// Refuses lands that are numbers.
pub(super) fn check_numbers(text: &str, start: Start) -> Result<(), ParseError> {
    let mut before = 0;
    for land in text.split('+') {
        let number = land.trim();
        if is_number(number) {
            let blanks = land.chars().take_while(|symbol| symbol.is_whitespace());
            let other = match number.contains(|digit| !matches!(digit, '1'..='3')) {
                _ if number == "0" => ", `0*1` one spot".to_owned(),
                true => String::new(),
                false => format!(", `{number}}}` a boundary of {}", in_words(number)),
            };
            let start = match number {
                _ if start == Start::Crosses => format!("`x*{number}` is {number} crosses"),
                "0" => "`!` is no spot".to_owned(),
                "1" => "`0*1` is one spot".to_owned(),
                _ => format!("`0*{number}` is {number} spots"),
            };
            return Err(ParseError {
                column: before + blanks.count() + 1,
                problem: format!("a number alone can be misread: {start}{other}"),
            });
        }
        before += land.chars().count() + 1;
    }
    Ok(())
}

/// Whether a text is a number.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Spots that are written as digits, in words.
fn in_words(digits: &str) -> String {
    match digits.as_bytes() {
        &[one] => format!("a spot {}", char::from(one)),
        &[one, other] => format!("spots {} and {}", char::from(one), char::from(other)),
        digits => format!("{} spots", digits.len()),
    }
}

/// The text of a position for people and programs, from the lands as [printed](super::print_land) and linked by `+`. A
/// land that is a number is marked, so that the text is [unambiguous](super::parse_unambiguous).
pub fn mark_numbers(text: &str) -> String {
    let mark = |land: &str| match land {
        "0" => "0*1".to_owned(),
        _ if is_number(land) => format!("{land}}}"),
        _ => land.to_owned(),
    };
    let lands: Vec<String> = text.split('+').map(mark).collect();
    lands.join("+")
}
