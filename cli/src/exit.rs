//! Exit codes and how errors are told.

use std::process::ExitCode;

use sproutnet_game::PositionError;
use tonic::{Code, Status};

use crate::client::told;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All that was asked for is answered.
    Fine = 0,
    /// Something is not known.
    Unknown = 3,
    /// A certificate does not prove what it says.
    Refused = 4,
    /// The input is not acceptable.
    BadInput = 2,
    /// Something broke.
    Fault = 1,
}

impl Exit {
    /// Of two, the one that says more: what is not known comes before a certificate that is
    /// refused, then what cannot be read, a fault last.
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

/// Input that is not acceptable.
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

/// Prints an error with the chain of its causes, and tells the exit code.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    let broken_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(broken_pipe) {
        // Whoever reads has seen enough.
        return Exit::Fine;
    }
    eprintln!("error: {}", describe(error));
    if error.is::<BadInput>() || error.downcast_ref().is_some_and(is_refused) {
        Exit::BadInput
    } else {
        Exit::Fault
    }
}

/// Whether a call failed because of what was asked.
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
            // It tells its causes itself.
            parts.push(told(status));
            break;
        }
        parts.push(cause.to_string());
    }
    parts.join(": ")
}
