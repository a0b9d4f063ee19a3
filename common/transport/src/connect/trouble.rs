//! What is said when the transport fails a call.

use std::error::Error;
use std::fmt::Write as _;
use std::iter::successors;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tonic::{ConnectError, Status};

use super::Call;

impl Call {
    /// The status of a call that got no answer. It may be made again: the code is UNAVAILABLE.
    pub(super) fn broken(&self, error: tonic::transport::Error) -> Status {
        let (reason, hint) = (causes(&error), self.hint(&error));
        let problem = format!("cannot reach {}: {reason}{hint}", self.url);
        let mut status = Status::unavailable(problem);
        status.set_source(Arc::new(error));
        status
    }

    /// The status of an answer that breaks off. The code is UNAVAILABLE too.
    pub(super) fn lost(&self, broken: Status) -> Status {
        let reason = broken
            .source()
            .map_or_else(|| broken.message().to_owned(), causes);
        let mut status = Status::unavailable(format!("lost {}: {reason}", self.url));
        status.set_source(Arc::new(broken));
        status
    }

    /// What the reason may be when one side speaks TLS and the other does not. Their own words for it
    /// are of closed pipes and corrupt messages.
    fn hint(&self, error: &(dyn Error + 'static)) -> &'static str {
        let secure = self.url.starts_with("https://");
        let connected = !chain(error).any(<dyn Error>::is::<ConnectError>);
        if !secure && connected && !self.answered.load(Ordering::Relaxed) {
            return "; if the coordinator speaks TLS, write https://";
        }
        if secure && chain(error).any(is_no_tls) {
            return "; the coordinator does not seem to speak TLS";
        }
        ""
    }
}

/// Whether an error says that what came was not TLS.
fn is_no_tls(error: &(dyn Error + 'static)) -> bool {
    let error = error
        .downcast_ref::<std::io::Error>()
        .and_then(std::io::Error::get_ref);
    let error = error.and_then(|error| error.downcast_ref::<rustls::Error>());
    matches!(error, Some(rustls::Error::InvalidMessage(_)))
}

/// An error and its causes.
pub(crate) fn chain<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// An error with its causes, each once.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut said = String::new();
    for error in chain(error) {
        let text = error.to_string();
        // Many errors repeat what caused them; the type of the outermost tells nothing.
        if text != "transport error" && !said.contains(&text) {
            let separator = if said.is_empty() { "" } else { ": " };
            let _ = write!(said, "{separator}{text}");
        }
    }
    if said.is_empty() {
        said.push_str("transport error");
    }
    said
}
