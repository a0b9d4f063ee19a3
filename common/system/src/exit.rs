//! The exit code of a program.

use std::fmt::Display;
use std::process::ExitCode;

/// The exit code of a program. Prints an error in its alternate form, which for `anyhow` is one line with
/// all causes and without a backtrace.
pub fn code<E: Display>(result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
