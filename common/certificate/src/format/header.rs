//! The header: the lines above the empty line.

use std::fmt;

use super::fact::position;
use super::{CertificateError, FIRST_LINE, SyntaxError};
use sproutnet_notation::{Outcome, Play};

/// The largest `small`: lands of so many lives are valued by the checker itself.
const MAX_SMALL: u32 = 99;

/// The claim that a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The convention.
    pub play: Play,
    /// The position, in the notation of Sprouts, without blanks.
    pub position: String,
    /// Whether the player to move wins it.
    pub outcome: Outcome,
    /// Under misère play, the checker itself values lands of at most this many lives. 0 under normal play.
    pub small: u32,
    /// The program that wrote the certificate: printable ASCII, at most 200 bytes.
    pub tool: String,
}

/// All lines above the empty line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The claim to prove.
    pub claim: Claim,
    /// The number of facts that follow.
    pub facts: u64,
    /// The SHA-256 of all bytes after the empty line, as 64 lowercase hexadecimal digits. It only distinguishes
    /// a damaged file from a wrong one.
    pub sha256: String,
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
        write!(f, "sha256: {}\n\n", self.sha256)
    }
}

impl Header {
    /// The number of lines of a header, without the empty line.
    pub(super) const LINES: usize = 1 + NAMES.len();

    pub(super) fn parse(lines: &[String; Self::LINES]) -> Result<Self, CertificateError> {
        if lines[0] != FIRST_LINE {
            let problem = format!("expected `{FIRST_LINE}`");
            return Err(SyntaxError::new(1, problem).at(1));
        }
        let field = |name: &str| {
            let place = 1 + NAMES.iter().position(|&other| other == name).unwrap_or(0);
            let line = place as u64 + 1;
            let text = lines[place].strip_prefix(name);
            let text = text.and_then(|text| text.strip_prefix(": "));
            let problem = || SyntaxError::new(1, format!("expected `{name}: …`")).at(line);
            Ok(Field {
                line,
                before: name.len() + 2,
                text: text.ok_or_else(problem)?,
            })
        };
        field("game")?.one_of(&[("sprouts", ())])?;
        let play = field("play")?.one_of(&[("normal", Play::Normal), ("misere", Play::Misere)])?;
        let at = field("position")?;
        let position = position(at.text).map_err(|error| error.after(at.before).at(at.line))?;
        let outcome =
            field("outcome")?.one_of(&[("win", Outcome::Win), ("loss", Outcome::Loss)])?;
        let max = if play == Play::Misere { MAX_SMALL } else { 0 };
        let small = field("small")?.number(u64::from(max))? as u32;
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

/// The text of one line.
struct Field<'a> {
    line: u64,
    /// The number of bytes before the text.
    before: usize,
    text: &'a str,
}

impl Field<'_> {
    fn error(&self, problem: impl Into<String>) -> CertificateError {
        SyntaxError::new(self.before + 1, problem).at(self.line)
    }

    fn one_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, CertificateError> {
        let found = known.iter().find(|(word, _)| *word == self.text);
        let words: Vec<&str> = known.iter().map(|&(word, _)| word).collect();
        let problem = || self.error(format!("expected {}", words.join(" or ")));
        found.map(|&(_, value)| value).ok_or_else(problem)
    }

    fn number(&self, max: u64) -> Result<u64, CertificateError> {
        let is_plain = self.text == "0" || !self.text.starts_with(['0', '+']);
        let number = self.text.parse().ok().filter(|_| is_plain);
        let number = number.filter(|&number| number <= max);
        number.ok_or_else(|| self.error(format!("expected a number from 0 to {max}")))
    }

    fn digest(&self) -> Result<String, CertificateError> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match self.text.len() == 64 && self.text.bytes().all(is_digit) {
            true => Ok(self.text.to_owned()),
            false => Err(self.error("expected 64 lowercase hexadecimal digits")),
        }
    }
}
