//! What was probably meant by a text that is not a position.

use sproutnet_notation::ParseError;
use sproutnet_notation::text::is_number;

use crate::{PositionError, by_name, qualified};

/// The fewest letters of a word.
const WORD: usize = 4;

/// The error about a text, with what was probably meant.
pub(crate) fn explained(text: &str, error: PositionError) -> PositionError {
    match error {
        PositionError::Parse(error) => explained_at(text.trim(), error).into(),
        PositionError::UnknownGame(_) => error,
    }
}

fn explained_at(text: &str, ParseError { column, problem }: ParseError) -> ParseError {
    if let Some(game) = by_name(text) {
        let such = qualified(&*game, &game.start_text(5));
        return ParseError {
            column: 1,
            problem: format!("`{text}` is a game; name a position of it, such as `{such}`"),
        };
    }
    let after = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let (number, word) = (&text[..text.len() - after.len()], after.trim_start());
    let problem = match (is_number(number), is_word(word)) {
        (true, true) => format!("{problem}; did you mean `0*{number}`?"),
        (false, true) => format!("`{word}` is not a position, such as `0*5`: {problem}"),
        (_, false) => problem,
    };
    ParseError { column, problem }
}

/// Whether a text is a word: letters, all small but the first.
fn is_word(text: &str) -> bool {
    let mut rest = text.chars();
    rest.next().is_some_and(char::is_alphabetic)
        && rest.all(char::is_lowercase)
        && text.chars().nth(WORD - 1).is_some()
}
