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
mod tests {
    use super::{AROUND, brief, with_caret};

    #[test]
    fn the_caret_stands_under_what_is_wrong() {
        assert_eq!(with_caret("0*x", Some(3)), "0*x\n  ^");
        assert_eq!(with_caret("0*x", None), "0*x");
        let long = "0.".repeat(60);
        let shown = with_caret(&long, Some(101));
        let (text, below) = shown.split_once('\n').expect("two lines");
        assert!(text.starts_with('…') && text.chars().count() < 70);
        assert_eq!(below.chars().count(), AROUND + 2);
    }

    #[test]
    fn a_message_is_at_most_a_line() {
        assert_eq!(brief("short\nand two"), "short\nand two");
        let long = brief(&format!("found `{}`: too long", "é".repeat(1 << 20)));
        assert_eq!(long.chars().count(), super::LONGEST);
        assert!(long.starts_with("found `éé") && long.ends_with("éé`: too long"));
        assert!(long.contains("é…é"));
    }
}
