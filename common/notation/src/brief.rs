//! Input in messages: at most one line, whatever its length.

/// The maximum length of a line of a message, in characters.
const LONGEST: usize = 240;

/// The maximum number of characters on either side of a faulty column.
const AROUND: usize = 30;

/// A message whose long lines are shortened in the middle.
pub fn brief(message: &str) -> String {
    let lines: Vec<String> = message.lines().map(line).collect();
    lines.join("\n")
}

fn line(line: &str) -> String {
    let length = line.chars().count();
    if length <= LONGEST {
        return line.to_owned();
    }
    let half = LONGEST / 2;
    let first = line.chars().take(half);
    let last = line.chars().skip(length - half + 1);
    first.chain(['…']).chain(last).collect()
}

/// A text, and below it a caret under a column, in characters from 1. A long text is cut to the part around the column.
pub fn with_caret(text: &str, column: Option<usize>) -> String {
    let at = column.unwrap_or(1).saturating_sub(1);
    let from = at.saturating_sub(AROUND);
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut rest = text.chars().skip(from).map(plain);
    let shown: String = rest.by_ref().take(2 * AROUND).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if rest.next().is_some() { "…" } else { "" };
    let caret = column.map(|_| {
        let indent = at - from + before.chars().count();
        format!("\n{:indent$}^", "")
    });
    format!("{before}{shown}{after}{}", caret.unwrap_or_default())
}

#[cfg(test)]
mod tests;
