//! Errors with the chain of their causes.

use std::error::Error;
use std::iter::successors;

/// An error and its causes, the outermost first.
pub fn chain<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// The text of an error with its causes.
pub fn with_causes(error: &dyn Error) -> String {
    append_causes(error.to_string(), error)
}

/// Appends the causes of an error to a text that describes it. An error often repeats the text of its cause; repeats
/// are left out.
pub fn append_causes(text: String, error: &dyn Error) -> String {
    let causes = error.source().into_iter().flat_map(chain);
    causes.fold(text, |text, cause| {
        let cause = cause.to_string();
        if text.contains(&cause) {
            text
        } else {
            format!("{text}: {cause}")
        }
    })
}

#[cfg(test)]
mod tests;
