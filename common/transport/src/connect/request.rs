//! The body of a request, watched for why it cannot be sent.

use std::sync::{Arc, OnceLock};

use http::Request;
use http_body_util::BodyExt;
use tonic::Status;
use tonic::body::Body;

/// The request, and where the status will be with which its body fails, if it does. The transport
/// forgets it, and a message that is too large would look like a lost connection.
pub(super) fn watch(request: Request<Body>) -> (Request<Body>, Arc<OnceLock<Status>>) {
    let unsent = Arc::new(OnceLock::new());
    let watching = Arc::clone(&unsent);
    let request = request.map(|body| {
        Body::new(body.map_err(move |status| {
            // A body fails once.
            let _ = watching.set(status.clone());
            status
        }))
    });
    (request, unsent)
}
