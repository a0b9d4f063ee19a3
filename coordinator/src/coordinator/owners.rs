//! Owners and labels of computations: short texts, and who may give them.

use sproutnet_transport::caller::{Caller, Role};

use crate::CoordinatorError;

/// The maximum length of an owner, in characters; that of the name of a token.
const LONGEST_OWNER: usize = 64;

/// The maximum length of a label, in characters.
const LONGEST_LABEL: usize = 80;

/// The owner of a computation that a caller starts for `wanted`; if that is empty, the name of the caller's token.
///
/// # Errors
/// It is too long or has control characters, or it is not the name of the caller's token and the role is not admin.
pub(super) fn owner(wanted: &str, caller: Option<&Caller>) -> Result<String, CoordinatorError> {
    let wanted = short("owner", wanted, LONGEST_OWNER)?;
    let Some((caller, name)) = caller.and_then(|caller| Some((caller, caller.token_name()?)))
    else {
        return Ok(wanted);
    };
    if wanted.is_empty() {
        return Ok(name.to_owned());
    }
    if wanted != name && caller.role != Role::Admin {
        return Err(CoordinatorError::Denied(format!(
            "the owner can only be `{name}`, the name of the token; another one needs a token with the role {}",
            Role::Admin
        )));
    }
    Ok(wanted)
}

/// A label.
///
/// # Errors
/// It is too long, or has control characters.
pub(super) fn label(label: &str) -> Result<String, CoordinatorError> {
    short("label", label, LONGEST_LABEL)
}

/// Checks an owner and a label by themselves, whoever gives them.
///
/// # Errors
/// One of them is too long, or has control characters.
pub fn check_names(owner: &str, text: &str) -> Result<(), CoordinatorError> {
    short("owner", owner, LONGEST_OWNER)?;
    label(text).map(drop)
}

/// A short text without white space around it.
fn short(what: &str, text: &str, longest: usize) -> Result<String, CoordinatorError> {
    let text = text.trim();
    let problem = if text.chars().count() > longest {
        format!("at most {longest} characters are allowed")
    } else if text.chars().any(steers) {
        "control characters are not allowed".to_owned()
    } else {
        return Ok(text.to_owned());
    };
    Err(CoordinatorError::Invalid(format!("{what}: {problem}")))
}

/// Whether a character is invisible but changes how others are shown: controls, line separators, and marks of the
/// direction of text.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
