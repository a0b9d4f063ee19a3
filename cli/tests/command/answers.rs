//! Printed answers, and published outcomes.

use serde_json::Value;
use sproutnet_solver::play::Play;

use sproutnet_testkit::reference;

/// Parses a line of JSON.
#[track_caller]
pub(crate) fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The values of one field, one for each line.
pub(crate) fn column(lines: &[Value], field: &str) -> Vec<Value> {
    lines.iter().map(|line| line[field].clone()).collect()
}

/// Position, convention and published outcome of the start positions up to `last`, in the order of `solve 0..=last
/// --play both`.
pub(crate) fn published(last: u32) -> Vec<(String, Play, String)> {
    let normal = include_str!("../../../common/solver/tests/reference/normal_outcomes.tsv");
    let misere = include_str!("../../../common/solver/tests/reference/misere_outcomes.tsv");
    let normal = reference::rows::<4>(normal).into_iter();
    let normal = normal.map(|[spots, outcome, ..]| (spots, Play::Normal, outcome));
    let misere = reference::rows::<2>(misere).into_iter();
    let misere = misere.map(|[spots, outcome]| (spots, Play::Misere, outcome));
    let mut all: Vec<_> = normal
        .chain(misere)
        .map(|(spots, play, outcome)| (reference::number(spots), play, outcome))
        .filter(|&(spots, ..)| spots <= last)
        .collect();
    all.sort_unstable();
    let position = |spots| match spots {
        0 => "!".to_owned(),
        _ => format!("0*{spots}"),
    };
    all.into_iter()
        .map(|(spots, play, outcome)| (position(spots), play, outcome.to_owned()))
        .collect()
}

/// Position, convention and outcome of each answer.
pub(crate) fn answered(lines: &[Value]) -> Vec<(String, Play, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let play = |value: &Value| text(value).parse().expect("a convention");
    lines
        .iter()
        .map(|line| {
            (
                text(&line["position"]),
                play(&line["play"]),
                text(&line["outcome"]),
            )
        })
        .collect()
}
