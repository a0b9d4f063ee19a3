//! Texts that name a game: `kayles:5+3`, `octal(0.77):5+3`. Without a name, the game is Sprouts, or explicit if the
//! text begins with a brace.

use std::borrow::Cow;
use std::sync::Arc;

use sproutnet_notation::ParseError;
use sproutnet_notation::text::{is_number, mark_numbers};

use crate::heaps::NamedHeap;
use crate::{Explicit, Game, Position, PositionError, Sprouts, Sum, all, hints};

/// The first symbols of parameters before the colon.
const BRACKETS: [char; 2] = ['(', '{'];

/// The name of games that are given by their options.
pub(crate) const EXPLICIT: &str = "explicit";

/// The game with this name.
pub fn by_name(name: &str) -> Option<Arc<dyn Game>> {
    all().into_iter().find(|game| game.name() == name)
}

/// The game with this name or another name, and the parameters that belong to the other name.
fn named(name: &str) -> Result<(Arc<dyn Game>, Option<&'static str>), PositionError> {
    if let Some(game) = by_name(name) {
        return Ok((game, None));
    }
    let of_game = |game: Arc<dyn Game>| {
        let mut others = game.other_names().iter();
        let &(_, parameters) = others.find(|(other, _)| *other == name)?;
        Some((game, Some(parameters)))
    };
    let found = all().into_iter().find_map(of_game);
    found.ok_or_else(|| PositionError::UnknownGame(name.to_owned()))
}

/// Reads a position of a program's query, or a text of a person after [`typed`]: `game:text`, or only `text` for
/// Sprouts. The columns of errors count from the start of `game:text`.
///
/// # Errors
/// There is no such game, or as for [`Game::parse_unambiguous`].
pub fn parse(text: &str) -> Result<(Arc<dyn Game>, Position), PositionError> {
    parse_by(text, Game::parse_unambiguous).map_err(|error| hints::explained(text, error))
}

/// Reads a position that was stored: [`Game::parse_stored`].
///
/// # Errors
/// There is no such game, or the text is not in its notation.
pub fn parse_stored(text: &str) -> Result<(Arc<dyn Game>, Position), PositionError> {
    parse_by(text, Game::parse_stored)
}

/// How a game reads a position.
type Parse = fn(&dyn Game, &str) -> Result<Position, ParseError>;

fn parse_by(text: &str, parse: Parse) -> Result<(Arc<dyn Game>, Position), PositionError> {
    if Sum::is_sum(text) {
        return Ok(Sum::simplified(Sum::read(text, parse)?));
    }
    parse_one(text, parse)
}

/// Reads a position of one game.
pub(crate) fn parse_one(
    text: &str,
    parse: Parse,
) -> Result<(Arc<dyn Game>, Position), PositionError> {
    let (game, rest) = split_game(text)?;
    match parse(&*game, &rest) {
        Ok(position) => Ok((game, position)),
        Err(error) => Err(in_whole(text, &rest, error).into()),
    }
}

/// Turns an error in the end of a text into an error in the whole.
fn in_whole(text: &str, end: &str, error: ParseError) -> ParseError {
    // Another name may be shorter than its expansion.
    let column = (text.chars().count() + error.column).saturating_sub(end.chars().count());
    ParseError {
        column: column.max(1),
        ..error
    }
}

/// The distance of the wide forms of the signs of ASCII, which Chinese and Japanese keyboards write, from the usual ones
/// (Unicode, Halfwidth and Fullwidth Forms).
const WIDE: u32 = '！' as u32 - '!' as u32;

/// The same text without wide forms; `None` if there are none.
fn without_wide(text: &str) -> Option<String> {
    let usual = |sign: char| match sign {
        '！'..='～' => char::from_u32(u32::from(sign) - WIDE).unwrap_or(sign),
        _ => sign,
    };
    let changed: String = text.chars().map(usual).collect();
    (changed != text).then_some(changed)
}

