//! The positions named on the command line or on standard input.

use std::io::{BufRead, BufReader};
use std::sync::Arc;

use sproutnet_game::{self as game, Game, Position};
use tokio::sync::mpsc;

use crate::exit::{BadInput, bad_position};

/// The upper limit of a range of start positions.
const LARGEST_RANGE: u32 = 10_000;

/// The texts of positions, in order; the iterator may block.
pub(crate) type Roots = Box<dyn Iterator<Item = Result<String, BadInput>> + Send>;

/// Reads arguments: positions, ranges of start positions, `-` for standard input. Text from
/// standard input is checked as it comes, all other text at once.
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
            None => roots.push(position(argument)?),
        }
    }
    Ok(Box::new(roots.into_iter().map(Ok)))
}

/// Reads standard input, a position on each line that is not blank.
pub(crate) fn from_stdin() -> Roots {
    let mut lines = BufReader::new(std::io::stdin()).lines().fuse();
    let mut broken = false;
    Box::new(std::iter::from_fn(move || {
        while !broken {
            match lines.next()? {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Some(position(line.trim())),
                Err(error) => {
                    // Invalid UTF-8 spoils one line; any other error ends the input.
                    broken = error.kind() != std::io::ErrorKind::InvalidData;
                    return Some(Err(BadInput(format!("standard input: {error}"))));
                }
            }
        }
        None
    }))
}

/// Reads ahead by one on a thread. Ends after the last root, or when the receiver is dropped.
pub(crate) fn channel(roots: Roots) -> mpsc::Receiver<Result<String, BadInput>> {
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

fn position(text: &str) -> Result<String, BadInput> {
    parse(text).map(|_| text.to_owned())
}

/// Reads a position of any game.
pub(crate) fn parse(text: &str) -> Result<(Arc<dyn Game>, Position), BadInput> {
    game::parse(text).map_err(|error| bad_position(text, &error))
}

/// Reads a position of Sprouts, for what can be `done` with no other game.
pub(crate) fn parse_sprouts(text: &str, done: &str) -> Result<Position, BadInput> {
    let (game, position) = parse(text)?;
    match game.name() {
        "sprouts" => Ok(position),
        name => Err(BadInput(format!(
            "only positions of sprouts can be {done}, not of {name}"
        ))),
    }
}

/// `A..=B` or `A..B`, perhaps after `game:`. `None` if the argument is no range.
fn range(argument: &str) -> Result<Option<Vec<String>>, BadInput> {
    let Some((first, last)) = argument.split_once("..") else {
        return Ok(None);
    };
    // Boundaries are separated by single dots, and `0..0` is no position either.
    let bad = || {
        BadInput(format!(
            "expected a range such as 0..=12, found `{argument}`"
        ))
    };
    let (game, first) = game::split_game(first).map_err(|error| BadInput(error.to_string()))?;
    let first: u32 = first.trim().parse().map_err(|_| bad())?;
    let end = match last.strip_prefix('=') {
        Some(last) => last
            .trim()
            .parse::<u32>()
            .ok()
            .and_then(|last| last.checked_add(1)),
        None => last.trim().parse().ok(),
    };
    let end = end.ok_or_else(bad)?;
    if first > end {
        return Err(BadInput(format!(
            "the range `{argument}` ends before it begins"
        )));
    }
    if end > LARGEST_RANGE {
        return Err(BadInput(format!(
            "start positions up to {LARGEST_RANGE} can be named"
        )));
    }
    let start = |n| position(&game::qualified(game.as_ref(), &game.start_text(n)));
    (first..end).map(start).collect::<Result<_, _>>().map(Some)
}

#[cfg(test)]
#[path = "roots_tests.rs"]
mod tests;
