//! The body of a request, watched for why it cannot be sent.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Request;
use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

/// A body that keeps the status with which it fails. The transport forgets it, and a message that is too
/// large would look like a lost connection.
pub(super) struct Sent {
    body: Body,
    unsent: Arc<OnceLock<Status>>,
}

impl Sent {
    /// The request, and where the reason will be if its body cannot be sent.
    pub(super) fn watch(request: Request<Body>) -> (Request<Body>, Arc<OnceLock<Status>>) {
        let unsent = Arc::new(OnceLock::new());
        let watching = Arc::clone(&unsent);
        let request = request.map(|body| {
            let unsent = watching;
            Body::new(Self { body, unsent })
        });
        (request, unsent)
    }
}

impl http_body::Body for Sent {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Err(status))) = &frame {
            // A body fails once.
            let _ = self.unsent.set(status.clone());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