/// The text that a person means, for [`parse`]: a number is the start position of that size, so `21` is `0*21`, and so
/// is `21 spots`; `kayles 12` is `kayles:12`. Wide signs, as in `０＊８`, are read as the usual ones. A text
/// that is no position is read with blanks beside signs left out, `×`, `x` and `O` taken for `*` and `0`, and small letters
/// for capitals, as far as this is needed. Other text stays as it is.
pub fn typed(text: &str) -> Cow<'_, str> {
    if let Some(text) = without_wide(text) {
        return Cow::Owned(typed(&text).into_owned());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [size, "spot" | "spots"] = words[..]
        && is_number(size)
    {
        return Cow::Owned(format!("0*{size}"));
    }
    if let [name, size] = words[..]
        && is_number(size)
    {
        let name = name.to_lowercase();
        if named(&name).is_ok() {
            return Cow::Owned(typed(&format!("{name}:{size}")).into_owned());
        }
    }
    if let Ok((game, rest)) = split_game(text)
        && is_number(rest.trim())
        && let Ok(size) = rest.trim().parse()
        && let Some(start) = game.start_text(size)
    {
        return Cow::Owned(qualified(&*game, &start));
    }
    if parse(text).is_err()
        && let Some(meant) = respelled(text)
            .into_iter()
            .find(|meant| parse(meant).is_ok())
    {
        return Cow::Owned(meant);
    }
    Cow::Borrowed(text)
}

/// The same for a form that asks about one position: there a `0` alone is a spot without lines, as in the notation.
/// Nobody asks about a start without spots.
pub fn typed_in_form(text: &str) -> Cow<'_, str> {
    match text.trim() {
        "0" => Cow::Borrowed("0*1"),
        text => typed(text),
    }
}

/// The maximum length of a text that is respelled, in bytes.
const LONGEST_RESPELLED: usize = 1000;

/// Other spellings of a text, from the nearest to the farthest.
fn respelled(text: &str) -> Vec<String> {
    if text.len() > LONGEST_RESPELLED {
        return Vec::new();
    }
    let symbols: Vec<char> = text.trim().chars().collect();
    // Two numbers or letters with a blank between them are not one.
    let sticks = |i: usize| {
        let before = symbols[..i]
            .iter()
            .rev()
            .find(|symbol| !symbol.is_whitespace());
        let after = symbols[i..].iter().find(|symbol| !symbol.is_whitespace());
        [before, after]
            .iter()
            .all(|beside| beside.is_some_and(|symbol| symbol.is_alphanumeric()))
    };
    let kept = (0..symbols.len()).filter(|&i| !symbols[i].is_whitespace() || sticks(i));
    let near: Vec<char> = kept.map(|i| symbols[i]).collect();
    let digit = |symbol: Option<&char>| symbol.is_some_and(char::is_ascii_digit);
    let is_zero = |symbol: Option<&char>| matches!(symbol, Some('0' | 'o' | 'O'));
    let times = |i: usize| matches!(near.get(i), Some('×' | 'x' | 'X' | '*'));
    let starry: String = (0..near.len())
        .map(|i| match near[i] {
            'o' | 'O' if times(i + 1) => '0',
            '×' | 'x' | 'X' if i > 0 && is_zero(near.get(i - 1)) && digit(near.get(i + 1)) => '*',
            symbol => symbol,
        })
        .collect();
    // Only capitals stand in several regions. Where both are written, they differ.
    let are_capitals = starry.contains('|') && !starry.chars().any(char::is_uppercase);
    let capital = are_capitals.then(|| starry.to_uppercase());
    let near = near.into_iter().collect();
    [Some(near), Some(starry), capital]
        .into_iter()
        .flatten()
        .collect()
}

