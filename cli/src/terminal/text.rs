//! Lines of text and JSON, and values for people.

use std::io::{self, Write};

use console::{Alignment, measure_text_width, pad_str};
use serde::Serialize;
use sproutnet_model::Estimate;
use sproutnet_notation::Play;
use sproutnet_system::figures;

pub(crate) use sproutnet_system::figures::{ago, bytes, count, moment, time};

use crate::terminal::style::{Look, Tone};

/// A result that is printed for people or as JSON.
pub(crate) trait Show: Serialize {
    /// The whole result, as text for people.
    fn lines(&self) -> Vec<String>;
}

/// Prints a result.
pub(crate) fn print(json: bool, result: &impl Show) -> anyhow::Result<()> {
    if json {
        print_json(result)
    } else {
        Ok(print_lines(&result.lines())?)
    }
}

/// Prints lines.
pub(crate) fn print_lines(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Prints a line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(value)?)?;
    Ok(())
}

/// One line for each name and value; the names are dim.
pub(crate) fn named_values<'a>(values: impl IntoIterator<Item = (&'a str, String)>) -> Vec<String> {
    let look = Look::of_stdout();
    let values: Vec<_> = values.into_iter().collect();
    let names = values.iter().map(|(name, _)| measure_text_width(name));
    let width = names.max().unwrap_or(0);
    let line = |(name, value): (&str, String)| {
        let name = pad_str(name, width, Alignment::Left, None);
        format!("{}  {value}", look.paint(Tone::Dim, &name))
    };
    values.into_iter().map(line).collect()
}

/// An untrusted text without terminal control characters.
pub(crate) fn plain(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// An estimated time, as a range.
pub(crate) fn estimated(estimate: Estimate) -> String {
    figures::between(estimate.low, estimate.high)
}

/// A proof number.
pub(crate) fn proof_number(number: u32) -> String {
    match number {
        u32::MAX => "inf".to_owned(),
        number => count(number.into()),
    }
}

/// A number and what it counts, such as `1 job` or `2 jobs`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(number))
}

/// The value, or a dash if there is none.
pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// The names of conventions, or a dash if there are none.
pub(crate) fn plays(plays: &[Play]) -> String {
    let names: Vec<_> = plays.iter().map(|play| play.name()).collect();
    or_dash((!names.is_empty()).then(|| names.join(", ")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn proof_numbers() {
        assert_eq!([12, u32::MAX].map(super::proof_number), ["12", "inf"]);
    }
}
