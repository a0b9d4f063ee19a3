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
mod tests;
