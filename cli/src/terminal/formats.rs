//! Tables as CSV, Markdown and LaTeX: a heading and rows of equal length, as lines.

use std::iter;

/// A cell, with the BibTeX keys of its citations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    text: String,
    keys: Vec<&'static str>,
}

impl Cell {
    /// A cell that cites publications.
    pub(crate) fn citing(text: impl Into<String>, keys: Vec<&'static str>) -> Self {
        Self {
            text: text.into(),
            keys,
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::citing(text, Vec::new())
    }
}

/// Comma-separated values (RFC 4180).
pub(crate) fn csv(heading: &[&str], rows: &[Vec<Cell>]) -> Vec<String> {
    let line = |cells: Vec<String>| cells.join(",");
    all(heading, rows, csv_cell).map(line).collect()
}

/// A pipe table (GitHub Flavored Markdown, section 4.10).
pub(crate) fn markdown(heading: &[&str], rows: &[Vec<Cell>]) -> Vec<String> {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines: Vec<String> = all(heading, rows, markdown_cell).map(line).collect();
    lines.insert(1, format!("|{}", "---|".repeat(heading.len())));
    lines
}

/// A LaTeX tabular environment that needs no package.
pub(crate) fn latex(heading: &[&str], rows: &[Vec<Cell>]) -> Vec<String> {
    let line = |cells: Vec<String>| format!("{} \\\\", cells.join(" & "));
    let mut lines = all(heading, rows, latex_cell).map(line);
    let columns = "l".repeat(heading.len());
    let begin = [
        format!("\\begin{{tabular}}{{{columns}}}"),
        "\\hline".to_owned(),
    ];
    let end = ["\\hline", "\\end{tabular}"].map(str::to_owned);
    begin
        .into_iter()
        .chain(lines.next())
        .chain(iter::once("\\hline".to_owned()))
        .chain(lines)
        .chain(end)
        .collect()
}

/// The heading and the rows, each cell escaped.
fn all(
    heading: &[&str],
    rows: &[Vec<Cell>],
    escape: fn(&Cell) -> String,
) -> impl Iterator<Item = Vec<String>> {
    let heading = heading.iter().map(|&name| escape(&name.into())).collect();
    let rows = rows.iter().map(move |row| row.iter().map(escape).collect());
    iter::once(heading).chain(rows)
}

fn csv_cell(cell: &Cell) -> String {
    let text = &cell.text;
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.clone()
    }
}

fn markdown_cell(cell: &Cell) -> String {
    in_markdown(&cell.text)
}

/// Escapes a text for Markdown.
pub(crate) fn in_markdown(text: &str) -> String {
    escaped(text, |letter| {
        // For example, two asterisks in a line would be emphasis.
        matches!(
            letter,
            '|' | '*' | '_' | '\\' | '`' | '[' | ']' | '<' | '>' | '&'
        )
        .then(|| format!("\\{letter}"))
    })
}

fn latex_cell(cell: &Cell) -> String {
    let text = escaped(&cell.text, |letter| {
        let text = match letter {
            '\\' => "\\textbackslash{}",
            '~' => "\\textasciitilde{}",
            '^' => "\\textasciicircum{}",
            '|' => "\\textbar{}",
            '<' => "\\textless{}",
            '>' => "\\textgreater{}",
            '{' | '}' | '%' | '&' | '#' | '_' | '$' => return Some(format!("\\{letter}")),
            _ => return None,
        };
        Some(text.to_owned())
    });
    match &cell.keys[..] {
        [] => text,
        keys => format!("{text}~\\cite{{{}}}", keys.join(",")),
    }
}

/// A text with some letters replaced.
fn escaped(text: &str, escape: impl Fn(char) -> Option<String>) -> String {
    let letters = text.chars();
    letters
        .map(|letter| escape(letter).unwrap_or_else(|| letter.to_string()))
        .collect()
}

#[cfg(test)]
mod tests;
