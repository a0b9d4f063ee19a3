//! The words of pages.

use sproutnet_solver::play::Play;

/// A convention.
pub fn play(play: Play) -> &'static str {
    match play {
        Play::Normal => "normal",
        Play::Misere => "misère",
    }
}

/// A text with a capital letter and a full stop.
pub fn sentence_of(text: &str) -> String {
    capital(text) + when(!text.ends_with(['.', '!', '?']), ".")
}

/// The text, if the condition holds; otherwise nothing.
pub fn when(condition: bool, text: &'static str) -> &'static str {
    if condition { text } else { "" }
}

/// A line, as an instruction.
pub fn joining(one: usize, other: usize) -> String {
    if one == other {
        format!("draw a loop at spot {one}")
    } else {
        format!("join spot {one} and spot {other}")
    }
}

/// The spots on either side of a line, if it cuts its region in two.
pub fn on_either_side(sides: Option<&[Vec<usize>; 2]>) -> String {
    match sides {
        None => "It cuts nothing off.".to_owned(),
        Some([one, other]) if one.is_empty() && other.is_empty() => {
            "Nothing on either side.".to_owned()
        }
        Some([one, other]) => {
            let (one, other) = (spots(one), spots(other));
            format!("{} on one side, {other} on the other.", capital(&one))
        }
    }
}

/// Spots in words. `spots` are counted from 0; in the words they are counted from 1.
pub fn spots(spots: &[usize]) -> String {
    let texts: Vec<String> = spots.iter().map(|spot| (spot + 1).to_string()).collect();
    match &texts[..] {
        [] => "nothing".to_owned(),
        [only] => format!("spot {only}"),
        [first @ .., last] => format!("spots {} and {last}", first.join(", ")),
    }
}

/// A text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// A number of things: `1 move`, `2 moves`. The number is written without commas.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    format!("{number} {}", things(number as u64, thing))
}

/// The word for a number of things: `move`, `moves`.
pub fn things(number: u64, thing: &str) -> String {
    format!("{thing}{}", when(number != 1, "s"))
}

#[cfg(test)]
mod tests;
