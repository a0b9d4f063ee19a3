//! The exit code of a program.

use std::error::Error;
use std::process::ExitCode;

use crate::causes::{chain, with_causes};

/// The exit code after a wrong option. The parser of the command line has the same.
const WRONG_OPTION: u8 = 2;

/// An option, or a file that it names, cannot be used.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct WrongOption(Box<dyn Error + Send + Sync>);

impl WrongOption {
    /// The error of an option.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }
}

/// The exit code of a program: 2 if the error is or has as a cause a [`WrongOption`], else 1. Prints an error on one line
/// with its causes.
pub fn code<E: AsRef<dyn Error + Send + Sync>>(result: Result<(), E>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let error: &(dyn Error + 'static) = error.as_ref();
    eprintln!("error: {}", with_causes(error));
    if chain(error).any(<dyn Error>::is::<WrongOption>) {
        ExitCode::from(WRONG_OPTION)
    } else {
        ExitCode::FAILURE
    }
}
