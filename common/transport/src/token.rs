//! The shared token: a secret that every client of a coordinator shows with each request, as
//! `authorization: Bearer TOKEN`.

use std::fmt;
use std::path::{Path, PathBuf};

use http::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use subtle::ConstantTimeEq;

use crate::file;

/// The least length of a token, in bytes.
pub const SHORTEST: usize = 16;

/// The greatest size of a file with a token, in bytes.
pub const LONGEST: usize = 4096;

/// How the token is announced in the header.
const SCHEME: &str = "Bearer ";

/// A secret of at least [`SHORTEST`] visible ASCII characters. It is never shown in debug output.
#[derive(Clone)]
pub struct Token {
    /// The value of the header that shows it.
    header: HeaderValue,
}

/// What keeps a text from being a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoToken {
    /// There is nothing but white space.
    #[error("it is empty")]
    Empty,
    /// There is so little that it can be guessed.
    #[error("a token has at least {SHORTEST} characters")]
    Short,
    /// There is more than fits a header.
    #[error("a token has at most {LONGEST} bytes")]
    Long,
    /// There is something that a header cannot carry.
    #[error("byte {0} is not a visible ASCII character")]
    Character(
        /// Where it is, counted from 0 after leading white space.
        usize,
    ),
}

/// A file that does not give a token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// The file cannot be read, or is too large.
    #[error("cannot read the token in {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
    /// The file contains no token.
    #[error("no token in {}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: NoToken,
    },
}

/// Why a request is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It shows no token.
    #[error("this coordinator asks for a token; give it with --token-file")]
    Absent,
    /// It shows another token, or several.
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

    fn from_bytes(bytes: &[u8]) -> Result<Self, NoToken> {
        let bytes = bytes.trim_ascii();
        if bytes.is_empty() {
            return Err(NoToken::Empty);
        }
        if let Some(at) = bytes.iter().position(|byte| !byte.is_ascii_graphic()) {
            return Err(NoToken::Character(at));
        }
        match bytes.len() {
            ..SHORTEST => Err(NoToken::Short),
            SHORTEST..=LONGEST => {
                let mut header = HeaderValue::from_bytes(&[SCHEME.as_bytes(), bytes].concat())
                    .expect("visible ASCII characters can be in a header");
                header.set_sensitive(true);
                Ok(Self { header })
            }
            _ => Err(NoToken::Long),
        }
    }

    /// The token in a file, which may have white space around it. Warns if every user of the machine
    /// can read the file.
    ///
    /// # Errors
    /// The file cannot be read, is larger than [`LONGEST`], or contains no token. The error names it.
    pub fn read(path: &Path) -> Result<Self, TokenFileError> {
        let bytes = file::read(path, LONGEST).map_err(|source| TokenFileError::Read {
            path: path.to_owned(),
            source,
        })?;
        let token = Self::from_bytes(&bytes).map_err(|problem| TokenFileError::Content {
            path: path.to_owned(),
            problem,
        })?;
        file::warn_if_open_to_all(path);
        Ok(token)
    }

    /// The value of the header that shows the token. It is marked as sensitive.
    pub fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Whether a request with these headers shows the token. The time that it takes tells nothing of
    /// the token but its length.
    ///
    /// # Errors
    /// It does not.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refused> {
        let mut shown = headers.get_all(AUTHORIZATION).iter();
        let Some(value) = shown.next() else {
            return Err(Refused::Absent);
        };
        let value = value.as_bytes();
        let Some((scheme, token)) = value.split_at_checked(SCHEME.len()) else {
            return Err(Refused::Absent);
        };
        if !scheme.eq_ignore_ascii_case(SCHEME.as_bytes()) {
            return Err(Refused::Absent);
        }
        let right = &self.header.as_bytes()[SCHEME.len()..];
        let equal = bool::from(token.ct_eq(right));
        match equal && shown.next().is_none() {
            true => Ok(()),
            false => Err(Refused::Wrong),
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}
