//! The answer to a call, bounded by the call's deadline.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tonic::body::Body;

use super::Call;
use crate::deadline;

/// A body that ends at the call's deadline, if not before. When it breaks off, it says where it came
/// from and what happened.
pub(super) struct Answer {
    body: Body,
    call: Arc<Call>,
    until: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl Answer {
    pub(super) fn new(body: Body, call: Arc<Call>, until: Option<(Duration, Instant)>) -> Self {
        // Most unary answers end with the headers or the first frame, long before.
        let until = until.map(|(limit, until)| (limit, Box::pin(sleep_until(until))));
        Self { body, call, until }
    }
}

impl http_body::Body for Answer {
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
