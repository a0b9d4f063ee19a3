//! The exit code of a program.

use std::error::Error;
use std::process::ExitCode;

use crate::causes::with_causes;

/// The exit code of a program. Prints an error on one line with its causes.
pub fn code<E: AsRef<dyn Error + Send + Sync>>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
