//! Heaps as text.

use sproutnet_notation::ParseError;

use super::{HeapGame, LARGEST_HEAP, Parameters, Rule, land, read as read_land};
use crate::Position;
use crate::sums::{print_sum, read_sum};

/// Reads heaps.
pub(super) fn read<G: HeapGame>(text: &str) -> Result<Position, ParseError> {
    let mut rule = (G::PARAMETERS == Parameters::None).then(G::Rule::default);
    read_sum(text, |term| {
        let term = term.trim();
        let (size, own) = match G::PARAMETERS {
            Parameters::None => (term, None),
            Parameters::Before => match term.rsplit_once(':') {
                Some((rule, size)) => (size.trim(), Some(rule.trim())),
                None => (term, None),
            },
            Parameters::After => {
                rule = None;
                let end = term.find(|symbol: char| !symbol.is_ascii_digit());
                let (size, rule) = term.split_at(end.unwrap_or(term.len()));
                (size, (!rule.is_empty()).then_some(rule.trim()))
            }
        };
        if let Some(own) = own {
            rule = Some(G::Rule::from_text(own)?);
        }
        let number = size.parse().ok().filter(|&size| size <= LARGEST_HEAP);
        let size = number.ok_or_else(|| {
            format!("expected the size of a heap, up to {LARGEST_HEAP}, found `{size}`")
        })?;
        match &rule {
            Some(rule) => Ok(land(rule, size)),
            // The heap is empty, whatever its parameters.
            None if size == 0 => Ok(None),
            None => Err(format!(
                "a heap needs parameters: write `{}`",
                G::INFO.notation
            )),
        }
    })
}

/// Prints heaps in the order of their lands. Parameters before heaps are repeated where they change.
pub(super) fn print<G: HeapGame>(position: &Position) -> String {
    let mut current = None;
    print_sum(position, |land| {
        let heap = read_land::<G::Rule>(land.as_bytes());
        let (rule, size) = heap.expect("a land holds bytes that its game wrote or checked");
        match G::PARAMETERS {
            Parameters::None => size.to_string(),
            Parameters::After => format!("{size}{}", rule.to_text()),
            Parameters::Before if current.as_ref() == Some(&rule) => size.to_string(),
            Parameters::Before => {
                let text = format!("{}:{size}", rule.to_text());
                current = Some(rule);
                text
            }
        }
    })
}
