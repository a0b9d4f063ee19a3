//! The page at any address of the board.

use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use crate::host::Host;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::{collection, form, lesson, page, puzzles, review, worksheet};

/// What an address leads to: a path and a query, as in the links of the pages.
///
/// # Errors
/// There is no such page, or the solver fails.
pub fn open(host: &Host<'_>, address: &str) -> Result<Reply, Problem> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let parts = path.split('/').map(|part| {
        let part = percent_decode_str(part).decode_utf8();
        part.map_err(|_| Problem::missing("there is no such page"))
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    match parts[..] {
        ["", "board"] => form::begin(host, asked(query)?),
        ["", "board", played] => page::page(host, played, &asked(query)?),
        ["", "board", played, "review"] => review::page(host, played, &asked(query)?),
        ["", "lesson"] => Ok(lesson::begin()),
        ["", "lesson", step] => lesson::step(named(step)?),
        ["", "puzzles"] => Ok(puzzles::list(host.around)),
        ["", "puzzles", "sheet"] => Ok(worksheet::page(host.around, &asked(query)?)),
        ["", "puzzles", puzzle] => puzzles::page(named::<collection::Puzzle>(puzzle)?),
        _ => Err(Problem::missing("there is no such page")),
    }
}

/// What a query asks for.
fn asked<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let asked = serde_urlencoded::from_str(query);
    asked.map_err(|error| Problem::bad(format!("the query is invalid: {error}")))
}

/// What a part of a path names.
fn named<T: TryFrom<String>>(part: &str) -> Result<T, Problem> {
    let named = T::try_from(part.to_owned());
    named.map_err(|_| Problem::missing("there is no such page"))
}
