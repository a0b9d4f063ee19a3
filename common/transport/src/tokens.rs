//! The tokens that a coordinator accepts, each with a name and a role.
//!
//! A file has one on each line, as `name role token`. Empty lines and lines that begin with `#` are skipped. A file with
//! nothing but a token holds an admin's, called `token`.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use http::header::HeaderMap;

use crate::caller::{Caller, NoRole, Role, UNNAMED};
use crate::secrets::{self, SecretsError};
use crate::token::{NoToken, Refused, Token, TokenFile, shown};

/// The maximum size of a file, in bytes.
const LONGEST_FILE: usize = 1 << 20;

/// The maximum length of a name, in bytes.
const LONGEST_NAME: usize = 64;

/// The tokens that a coordinator accepts. Clones share them, so that [`replace`](Self::replace) applies to all.
#[derive(Clone, Debug)]
pub struct Tokens(Arc<RwLock<Arc<[Holder]>>>);

/// A token and who shows it.
#[derive(Clone, Debug)]
struct Holder {
    caller: Caller,
    token: Token,
}

/// The reason why a text does not list tokens.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTokens {
    /// The only token cannot be one.
    #[error("there is no token in it: {0}")]
    Alone(#[from] NoToken),
    /// A line has another form.
    #[error("line {0}: expected `name role token`; a role is read, solve, work or admin")]
    Line(usize),
    /// A line has a text that cannot be a token.
    #[error("line {0}: {1}")]
    Token(usize, NoToken),
    /// A line has a name that cannot be one.
    #[error("line {0}: a name has at most {LONGEST_NAME} characters, all of them visible ASCII")]
    Name(usize),
    /// A line repeats the name or the token of a line before.
    #[error("line {0}: another line has the same {1}")]
    Repeated(usize, &'static str),
}

impl Tokens {
    /// The tokens in a text of the form of a file.
    ///
    /// # Errors
    /// A line has another form, or two lines have the same name or token.
    pub fn parse(text: &[u8]) -> Result<Self, NoTokens> {
        Ok(Self(Arc::new(RwLock::new(holders(text)?.into()))))
    }

    /// The tokens in a file. Warns if every user of the machine can read it.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or has another form.
    pub fn read(path: &Path) -> Result<Self, SecretsError> {
        let tokens = holders_in(path)?;
        secrets::warn_if_world_readable(path);
        Ok(Self(Arc::new(RwLock::new(tokens.into()))))
    }

    /// Accepts the tokens of `others` in place of these.
    pub fn replace(&self, others: &Self) {
        let others = others.holders();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = others;
    }

    /// The names and roles.
    pub fn callers(&self) -> Vec<Caller> {
        let holders = self.holders();
        holders.iter().map(|holder| holder.caller.clone()).collect()
    }

    /// Who has this token. The duration of the comparison reveals only the length of the text and of the tokens.
    pub fn holder(&self, token: impl AsRef<[u8]>) -> Option<Caller> {
        let token = token.as_ref();
        let mut found = None;
        for holder in &*self.holders() {
            if holder.token.is(token) {
                found = Some(holder.caller.clone());
            }
        }
        found
    }

    /// Who makes a request with these headers.
    ///
    /// # Errors
    /// It shows no token, another one, or several.
    pub fn check(&self, headers: &HeaderMap) -> Result<Caller, Refused> {
        self.holder(shown(headers)?).ok_or(Refused::Wrong)
    }

    fn holders(&self) -> Arc<[Holder]> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The only token of an admin.
impl From<Token> for Tokens {
    fn from(token: Token) -> Self {
        Self(Arc::new(RwLock::new(Arc::new([Holder::alone(token)]))))
    }
}

impl Holder {
    fn alone(token: Token) -> Self {
        let caller = Caller {
            name: UNNAMED.into(),
            role: Role::Admin,
        };
        Self { caller, token }
    }

    /// Reads a line; `number` counts from 1.
    fn parse(line: &[u8], number: usize) -> Result<Self, NoTokens> {
        let other = || NoTokens::Line(number);
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let mut word = || words.next().ok_or_else(other);
        let (name, role, token) = (word()?, word()?, word()?);
        if words.next().is_some() {
            return Err(other());
        }
        let text = |word| std::str::from_utf8(word).map_err(|_| other());
        let role = text(role)?.parse().map_err(|_: NoRole| other())?;
        let is_visible = name.iter().all(u8::is_ascii_graphic);
        if !is_visible || name.len() > LONGEST_NAME {
            return Err(NoTokens::Name(number));
        }
        let name = text(name)?.into();
        let token = Token::from_bytes(token).map_err(|error| NoTokens::Token(number, error))?;
        Ok(Self {
            caller: Caller { name, role },
            token,
        })
    }
}

impl Token {
    /// The token that a client shows: the one in a file, which may have white space around it, or that of the first line
    /// of several. Warns if every user of the machine can read the file.
    ///
    /// # Errors
    /// The file cannot be read, is too large, or contains no token.
    pub fn read(path: &Path) -> Result<Self, SecretsError> {
        Self::read_from(path, false)
    }

    /// The only token in a file. Warns if every user of the machine can read the file.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and there are several tokens in the file.
    pub fn read_single(path: &Path) -> Result<Self, SecretsError> {
        Self::read_from(path, true)
    }

    fn read_from(path: &Path, is_single: bool) -> Result<Self, SecretsError> {
        let path = path.into();
        let token = Self::read_quietly(&TokenFile { path, is_single })?;
        if let Some(file) = token.file() {
            secrets::warn_if_world_readable(&file.path);
        }
        Ok(token)
    }

    fn read_quietly(file: &TokenFile) -> Result<Self, SecretsError> {
        let mut holders = holders_in(&file.path)?;
        if file.is_single && holders.len() > 1 {
            let problem = format!(
                "it holds {} tokens with names, as for a coordinator; expected a single token, that of this program",
                holders.len()
            );
            return Err(SecretsError::content(&file.path, problem));
        }
        Ok(holders.swap_remove(0).token.of_file(file.clone()))
    }

    /// The token that its file has now; `None` if it came from no file, or if that cannot be used.
    pub(crate) fn read_again(&self) -> Option<Self> {
        Self::read_quietly(self.file()?).ok()
    }
}

/// The tokens in a file: at least one.
fn holders_in(path: &Path) -> Result<Vec<Holder>, SecretsError> {
    let text = secrets::read(path, LONGEST_FILE)?;
    holders(&text).map_err(|problem| SecretsError::content(path, problem.to_string()))
}

/// The tokens in a text: at least one.
fn holders(text: &[u8]) -> Result<Vec<Holder>, NoTokens> {
    let is_entry = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let lines = text.split(|&byte| byte == b'\n').zip(1..);
    let lines: Vec<(&[u8], usize)> = lines.filter(|(line, _)| is_entry(line)).collect();
    let alone = match lines[..] {
        // A token alone may begin with `#`.
        [] => Some(text.trim_ascii()),
        [(line, _)] => Some(line.trim_ascii()),
        _ => None,
    };
    if let Some(token) = alone.filter(|token| !token.iter().any(u8::is_ascii_whitespace)) {
        return Ok(vec![Holder::alone(Token::from_bytes(token)?)]);
    }
    let mut holders: Vec<Holder> = Vec::new();
    for (line, number) in lines {
        let new = Holder::parse(line, number)?;
        for known in &holders {
            if known.caller.name == new.caller.name {
                return Err(NoTokens::Repeated(number, "name"));
            }
            if known.token.header() == new.token.header() {
                return Err(NoTokens::Repeated(number, "token"));
            }
        }
        holders.push(new);
    }
    if holders.is_empty() {
        return Err(NoToken::Empty.into());
    }
    Ok(holders)
}
