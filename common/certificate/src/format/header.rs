//! The header: the lines above the empty line.

use std::fmt;

use super::fact::position;
use super::{CertificateError, FIRST_LINE, Ruleset, SyntaxError};
use sproutnet_notation::{Outcome, Play};

/// The largest `small`: lands of this rank are valued by the checker itself.
const MAX_SMALL: u32 = 99;

/// The claim that a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The game.
    pub game: Ruleset,
    /// The convention.
    pub play: Play,
    /// The position, in the notation of the game, without blanks.
    pub position: String,
    /// Whether the player to move wins it.
    pub outcome: Outcome,
    /// Under misère play, the checker itself values lands of at most this rank. 0 under normal play.
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

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{FIRST_LINE}\ngame: {}\nplay: {}\nposition: {}\noutcome: {}\nsmall: {}\n\
             tool: {}\nfacts: {}\nsha256: {}\n\n",
            self.claim.game.name(),
            self.claim.play,
            self.claim.position,
            self.claim.outcome,
            self.claim.small,
            self.claim.tool,
            self.facts,
            self.sha256,
        )
    }
}

impl Header {
    /// The number of lines of a header, without the empty line.
    pub(super) const LINES: usize = 9;

    pub(super) fn parse(lines: &[String; Self::LINES]) -> Result<Self, CertificateError> {
        if lines[0] != FIRST_LINE {
            let problem = format!("expected `{FIRST_LINE}`");
            return Err(SyntaxError::new(1, problem).at(1));
        }
        let mut rest = (2..).zip(&lines[1..]);
        let mut next = |name| {
            let (line, text) = rest.next().expect("there are as many lines as fields");
            Field::named(name, line, text)
        };
        let games = Ruleset::ALL.map(|game| (game.name(), game));
        let game = next("game")?.one_of(games)?;
        let play = next("play")?.one_of([("normal", Play::Normal), ("misere", Play::Misere)])?;
        let field = next("position")?;
        let position = position(field.text);
        let position = position.map_err(|error| error.after(field.before).at(field.line))?;
        let outcomes = [("win", Outcome::Win), ("loss", Outcome::Loss)];
        let outcome = next("outcome")?.one_of(outcomes)?;
        let max = if play == Play::Misere { MAX_SMALL } else { 0 };
        let small = next("small")?.number(max)?;
        let tool = next("tool")?;
        let is_printable = tool.text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let tool = tool.checked(
            is_printable && tool.text.len() <= 200,
            "printable ASCII, at most 200 bytes",
        )?;
        let facts = next("facts")?.number(u32::MAX)?;
        let sha256 = next("sha256")?;
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let sha256 = sha256.checked(
            sha256.text.len() == 64 && sha256.text.bytes().all(is_digit),
            "64 lowercase hexadecimal digits",
        )?;
        Ok(Self {
            claim: Claim {
                game,
                play,
                position,
                outcome,
                small,
                tool,
            },
            facts: facts.into(),
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

impl<'a> Field<'a> {
    fn named(name: &str, line: u64, text: &'a str) -> Result<Self, CertificateError> {
        let text = text.strip_prefix(name);
        let text = text.and_then(|text| text.strip_prefix(": "));
        let problem = || SyntaxError::new(1, format!("expected `{name}: …`")).at(line);
        Ok(Self {
            line,
            before: name.len() + 2,
            text: text.ok_or_else(problem)?,
        })
    }

    fn error(&self, expected: &str) -> CertificateError {
        SyntaxError::new(self.before + 1, format!("expected {expected}")).at(self.line)
    }

    /// The text, if it is as expected.
    fn checked(&self, is_right: bool, expected: &str) -> Result<String, CertificateError> {
        let text = is_right.then(|| self.text.to_owned());
        text.ok_or_else(|| self.error(expected))
    }

    fn one_of<T: Copy, const N: usize>(
        &self,
        known: [(&str, T); N],
    ) -> Result<T, CertificateError> {
        let found = known.iter().find(|(word, _)| *word == self.text);
        let problem = || self.error(&known.map(|(word, _)| word).join(" or "));
        found.map(|&(_, value)| value).ok_or_else(problem)
    }

    fn number(&self, max: u32) -> Result<u32, CertificateError> {
        let is_plain = self.text == "0" || !self.text.starts_with(['0', '+']);
        let number = self.text.parse().ok().filter(|_| is_plain);
        let number = number.filter(|&number| number <= max);
        number.ok_or_else(|| self.error(&format!("a number from 0 to {max}")))
    }
}
