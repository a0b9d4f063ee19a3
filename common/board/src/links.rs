//! Addresses of the board, and of the pages around it.

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use sproutnet_drawing::sheet::{Edit, Sheet};

/// All ASCII characters except letters, digits, and those of positions that have no meaning in addresses.
const IN_VALUE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'*')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_')
    .remove(b'!')
    .remove(b':')
    .remove(b'~');

/// The page of a position.
pub fn position(text: &str) -> String {
    format!("/positions/{}", encoded(text))
}

/// A match on the board: its start and its moves as drawn, a page or a file about it, and the query.
pub fn board(text: &str, what: &str, query: impl Display) -> String {
    format!("/board/{}{what}?{query}", encoded(text))
}

/// A match between two devices, with this query.
pub fn shared(name: &str, query: &str) -> String {
    let link = format!("/match/{}", encoded(name));
    match query.trim_start_matches('&') {
        "" => link,
        fragment if fragment.starts_with('#') => link + fragment,
        query => format!("{link}?{query}"),
    }
}

/// The address at which forms make short addresses.
pub const SHORT: &str = "/s";

/// The editor with a drawing, given by its edits; a file of the drawing, and the query.
pub fn editor(edits: &str, what: &str, query: &str) -> String {
    let mut link = "/editor".to_owned();
    for part in [edits, what] {
        if !part.is_empty() {
            link += "/";
            link.extend(encoded(part));
        }
    }
    if !query.is_empty() {
        link += "?";
        link += query.trim_start_matches('&');
    }
    link
}

/// The editor with the drawing of a sheet.
pub fn drawn(sheet: &Sheet) -> String {
    editor(&code(&sheet.edits()), "", "")
}

/// Edits as a part of an address.
pub fn code(edits: &[Edit]) -> String {
    edits.iter().map(Edit::code).collect()
}

/// A text as a part of a path, or as a value in a query.
pub fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, IN_VALUE)
}
