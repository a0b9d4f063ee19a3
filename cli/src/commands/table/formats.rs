//! Tables for spreadsheets, papers and web pages: a heading and rows of the same length, as lines.

use std::iter;

/// Comma-separated values (RFC 4180).
pub(super) fn csv(heading: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let line = |cells: Vec<String>| cells.join(",");
    all(heading, rows, csv_cell).map(line).collect()
}

/// A pipe table (GitHub Flavored Markdown, section 4.10).
pub(super) fn markdown(heading: &[&str], rows: &[Vec<String>]) -> Vec<String> {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines: Vec<String> = all(heading, rows, markdown_cell).map(line).collect();
    lines.insert(1, format!("|{}", "---|".repeat(heading.len())));
    lines
}

/// A tabular environment that needs no package.
pub(super) fn latex(heading: &[&str], rows: &[Vec<String>]) -> Vec<String> {
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
    rows: &[Vec<String>],
    escape: fn(&str) -> String,
) -> impl Iterator<Item = Vec<String>> {
    let heading = heading.iter().map(|cell| escape(cell)).collect();
    let rows = rows
        .iter()
        .map(move |row| row.iter().map(|cell| escape(cell)).collect());
    iter::once(heading).chain(rows)
}

fn csv_cell(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn markdown_cell(cell: &str) -> String {
    escaped(cell, |letter| {
        // Two asterisks in a line are emphasis.
        matches!(
            letter,
            '|' | '*' | '_' | '\\' | '`' | '[' | ']' | '<' | '>' | '&'
        )
        .then(|| format!("\\{letter}"))
    })
}

fn latex_cell(cell: &str) -> String {
    escaped(cell, |letter| {
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
    })
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
