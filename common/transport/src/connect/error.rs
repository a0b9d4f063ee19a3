//! The statuses of calls that fail in the transport.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sproutnet_system::causes::{chain, with_causes};
use tonic::{ConnectError, Status};

use super::Call;

impl Call {
    /// The status of a call without an answer. Its code is UNAVAILABLE, so that the call may be repeated.
    pub(super) fn broken(&self, error: tonic::transport::Error) -> Status {
        let (reason, hint) = (causes(&error), self.hint(&error));
        let mut status = Status::unavailable(format!("cannot reach {}: {reason}{hint}", self.url));
        status.set_source(Arc::new(error));
        status
    }

    /// The status of an answer that breaks off. Its code is UNAVAILABLE, too.
    pub(super) fn lost(&self, broken: Status) -> Status {
        let reason = broken
            .source()
            .map_or_else(|| broken.message().to_owned(), causes);
        let hint = broken.source().map_or("", |source| self.hint(source));
        let mut status = Status::unavailable(format!("lost {}: {reason}{hint}", self.url));
        status.set_source(Arc::new(broken));
        status
    }

    /// A hint if only one side speaks TLS: the libraries only report closed pipes and corrupt messages.
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

/// Whether an error means that the other side does not speak TLS.
fn is_no_tls(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    let tls = io.and_then(|error| error.get_ref()?.downcast_ref::<rustls::Error>());
    matches!(tls, Some(rustls::Error::InvalidMessage(_)))
}

/// An error with its causes.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    // The outermost error may only name its type.
    let named = chain(error).find(|error| error.to_string() != "transport error");
    with_causes(named.unwrap_or(error))
}
