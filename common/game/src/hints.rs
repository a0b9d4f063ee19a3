//! Suggestions for a text that is not a position.

use sproutnet_notation::ParseError;
use sproutnet_notation::text::is_number;

use crate::{PositionError, all, by_name, parse, qualified};

/// The maximum number of wrong, missing or extra letters in a recognized name.
const MOST_WRONG: usize = 2;

/// The maximum length of a text that may be meant as a sum, in bytes.
const LONGEST_SUM: usize = 1_000;

/// The least number of letters of a word.
const WORD: usize = 4;

/// The error about a text, with a suggestion.
pub(crate) fn explained(text: &str, error: PositionError) -> PositionError {
    match error {
        PositionError::Parse(error) => explained_at(text.trim(), error).into(),
        PositionError::UnknownGame(_) => error,
    }
}

fn explained_at(text: &str, ParseError { column, problem }: ParseError) -> ParseError {
    if let Some(game) = by_name(text) {
        let such = qualified(&*game, game.info().examples[0]);
        return ParseError {
            column: 1,
            problem: format!("`{text}` is a game; name a position of it, such as `{such}`"),
        };
    }
    if let Some(meant) = heaps_meant(text).or_else(|| sum_meant(text)) {
        return ParseError {
            column,
            problem: format!("{problem}; did you mean `{meant}`?"),
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

/// The sum that somebody means who writes heaps with blanks or commas between them, as in `nim 3 5 7` or `kayles:5,3`.
fn heaps_meant(text: &str) -> Option<String> {
    let start = text.find(|symbol: char| symbol.is_ascii_digit())?;
    let (name, sizes) = text.split_at(start);
    let game = by_name(name.trim_end_matches([':', ' ']).to_lowercase().as_str())?;
    game.start_text(1)?;
    let sizes: Vec<&str> = sizes
        .split([' ', ',', '+'])
        .filter(|size| !size.is_empty())
        .collect();
    let are_sizes = sizes.len() > 1 && sizes.iter().all(|size| is_number(size));
    let meant = format!("{}:{}", game.name(), sizes.join("+"));
    (are_sizes && meant != text).then_some(meant)
}

/// The sum that is meant by positions with blanks or commas between them, as in `3, 4` or `0*3 1a1a`.
fn sum_meant(text: &str) -> Option<String> {
    if text.len() > LONGEST_SUM {
        return None;
    }
    let terms = text.split([' ', ',']).filter(|term| !term.is_empty());
    let terms: Vec<String> = terms
        .map(|term| {
            if is_number(term) {
                format!("0*{term}")
            } else {
                term.to_owned()
            }
        })
        .collect();
    let meant = terms.join("+");
    (terms.len() > 1 && parse(&meant).is_ok()).then_some(meant)
}

/// Whether a text is a word: letters, all small but the first.
fn is_word(text: &str) -> bool {
    let mut rest = text.chars();
    rest.next().is_some_and(char::is_alphabetic)
        && rest.all(char::is_lowercase)
        && text.chars().nth(WORD - 1).is_some()
}

/// The message for an unknown name of a game, with a suggestion.
pub(crate) fn unknown_game(name: &str) -> String {
    if !name.starts_with(|symbol: char| symbol.is_ascii_alphabetic()) {
        return "the name comes first, as in `octal(0.77)`".to_owned();
    }
    let all = all();
    let others = all
        .iter()
        .flat_map(|game| game.other_names())
        .map(|&(other, _)| other);
    let names: Vec<&str> = all.iter().map(|game| game.name()).chain(others).collect();
    let meant = name.to_lowercase();
    let near = names.iter().map(|known| (distance(&meant, known), known));
    let nearest = near
        .min()
        .filter(|&(wrong, known)| wrong <= MOST_WRONG && wrong < known.len() - 1);
    match nearest {
        Some((_, nearest)) => format!("did you mean `{nearest}`?"),
        None => format!("there are {}", names.join(", ")),
    }
}

/// The number of letters to replace, add or remove to turn one text into the other (Levenshtein 1965). Texts much
/// longer than names count as far apart.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len() > other.len() + MOST_WRONG {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, known) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != known);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
}
