//! Families of positions, one for each number.

/// A text with places for a number N, such as `cram:3xN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    text: String,
    /// The parts of the text between the places.
    parts: Vec<String>,
}

impl Family {
    /// Reads a family. A place is an `N` that is not part of a word; the `x` of a rectangle may stand beside it.
    pub fn read(text: &str) -> Option<Self> {
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
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position for a number.
    pub fn member(&self, n: u32) -> String {
        self.parts.join(&n.to_string())
    }
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
