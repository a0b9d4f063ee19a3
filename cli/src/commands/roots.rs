//! The positions named on the command line or on standard input. [`typed`] reads the command line; standard input is
//! for programs and is read strictly.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, IsTerminal};
use std::ops::RangeInclusive;
use std::sync::Arc;

use sproutnet_game::{self as game, Game, Position, sprouts};
use sproutnet_notation::brief::brief;
use sproutnet_notation::text::is_number;
use tokio::sync::mpsc;

use crate::exit::{BadInput, bad_position};

/// The upper limit of a range of start positions.
const LARGEST_RANGE: u32 = 9_999;

/// The positions, in order; the iterator may block.
pub(crate) type Roots = Box<dyn Iterator<Item = Result<Root, Refused>> + Send>;

/// A position to ask about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    /// The text for the coordinator.
    pub(crate) text: String,
    /// The number of its line on standard input, from 1.
    pub(crate) line: Option<u64>,
}

/// A line of standard input that is refused.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The number of the line, from 1.
    pub(crate) line: Option<u64>,
    /// The text of the line, if it is UTF-8.
    pub(crate) input: Option<String>,
    /// The reason.
    pub(crate) problem: BadInput,
}

/// Reads arguments: positions, ranges of start positions, `-` for standard input. Lines of standard input are checked
/// one by one; arguments are checked before the first is returned.
pub(crate) fn read(arguments: &[String]) -> Result<Roots, BadInput> {
    if arguments.iter().any(|argument| argument == "-") {
        if arguments.len() > 1 {
            return Err(BadInput(
                "`-` stands alone: positions come from standard input".to_owned(),
            ));
        }
        return Ok(from_stdin());
    }
    let mut roots = Vec::new();
    for argument in arguments {
        match range(argument)? {
            Some(range) => roots.extend(range),
            None => roots.push(typed(argument)?),
        }
    }
    let root = |text| Ok(Root { text, line: None });
    Ok(Box::new(roots.into_iter().map(root)))
}

/// Reads standard input: one position on each line that is neither blank nor a comment. A comment begins with `#` at the
/// start of the line or after a blank.
pub(crate) fn from_stdin() -> Roots {
    let mut lines = (1..).zip(BufReader::new(std::io::stdin()).lines()).fuse();
    let mut broken = false;
    Box::new(std::iter::from_fn(move || {
        while !broken {
            let (number, line) = lines.next()?;
            let refused = |input, problem| Refused {
                line: Some(number),
                input,
                problem,
            };
            return Some(match line.as_deref().map(without_comment) {
                Ok("") => continue,
                Ok(text) => match parse(text) {
                    Ok(_) => Ok(Root {
                        text: text.to_owned(),
                        line: Some(number),
                    }),
                    Err(problem) => Err(refused(Some(text.to_owned()), problem)),
                },
                Err(error) => {
                    // Invalid UTF-8 spoils one line; any other error ends the input.
                    broken = error.kind() != std::io::ErrorKind::InvalidData;
                    let problem = BadInput(format!("standard input: {error}"));
                    Err(refused(None, problem))
                }
            });
        }
        None
    }))
}

/// A line without its comment and the blanks around it.
fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').find(|(at, _)| {
        let before = line[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    });
    line[..comment.map_or(line.len(), |(at, _)| at)].trim()
}

/// Reads positions on a thread, one ahead of the receiver. The thread ends after the last position, or when the
/// receiver is dropped.
pub(crate) fn channel(roots: Roots) -> mpsc::Receiver<Result<Root, Refused>> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        for root in roots {
            if sender.blocking_send(root).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Reads a position that a person typed: a number is a start position. Returns the text for the coordinator. On a
/// terminal, prints the understood position unless the text was canonical.
pub(crate) fn typed(text: &str) -> Result<String, BadInput> {
    let meant = game::typed(text);
    let (game, position) = parse(&meant)?;
    if std::io::stderr().is_terminal()
        && let Some(understood) = understood(text, &*game, &position)
    {
        eprintln!("{}", brief(&understood));
    }
    Ok(meant.into_owned())
}

/// The understood position of a text; `None` if the text is canonical.
fn understood(text: &str, game: &dyn Game, position: &Position) -> Option<String> {
    let canonical = game::qualified(game, &game.print(position));
    let size = match game.name() {
        "sprouts" => {
            let (spots, lives) = sprouts::spots_and_lives(position);
            let s = if spots == 1 { "" } else { "s" };
            Cow::Owned(format!(": {spots} spot{s}, {lives} lives"))
        }
        _ => Cow::Borrowed(""),
    };
    (text != canonical).then(|| format!("`{text}` is {canonical}{size}"))
}

/// Reads a position of any game in the notation of programs.
pub(crate) fn parse(text: &str) -> Result<(Arc<dyn Game>, Position), BadInput> {
    game::parse(text).map_err(|error| bad_position(text, &error))
}

/// The two bounds of `A-B`, `A..B` or `A..=B`.
pub(crate) fn ends(argument: &str) -> Option<(&str, &str)> {
    // Single dots separate boundaries, so two dots are always a range.
    match argument.split_once("..") {
        Some((first, last)) => Some((first, last.strip_prefix('=').unwrap_or(last))),
        None => argument.split_once('-'),
    }
}

/// Whether an argument is a range of start positions.
pub(crate) fn is_range(argument: &str) -> bool {
    !matches!(range(argument), Ok(None))
}

/// The start positions of `A-B`, `A..B` or `A..=B`, optionally after `game:` or `0*`. Both bounds are included. `None`
/// if the argument is no range.
fn range(argument: &str) -> Result<Option<Vec<String>>, BadInput> {
    let bad = || BadInput(format!("expected a range such as 0-12, found `{argument}`"));
    // A code may repeat its last digit: `octal(4.3...):0-9`.
    let sizes = argument.rfind([':', ')']).map_or(0, |end| end + 1);
    let (head, sizes) = argument.split_at(sizes);
    let sizes = match head {
        "" => sizes.strip_prefix("0*").unwrap_or(sizes),
        _ => sizes,
    };
    let Some((first, last)) = ends(sizes) else {
        return Ok(None);
    };
    game::split_game(head).map_err(|error| BadInput(error.to_string()))?;
    // Edges of a graph also have hyphens: `switching:0-2,1-2/0,1/cut`. Sets have ranges of their own.
    let is_other = last.contains('/') || sizes.contains('{');
    if is_other || !is_number(first.trim()) && !sizes.contains("..") {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| bad());
    let ends = number(first)?..=number(last)?;
    starts(head, ends, argument).map(Some)
}

/// The texts of start positions: `head`, which names the game and its parameters, then the size.
fn starts(head: &str, sizes: RangeInclusive<u32>, argument: &str) -> Result<Vec<String>, BadInput> {
    if sizes.is_empty() {
        return Err(BadInput(format!(
            "the range `{argument}` ends before it begins"
        )));
    }
    if *sizes.end() > LARGEST_RANGE {
        return Err(BadInput(format!(
            "start positions up to {LARGEST_RANGE} can be named"
        )));
    }
    let start = |n| {
        let text = game::typed(&format!("{head}{n}")).into_owned();
        parse(&text).map(|_| text)
    };
    sizes.map(start).collect()
}

#[cfg(test)]
#[path = "roots_tests.rs"]
mod tests;
