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
        let reason = causes(&error);
        let hint = self.hint(&error, &reason);
        let mut status = Status::unavailable(format!("cannot reach {}: {reason}{hint}", self.url));
        status.set_source(Arc::new(error));
        status
    }

    /// The status of an answer that breaks off. Its code is UNAVAILABLE, too.
    pub(super) fn lost(&self, broken: Status) -> Status {
        let reason = broken
            .source()
            .map_or_else(|| broken.message().to_owned(), causes);
        let hint = broken
            .source()
            .map_or("", |source| self.hint(source, &reason));
        let mut status = Status::unavailable(format!("lost {}: {reason}{hint}", self.url));
        status.set_source(Arc::new(broken));
        status
    }

    /// The likely cause, if the coordinator accepts a connection and does not answer. The libraries only report closed
    /// pipes and corrupt messages: with TLS 1.3, a client has ended its handshake before the server refuses its
    /// certificate.
    fn hint(&self, error: &(dyn Error + 'static), reason: &str) -> &'static str {
        let secure = self.url.starts_with("https://");
        if secure && chain(error).any(is_no_tls) {
            return "; the coordinator does not seem to speak TLS, or this is its HTTP port";
        }
        if chain(error).any(is_unknown_issuer) {
            return "; --tls-ca names the certificate of its authority";
        }
        // It may close a connection before the end of the handshake.
        let connected = !chain(error).any(<dyn Error>::is::<ConnectError>)
            || secure && chain(error).any(is_cut_off);
        if !connected || self.answered.load(Ordering::Relaxed) {
            return "";
        }
        match (secure, reason) {
            // A record of TLS, read as a frame of HTTP/2.
            (false, reason) if reason.contains("frame with invalid size") => {
                "; the coordinator seems to speak TLS: write https://"
            }
            (false, _) => {
                "; the coordinator may have too many connections, or speak TLS: then write https://"
            }
            (true, reason) if reason.contains("alert: CertificateRequired") => {
                "; the coordinator requires a client certificate: --tls-cert and --tls-key"
            }
            (true, reason) if reason.contains("fatal alert") => {
                "; the coordinator refuses the certificate of --tls-cert: its log says why"
            }
            (true, _) => {
                "; the coordinator may require a client certificate (--tls-cert), refuse this one, or have too many \
                 connections: its log says why"
            }
        }
    }
}

/// Whether a call failed because one side of TLS refused the other, such as for an expired certificate. The same files fail
/// again. The message of the status has the reason.
pub fn is_refused_by_tls(status: &Status) -> bool {
    // Only errors of the transport have a source.
    status
        .source()
        .is_some_and(|source| chain(source).any(is_refusal))
}

/// Whether an error is a refusal by TLS. HTTP/2 keeps only the text of one that comes after the client's handshake.
fn is_refusal(error: &(dyn Error + 'static)) -> bool {
    let text = error.to_string();
    ["received fatal alert: ", "invalid peer certificate: "]
        .iter()
        .any(|refusal| text.contains(refusal))
}

/// Whether an error means that the other side closed the connection.
fn is_cut_off(error: &(dyn Error + 'static)) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof))
}

/// Whether an error means that the other side does not speak TLS.
fn is_no_tls(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    let tls = io.and_then(|error| error.get_ref()?.downcast_ref::<rustls::Error>());
    matches!(tls, Some(rustls::Error::InvalidMessage(_)))
}

/// Whether an error means that no known authority signed the certificate of the other side.
fn is_unknown_issuer(error: &(dyn Error + 'static)) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    let tls = io.and_then(|error| error.get_ref()?.downcast_ref::<rustls::Error>());
    let unknown = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
    tls == Some(&unknown)
}

/// An error with its causes.
pub(super) fn causes(error: &(dyn Error + 'static)) -> String {
    // The outermost error may only name its type.
    let named = chain(error).find(|error| error.to_string() != "transport error");
    with_causes(named.unwrap_or(error))
}
