//! A token: a secret that a client of a coordinator shows with each request, as `authorization: Bearer TOKEN`.

use std::path::Path;
use std::sync::Arc;

use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use subtle::ConstantTimeEq;

/// The minimum length of a token, in bytes.
pub const SHORTEST: usize = 16;

/// The maximum length of a token, in bytes.
pub const LONGEST: usize = 4096;

/// The text before the token in the header.
const SCHEME: &str = "Bearer ";

/// A secret of at least [`SHORTEST`] visible ASCII characters.
#[derive(Clone, Debug)]
pub struct Token {
    /// The header's value. It is marked as sensitive, so debug output does not show it.
    header: HeaderValue,
    /// The file that it was read from.
    file: Option<TokenFile>,
}

/// The file of a token.
#[derive(Clone, Debug)]
pub(crate) struct TokenFile {
    pub(crate) path: Arc<Path>,
    /// Whether the file is refused if it has several tokens. Else the first one counts.
    pub(crate) is_single: bool,
}

/// The reason why a text cannot be a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoToken {
    /// The text has only white space.
    #[error("it is empty")]
    Empty,
    /// The text is short enough to be guessed.
    #[error("a token has at least {SHORTEST} characters")]
    Short,
    /// The text does not fit in a header.
    #[error("a token has at most {LONGEST} bytes")]
    Long,
    /// A header cannot carry the byte at this index, which counts from 0 after leading white space.
    #[error("byte {0} is not a visible ASCII character")]
    Character(usize),
}

/// The reason why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The request has no token.
    #[error("this coordinator asks for a token; give it with --token-file")]
    Absent,
    /// The request has another token, or several.
    #[error("wrong token")]
    Wrong,
}

impl Token {
    /// A token of this text, without the white space around it.
    ///
    /// # Errors
    /// The text is empty, too short, too long, or has characters that are not visible ASCII.
    pub fn new(text: &str) -> Result<Self, NoToken> {
        Self::from_bytes(text.as_bytes())
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, NoToken> {
        let bytes = bytes.trim_ascii();
        if let Some(at) = bytes.iter().position(|byte| !byte.is_ascii_graphic()) {
            return Err(NoToken::Character(at));
        }
        match bytes.len() {
            0 => Err(NoToken::Empty),
            1..SHORTEST => Err(NoToken::Short),
            SHORTEST..=LONGEST => {
                let mut header = HeaderValue::from_bytes(&[SCHEME.as_bytes(), bytes].concat())
                    .expect("a header can carry visible ASCII characters");
                header.set_sensitive(true);
                Ok(Self { header, file: None })
            }
            _ => Err(NoToken::Long),
        }
    }

    /// The same token, with the file that it was read from.
    pub(crate) fn of_file(mut self, file: TokenFile) -> Self {
        self.file = Some(file);
        self
    }

    /// The file that it was read from.
    pub(crate) fn file(&self) -> Option<&TokenFile> {
        self.file.as_ref()
    }

    /// The value of the header that shows the token. It is marked as sensitive.
    pub fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Whether a text is this token. The duration of the comparison reveals only the length.
    pub fn is(&self, text: impl AsRef<[u8]>) -> bool {
        self.header.as_bytes()[SCHEME.len()..]
            .ct_eq(text.as_ref())
            .into()
    }
}

/// The token that a request with these headers shows.
///
/// # Errors
/// It shows none, or several.
pub(crate) fn shown(headers: &HeaderMap) -> Result<&[u8], Refused> {
    let mut shown = headers.get_all(AUTHORIZATION).iter();
    let first = shown.next().map_or(&[][..], HeaderValue::as_bytes);
    match first.split_at_checked(SCHEME.len()) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case(SCHEME.as_bytes()) => {
            let is_alone = shown.next().is_none();
            is_alone.then_some(token).ok_or(Refused::Wrong)
        }
        _ => Err(Refused::Absent),
    }
}
