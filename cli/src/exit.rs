//! Exit codes and error messages.

use std::process::ExitCode;

use sproutnet_game::PositionError;
use tonic::{Code, Status};

use crate::remote::client::explain;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every question is answered.
    Fine = 0,
    /// An outcome is unknown.
    Unknown = 3,
    /// A certificate does not prove its claim.
    Refused = 4,
    /// The input is invalid.
    BadInput = 2,
    /// A fault.
    Fault = 1,
}

impl Exit {
    /// The more severe of two: unknown, refused, bad input, fault.
    pub(crate) fn or_worse(self, other: Self) -> Self {
        let severity = |exit| match exit {
            Self::Fine => 0,
            Self::Unknown => 1,
            Self::Refused => 2,
            Self::BadInput => 3,
            Self::Fault => 4,
        };
        std::cmp::max_by_key(self, other, |&exit| severity(exit))
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Invalid input.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A position text that cannot be read, shown with a caret under the place.
pub(crate) fn bad_position(text: &str, error: &PositionError) -> BadInput {
    let PositionError::Parse(parse) = error else {
        return BadInput(error.to_string());
    };
    let indent = " ".repeat(parse.column + 1);
    let text = text.replace(char::is_control, " ");
    BadInput(format!("{error}\n  {text}\n{indent}^"))
}

/// Prints an error with its causes; returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    let broken_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(broken_pipe) {
        // The reader closed the pipe on purpose.
        return Exit::Fine;
    }
    eprintln!("error: {}", describe(error));
    if error.is::<BadInput>() || error.downcast_ref().is_some_and(is_refused) {
        Exit::BadInput
    } else {
        Exit::Fault
    }
}

/// Whether a call failed because of its input.
pub(crate) fn is_refused(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::InvalidArgument | Code::NotFound | Code::FailedPrecondition
    )
}

/// An error with the chain of its causes.
fn describe(error: &anyhow::Error) -> String {
    let mut parts = Vec::new();
    for cause in error.chain() {
        if let Some(status) = cause.downcast_ref::<Status>() {
            // Its description includes its causes.
            parts.push(explain(status));
            break;
        }
        parts.push(cause.to_string());
    }
    parts.join(": ")
}
