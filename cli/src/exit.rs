//! Exit codes and error messages.

use std::process::ExitCode;

use sproutnet_certificate::VerifyError;
use sproutnet_certificate::theory::TheoryError;
use sproutnet_game::PositionError;
use sproutnet_notation::brief::{brief, with_caret};
use tonic::{Code, Status};

use crate::remote::client::explain;
use crate::terminal::text;

/// The end of a command, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every question has an answer.
    Fine,
    /// An outcome is unknown.
    Unknown,
    /// A certificate does not prove its claim.
    Refused,
    /// The input is invalid.
    BadInput,
    /// A fault of the program, the machine or the network.
    Fault,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Fault => 1,
            Exit::BadInput => 2,
            Exit::Unknown => 3,
            Exit::Refused => 4,
        })
    }
}

/// Invalid input.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BadInput(pub(crate) String);

/// The error for an unreadable position, with a caret under the fault.
pub(crate) fn bad_position(text: &str, error: &PositionError) -> BadInput {
    let PositionError::Parse(parse) = error else {
        return BadInput(error.to_string());
    };
    let shown = with_caret(text, Some(parse.column)).replace('\n', "\n  ");
    BadInput(format!("{error}\n  {shown}"))
}

/// Prints an error with its causes; returns the exit code.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    let broken_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(broken_pipe) {
        // The reader closed the pipe on purpose.
        return Exit::Fine;
    }
    eprintln!("error: {}", brief(&describe(error)));
    if error.is::<BadInput>() || error.downcast_ref().is_some_and(is_refused) {
        Exit::BadInput
    } else {
        Exit::Fault
    }
}

/// Prints the reason why a certificate is not accepted; returns the exit code.
pub(crate) fn report_certificate(file: &str, error: anyhow::Error) -> Exit {
    let is_invalid = |status: &Status| status.code() == Code::InvalidArgument;
    let is_refused = error.downcast_ref().is_some_and(VerifyError::is_refusal)
        || error.downcast_ref().is_some_and(TheoryError::is_refusal)
        || error.downcast_ref().is_some_and(is_invalid);
    let exit = report(&error.context(text::plain(file)));
    if is_refused { Exit::Refused } else { exit }
}

/// Whether the coordinator refused the input of a call.
pub(crate) fn is_refused(status: &Status) -> bool {
    matches!(
        status.code(),
        Code::InvalidArgument | Code::NotFound | Code::FailedPrecondition
    )
}

/// An error with the chain of its causes.
fn describe(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain() {
        if let Some(status) = cause.downcast_ref::<Status>() {
            // The explanation of a status includes its causes.
            parts.push(explain(status));
            break;
        }
        let cause = cause.to_string();
        // An error often repeats the text of its cause.
        if !parts.last().is_some_and(|last| last.contains(&cause)) {
            parts.push(cause);
        }
    }
    parts.join(": ")
}
