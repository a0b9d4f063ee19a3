//! The bodies of a request and of its answer.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tonic::body::Body;

use super::Call;
use crate::deadline;

/// The request, and a cell for the status with which its body fails. The transport drops that status, and
/// a message that is too large would look like a lost connection.
pub(super) fn watch(request: Request<Body>) -> (Request<Body>, Arc<OnceLock<Status>>) {
    let unsent = Arc::new(OnceLock::new());
    let failed = Arc::clone(&unsent);
    let request = request.map(|body| {
        Body::new(body.map_err(move |status| {
            // A body fails once.
            let _ = failed.set(status.clone());
            status
        }))
    });
    (request, unsent)
}

/// The body of an answer. It ends at the call's deadline at the latest. When it breaks off, its error
/// names the URL and the cause.
pub(super) struct AnswerBody {
    body: Body,
    call: Arc<Call>,
    until: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl AnswerBody {
    pub(super) fn new(body: Body, call: Arc<Call>, until: Option<(Duration, Instant)>) -> Self {
        let until = until.map(|(limit, until)| (limit, Box::pin(sleep_until(until))));
        Self { body, call, until }
    }
}

impl http_body::Body for AnswerBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            let lost = |status| self.call.lost(status);
            return Poll::Ready(frame.map(|frame| frame.map_err(lost)));
        }
        let Some((limit, until)) = &mut self.until else {
            return Poll::Pending;
        };
        ready!(until.as_mut().poll(context));
        Poll::Ready(Some(Err(deadline::passed(*limit))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
