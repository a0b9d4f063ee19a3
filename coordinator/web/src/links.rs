//! Addresses of pages and of the API.

use std::fmt::Display;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
pub(super) use sproutnet_board::links::{
    SHORT, board, code, drawn, editor, encoded, position, shared,
};
use sproutnet_solver::play::Play;

/// The ASCII characters that no address can contain.
const IN_QUERY: &AsciiSet = &CONTROLS.add(b' ');

/// The page of a position under a convention, with a page of its moves.
pub(super) fn moves(text: &str, play: Play, page: usize) -> String {
    let part = match page {
        ..=1 => String::new(),
        page => format!("&page={page}"),
    };
    format!("{}?play={play}{part}", position(text))
}

/// The line of play from a position as a match on one drawing.
pub(super) fn line(text: &str, play: Play) -> String {
    format!("{}/line?play={play}", position(text))
}

/// The drawing of a position: small, or with the lives at its spots.
pub(super) fn drawing(text: &str, is_small: bool) -> String {
    let small = if is_small { "?thumbnail=1" } else { "" };
    format!("{}/drawing.svg{small}", position(text))
}

/// A match on the board that begins with a position, on these terms.
pub(super) fn board_from(text: &str, terms: impl Display) -> String {
    format!("/board?position={}&{terms}", encoded(text))
}

/// A short address, or a page about it.
pub(super) fn short(name: &str, what: &str) -> String {
    format!("{SHORT}/{}{what}", encoded(name))
}

/// The editor with a drawing of a position.
pub(super) fn editor_of(text: &str) -> String {
    editor("", "", &format!("text={}", encoded(text)))
}

/// An entry on the page of references.
pub(super) fn reference(key: &str) -> String {
    format!("/references#{key}")
}

/// The address at which forms start computations.
pub(super) const COMPUTATIONS: &str = "/computations";

/// The page of a computation.
pub(super) fn computation(id: u64) -> String {
    format!("/computations/{id}")
}

/// The address at which programs start computations.
pub(super) const API_COMPUTATIONS: &str = "/api/v1/computations";

/// The JSON of a computation.
pub(super) fn api_of_computation(id: u64) -> String {
    format!("{API_COMPUTATIONS}/{id}")
}

/// The JSON about a position: its `moves`, or a `line`.
pub(super) fn api_of_position(text: &str, what: &str) -> String {
    format!("/api/v1/positions/{}/{what}", encoded(text))
}

/// The sign-in page, which leads back.
pub(super) fn sign_in(back: &str) -> String {
    match back {
        "/" => "/login".to_owned(),
        back => format!("/login?next={}", encoded(back)),
    }
}

/// The path, if it is one of this site; otherwise `/`.
pub(super) fn own(path: &str) -> &str {
    let is_written = path.bytes().all(|byte| byte.is_ascii_graphic());
    let leads_away = path.starts_with("//") || path.contains('\\');
    if path.starts_with('/') && is_written && !leads_away {
        path
    } else {
        "/"
    }
}

/// The path with the query of a request, if there is one. Browsers encode queries; other programs may not.
pub(super) fn with_query(path: &str, query: Option<&str>) -> String {
    match query {
        None => path.to_owned(),
        Some(query) => format!("{path}?{}", utf8_percent_encode(query, IN_QUERY)),
    }
}

#[cfg(test)]
mod tests;