/// The text of a position for [`parse`]: with the name of the game, except for Sprouts, where lands that are numbers
/// are [marked](mark_numbers), and for a sum that names its games.
pub fn qualified(game: &dyn Game, text: &str) -> String {
    match game.name() {
        "sprouts" => mark_numbers(text),
        "sum" if Sum::is_across(text) => text.to_owned(),
        name if name != EXPLICIT && text.starts_with(BRACKETS) => format!("{name}{text}"),
        name => format!("{name}:{text}"),
    }
}

/// Whether a text without the name of a game is a game given by its options, as in `{0,*1,{*2}}`.
pub(crate) fn is_explicit(text: &str) -> bool {
    text.trim_start().starts_with('{') && !text.contains(':')
}

/// Splits `game:text`, or `game(parameters):text` into the game and `(parameters):text`. Another name is replaced by
/// its parameters. Text without a game belongs to Sprouts, or to [`Explicit`] if it begins with a brace.
///
/// # Errors
/// There is no such game.
pub fn split_game(text: &str) -> Result<(Arc<dyn Game>, Cow<'_, str>), PositionError> {
    match text.find([':', '(', '{']) {
        Some(end) if text[end..].starts_with(':') => {
            let rest = &text[end + 1..];
            Ok(match named(text[..end].trim())? {
                (game, None) => (game, Cow::Borrowed(rest)),
                (game, Some(parameters)) => (game, Cow::Owned(format!("{parameters}:{rest}"))),
            })
        }
        Some(_) if is_explicit(text) => Ok((Arc::new(Explicit), Cow::Borrowed(text))),
        // Spots of Sprouts have brackets, too.
        Some(end) => match by_name(text[..end].trim()) {
            // The braces of an explicit game are no parameters.
            Some(game) if game.name() != EXPLICIT => Ok((game, Cow::Borrowed(&text[end..]))),
            _ if text.contains(':') => {
                Err(PositionError::UnknownGame(text[..end].trim().to_owned()))
            }
            _ => Ok((Arc::new(Sprouts), Cow::Borrowed(text))),
        },
        None => Ok((Arc::new(Sprouts), Cow::Borrowed(text))),
    }
}

/// The start positions in the table of a game, which may have parameters as in `octal(0.137)`.
///
/// # Errors
/// There is no such game, or as for [`heap`].
pub fn starts(name: &str) -> Result<(Arc<dyn Game>, Vec<String>), PositionError> {
    if let Some(game) = by_name(name) {
        let starts = game.starts();
        return Ok((game, starts));
    }
    let (canonical, _) = heap(name)?;
    let (game, parameters) = split_name(&canonical);
    let (game, _) = named(game)?;
    let starts = game.starts_with(parameters);
    Ok((game, starts))
}

/// The name of a game and the parameters after it.
fn split_name(text: &str) -> (&str, &str) {
    let end = text.find(|symbol: char| !symbol.is_ascii_alphabetic() && symbol != '-');
    text.split_at(end.unwrap_or(text.len()))
}

/// The moves from heaps of a game with its parameters, such as `octal(0.77)`, `bash/3` or `kayles`; and the canonical
/// text.
///
/// # Errors
/// There is no such game, it is not played with heaps, or its parameters are wrong.
pub fn heap(text: &str) -> Result<NamedHeap, PositionError> {
    let (name, rest) = split_name(text);
    let (game, own) = named(if name.is_empty() { text } else { name })?;
    let parameters = match own {
        None => rest,
        Some(own) if rest.trim().is_empty() => own,
        Some(_) => {
            return Err(PositionError::Parse(ParseError {
                column: name.chars().count() + 1,
                problem: format!("expected nothing after `{name}`, found `{rest}`"),
            }));
        }
    };
    let Some(heap) = game.heap(parameters) else {
        return Err(PositionError::Parse(ParseError {
            column: 1,
            problem: format!("{name} is not played with single heaps"),
        }));
    };
    let (parameters, heap) = heap.map_err(|error| in_whole(text, rest, error))?;
    Ok((format!("{}{parameters}", game.name()), heap))
}
