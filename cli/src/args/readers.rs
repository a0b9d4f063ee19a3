//! Readers of the values of options.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sproutnet_model::Status;
use sproutnet_notation::Play;
use sproutnet_system::options::{OptionError, Time};

/// The maximum time of the searches for an answer.
const LONGEST_WITHIN: Duration = Duration::from_secs(10);

/// Reads the status of a computation.
pub(super) fn status() -> impl TypedValueParser<Value = Status> {
    let names = Status::ALL.map(Status::name);
    let of_name = |name: String| Status::ALL.into_iter().find(|of| of.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| {
        let status = of_name(name.clone());
        status.ok_or_else(|| OptionError::new("a status", &name))
    })
}

/// Reads one convention.
pub(super) fn one_play() -> impl TypedValueParser<Value = Play> {
    let values = [
        PossibleValue::new("normal").help("The player who moves last wins"),
        PossibleValue::new("misere").help("The player who moves last loses"),
    ];
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Play>())
}

/// Reads the time limit of the searches for an answer.
pub(super) fn within(text: &str) -> Result<Time, OptionError> {
    match text.parse()? {
        Time(time) if time > LONGEST_WITHIN => Err(OptionError::new("at most 10s", text)),
        time => Ok(time),
    }
}

/// Reads a time that is not zero.
pub(super) fn duration(text: &str) -> Result<Duration, OptionError> {
    match text.parse()? {
        Time(Duration::ZERO) => Err(OptionError::new("a time that is not zero", text)),
        Time(time) => Ok(time),
    }
}
