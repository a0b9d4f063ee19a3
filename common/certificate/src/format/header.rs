//! What stands above the empty line.

use std::fmt;

use super::fact::position;
use super::{FIRST_LINE, SyntaxError};
use sproutnet_notation::{Outcome, Play};

/// The most lives of lands that a checker is asked to value by itself.
const MAX_SMALL: u32 = 99;

/// What a certificate is to prove, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The convention.
    pub play: Play,
    /// The position, in the notation of Sprouts, without blanks.
    pub position: String,
    /// Whether the player to move wins it.
    pub outcome: Outcome,
    /// Under misère play a land of at most that many lives is valued by whoever checks. 0 under normal play.
    pub small: u32,
    /// What wrote the certificate: printable ASCII, at most 200 bytes.
    pub tool: String,
}

/// All that stands above the empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What is to be proved.
    pub claim: Claim,
    /// How many facts follow.
    pub facts: u64,
    /// The SHA-256 of all bytes after the empty line. It tells a damaged file from a wrong one, no more.
    pub sha256: [u8; 32],
}

/// The names of the lines after the first.
const NAMES: [&str; 8] = [
    "game", "play", "position", "outcome", "small", "tool", "facts", "sha256",
];

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim {
            play,
            position,
            outcome,
            small,
            tool,
        } = &self.claim;
        writeln!(f, "{FIRST_LINE}\ngame: sprouts\nplay: {play}")?;
        writeln!(f, "position: {position}\noutcome: {outcome}")?;
        writeln!(f, "small: {small}\ntool: {tool}\nfacts: {}", self.facts)?;
        f.write_str("sha256: ")?;
        for byte in self.sha256 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("\n\n")
    }
}

impl Header {
    /// The lines of a header: the first one and one for each name, without the empty line.
    pub(super) const LINES: usize = 1 + NAMES.len();

    /// Reads a header. An error comes with the number of its line, from 0.
    pub(super) fn parse(lines: &[String; Self::LINES]) -> Result<Self, (usize, SyntaxError)> {
        if lines[0] != FIRST_LINE {
            let problem = format!("expected `{FIRST_LINE}`");
            return Err((0, SyntaxError::new(1, problem)));
        }
        let field = |name: &str| {
            let line = 1 + NAMES.iter().position(|&other| other == name).unwrap_or(0);
            let text = lines[line].strip_prefix(name);
            let text = text.and_then(|text| text.strip_prefix(": "));
            let problem = || (line, SyntaxError::new(1, format!("expected `{name}: …`")));
            Ok(Field {
                line,
                before: name.len() + 2,
                text: text.ok_or_else(problem)?,
            })
        };
        field("game")?.is("sprouts")?;
        let play = field("play")?.one_of(&[("normal", Play::Normal), ("misere", Play::Misere)])?;
        let at = field("position")?;
        let position = position(at.text, at.before).map_err(|error| (at.line, error))?;
        let outcome =
            field("outcome")?.one_of(&[("win", Outcome::Win), ("loss", Outcome::Loss)])?;
        let most = if play == Play::Misere { MAX_SMALL } else { 0 };
        let small = field("small")?.number(u64::from(most))? as u32;
        let tool = field("tool")?;
        let is_printable = tool.text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !is_printable || tool.text.len() > 200 {
            return Err(tool.error("expected printable ASCII, at most 200 bytes"));
        }
        let facts = field("facts")?.number(u64::from(u32::MAX))?;
        let sha256 = field("sha256")?.digest()?;
        let claim = Claim {
            play,
            position,
            outcome,
            small,
            tool: tool.text.to_owned(),
        };
        Ok(Self {
            claim,
            facts,
            sha256,
        })
    }
}

/// What is said on one line.
struct Field<'a> {
    line: usize,
    /// Bytes of the line before the text.
    before: usize,
    text: &'a str,
}

impl Field<'_> {
    fn error(&self, problem: impl Into<String>) -> (usize, SyntaxError) {
        (self.line, SyntaxError::new(self.before + 1, problem))
    }

    fn is(&self, word: &str) -> Result<(), (usize, SyntaxError)> {
        self.one_of(&[(word, ())])
    }

    fn one_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, (usize, SyntaxError)> {
        let found = known.iter().find(|(word, _)| *word == self.text);
        let words: Vec<&str> = known.iter().map(|&(word, _)| word).collect();
        let problem = || self.error(format!("expected {}", words.join(" or ")));
        found.map(|&(_, value)| value).ok_or_else(problem)
    }

    fn number(&self, most: u64) -> Result<u64, (usize, SyntaxError)> {
        let is_plain = self.text == "0" || !self.text.starts_with(['0', '+']);
        let number = self.text.parse().ok().filter(|_| is_plain);
        let number = number.filter(|&number| number <= most);
        number.ok_or_else(|| self.error(format!("expected a number from 0 to {most}")))
    }

    fn digest(&self) -> Result<[u8; 32], (usize, SyntaxError)> {
        let text = self.text.as_bytes();
        let is_small_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 64 || !text.iter().all(is_small_hex) {
            return Err(self.error("expected 64 small hexadecimal digits"));
        }
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => byte - b'0',
            _ => byte - b'a' + 10,
        };
        Ok(std::array::from_fn(|i| {
            digit(text[2 * i]) << 4 | digit(text[2 * i + 1])
        }))
    }
}
