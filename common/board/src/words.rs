//! The words of pages.

use sproutnet_drawing::sheet::Sheet;
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

/// A spot or a free end, by its number.
pub fn named(sheet: &Sheet, spot: usize) -> String {
    let kind = if sheet.is_end(spot - 1) {
        "free end"
    } else {
        "spot"
    };
    format!("{kind} {spot}")
}

/// A line, as an instruction.
pub fn joining(sheet: &Sheet, one: usize, other: usize) -> String {
    if one == other {
        format!("draw a loop at spot {one}")
    } else {
        format!("join {} and {}", named(sheet, one), named(sheet, other))
    }
}

/// The spots on either side of a line, if it cuts its region in two.
pub fn on_either_side(sheet: &Sheet, sides: Option<&[Vec<usize>; 2]>) -> String {
    match sides {
        None => "It cuts nothing off.".to_owned(),
        Some([one, other]) if one.is_empty() && other.is_empty() => {
            "Nothing on either side.".to_owned()
        }
        Some([one, other]) => {
            let [one, other] = [one, other].map(|side| spots(sheet, side));
            format!("{} on one side, {other} on the other.", capital(&one))
        }
    }
}

/// Spots and free ends in words. `spots` are counted from 0; in the words they are counted from 1.
pub fn spots(sheet: &Sheet, spots: &[usize]) -> String {
    let ends = spots.iter().filter(|&&spot| sheet.is_end(spot)).count();
    let kinds = match ends {
        0 => "spots",
        _ if ends == spots.len() => "free ends",
        _ => "spots and free ends",
    };
    match spots {
        [] => "nothing".to_owned(),
        [only] => named(sheet, only + 1),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(|spot| (spot + 1).to_string()).collect();
            format!("{kinds} {} and {}", first.join(", "), last + 1)
        }
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
