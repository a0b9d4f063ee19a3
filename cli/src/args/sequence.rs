//! The arguments of `sproutnet sequence`.

use std::path::PathBuf;

use clap::ValueEnum;
use sproutnet_solver::theory::sequence::MOST_OPTIONS;
use sproutnet_system::options::Time;

/// Which nimbers are shown, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct Sequence {
    /// The game with its parameters, such as `kayles`, `octal(0.137)`, `subtraction{1,3,4}` or `bash/3`; or a family of
    /// positions, such as `cram:3xN`, `node-kayles:cycle(N)` or `0*N`
    #[arg(value_name = "GAME|FAMILY")]
    pub(crate) rules: String,
    /// The heaps, or the numbers N [default: 0-100, for a family 0-20]
    pub(crate) range: Option<String>,
    /// What to write [default: text]
    #[arg(long, value_name = "FORMAT", alias = "as")]
    pub(crate) format: Option<SequenceFormat>,
    /// The file to write, or `-` for standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The maximum number of options of heaps to look at
    #[arg(long, value_name = "N", default_value_t = MOST_OPTIONS)]
    pub(crate) most_options: u64,
    /// The time for all positions of a family together
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    pub(crate) deadline: Time,
    /// Also write a certificate of the proved period to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

impl Sequence {
    /// The family that is asked for; `None` if it is the heaps of a game.
    pub(crate) fn family(&self) -> Option<Family> {
        Family::read(&self.rules)
    }
}

/// A text with places for a number N, such as `cram:3xN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    text: String,
    /// The parts of the text between the places.
    parts: Vec<String>,
}

impl Family {
    /// Reads a family. A place is an `N` that is not part of a word; the `x` of a rectangle may stand beside it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let ends_word = |symbol: Option<char>| {
            symbol.is_none_or(|symbol| symbol == 'x' || !symbol.is_ascii_alphanumeric())
        };
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, _) in text.match_indices('N') {
            let (before, after) = (&text[..at], &text[at + 1..]);
            if ends_word(before.chars().next_back()) && ends_word(after.chars().next()) {
                parts.push(text[from..at].to_owned());
                from = at + 1;
            }
        }
        parts.push(text[from..].to_owned());
        let text = text.to_owned();
        (parts.len() > 1).then_some(Self { text, parts })
    }

    /// The family as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The position for a number.
    pub(crate) fn member(&self, n: u32) -> String {
        self.parts.join(&n.to_string())
    }
}

/// The format of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SequenceFormat {
    /// Lines as long as the period, and the proof
    Text,
    /// A line for each heap, with its nimber (RFC 4180)
    Csv,
    /// A tabular environment
    Latex,
    /// A pipe table
    Markdown,
    /// An object, as --json
    Json,
    /// Lines `n a(n)`, as in a b-file of the OEIS
    Bfile,
    /// A plot
    Svg,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_a_number_that_stands_alone() {
        for (text, member) in [
            ("cram:3xN", "cram:3x7"),
            ("cram:NxN", "cram:7x7"),
            ("0*N", "0*7"),
            (
                "node-kayles:cycle(N)*path(2)",
                "node-kayles:cycle(7)*path(2)",
            ),
            ("octal(0.77):N+N", "octal(0.77):7+7"),
        ] {
            let family = Family::read(text).expect(text);
            assert_eq!((family.text(), &*family.member(7)), (text, member));
        }
        for text in ["kayles", "octal(0.77)", "0*5", "NIM", "graph:DN{N2", ""] {
            assert_eq!(Family::read(text), None, "{text}");
        }
    }
}
