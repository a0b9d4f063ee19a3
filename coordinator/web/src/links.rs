//! Addresses of pages and of the API.

use sproutnet_drawing::sheet::{Edit, Sheet};
use sproutnet_solver::play::Play;

/// The page of a position.
pub(super) fn position(text: &str) -> String {
    format!("/positions/{}", encoded(text))
}

/// The page of a position under a convention, with a page of its moves.
pub(super) fn moves(text: &str, play: Play, page: usize) -> String {
    let part = match page {
        ..=1 => String::new(),
        page => format!("&page={page}"),
    };
    format!("{}?play={play}{part}", position(text))
}

/// The drawing of a position: small, or with the lives at its spots.
pub(super) fn drawing(text: &str, is_small: bool) -> String {
    let small = if is_small { "?thumbnail=1" } else { "" };
    format!("{}/drawing.svg{small}", position(text))
}

/// A match from a position, in which the reader moves first.
pub(super) fn play(text: &str, play: Play) -> String {
    a_match(text, play, "first", "", "")
}

/// A match: the position now, the convention, who the reader is, the positions before, and more.
pub(super) fn a_match(text: &str, play: Play, you: &str, so: &str, more: &str) -> String {
    let so = match so {
        "" => String::new(),
        so => format!("&so={}", encoded(so)),
    };
    format!("/play/{}?play={play}&you={you}{so}{more}", encoded(text))
}

/// A match on the board: its number of spots and its moves as they were drawn, something about it, and the query.
pub(super) fn board(text: &str, what: &str, query: &str) -> String {
    let what = match what {
        "" => String::new(),
        what => format!("/{what}"),
    };
    format!("/board/{}{what}?{query}", encoded(text))
}

/// A match between two devices, and the query.
pub(super) fn shared(name: &str, query: &str) -> String {
    let link = format!("/match/{}", encoded(name));
    match query.trim_start_matches('&') {
        "" => link,
        fragment if fragment.starts_with('#') => link + fragment,
        query => format!("{link}?{query}"),
    }
}

/// The editor with a drawing, given by its edits, something about it, and the query.
pub(super) fn editor(edits: &str, what: &str, query: &str) -> String {
    let mut link = "/editor".to_owned();
    for part in [edits, what] {
        if !part.is_empty() {
            link += "/";
            link += &encoded(part);
        }
    }
    if !query.is_empty() {
        link += "?";
        link += query.trim_start_matches('&');
    }
    link
}

/// The editor with a drawing as it is.
pub(super) fn drawn(sheet: &Sheet) -> String {
    let edits: String = sheet.edits().iter().map(Edit::code).collect();
    editor(&edits, "", "")
}

/// The editor with a drawing of a position.
pub(super) fn editor_of(text: &str) -> String {
    editor("", "", &format!("text={}", encoded(text)))
}

/// The page of references, at one of them.
pub(super) fn reference(key: &str) -> String {
    format!("/references#{key}")
}

/// Where forms start computations.
pub(super) const COMPUTATIONS: &str = "/computations";

/// The page of a computation.
pub(super) fn computation(id: u64) -> String {
    format!("/computations/{id}")
}

/// Where programs start computations.
pub(super) const API_COMPUTATIONS: &str = "/api/v1/computations";

/// The JSON of a computation.
pub(super) fn api_of_computation(id: u64) -> String {
    format!("{API_COMPUTATIONS}/{id}")
}

/// The JSON of a position: its `moves`, a `line`.
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
    match path.starts_with('/') && is_written && !leads_away {
        true => path,
        false => "/",
    }
}

/// The path, followed by the query of a request, if there is one. Browsers encode queries; other programs may not.
pub(super) fn with_query(path: &str, query: Option<&str>) -> String {
    match query {
        None => path.to_owned(),
        Some(query) => format!("{path}?{}", escaped(query, |byte| byte.is_ascii_graphic())),
    }
}

/// A text as a part of a path, or as a value in a query.
fn encoded(text: &str) -> String {
    // Letters, digits, and what positions contain, unless it has a meaning in addresses.
    escaped(text, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'*' | b'.' | b'-' | b'_' | b'!' | b':' | b'~')
    })
}

/// The text with all but some bytes percent-encoded.
fn escaped(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match is_plain(byte) {
            true => escaped.push(char::from(byte)),
            false => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
