//! A coordinator that answers as a test tells it to.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Mutex;

use sproutnet_proto::v1;
use sproutnet_proto::v1::worker_service_server::{WorkerService, WorkerServiceServer};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt};
use tonic::transport::Server;
use tonic::{Request, Response, Status};

/// What it answers, and whom it tells of calls.
pub(crate) struct Fake {
    /// Why workers are refused, if they are.
    pub(crate) refusal: Option<&'static str>,
    /// The jobs that it gives, last first; then none.
    pub(crate) jobs: Mutex<Vec<v1::Job>>,
    /// The leases that come to their end, and how.
    pub(crate) ended: mpsc::UnboundedSender<(u64, How)>,
}

/// How a lease came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// By a report.
    Reported,
    /// Without one.
    Released,
}

impl Fake {
    /// Serves on a port of its own for as long as the runtime lives.
    pub(crate) async fn serve(self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = Server::builder().add_service(WorkerServiceServer::new(self));
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        address
    }
}

#[tonic::async_trait]
impl WorkerService for Fake {
    async fn register(
        &self,
        _: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        match self.refusal {
            Some(reason) => Err(Status::failed_precondition(reason)),
            None => Ok(Response::new(v1::RegisterResponse { worker: 1 })),
        }
    }

    async fn lease(
        &self,
        _: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseResponse>, Status> {
        let job = self.jobs.lock().expect("no panic").pop();
        if job.is_none() {
            std::future::pending::<()>().await;
        }
        Ok(Response::new(v1::LeaseResponse { job }))
    }

    async fn report(
        &self,
        request: Request<v1::ReportRequest>,
    ) -> Result<Response<v1::ReportResponse>, Status> {
        let lease = request.into_inner().lease;
        self.ended.send((lease, How::Reported)).expect("a listener");
        Ok(Response::new(v1::ReportResponse {}))
    }

    async fn renew(
        &self,
        _: Request<v1::RenewRequest>,
    ) -> Result<Response<v1::RenewResponse>, Status> {
        Ok(Response::new(v1::RenewResponse { wanted: true }))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseResponse>, Status> {
        let lease = request.into_inner().lease;
        self.ended.send((lease, How::Released)).expect("a listener");
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    type FeedStream = Pin<Box<dyn Stream<Item = Result<v1::FeedResponse, Status>> + Send>>;

    async fn feed(
        &self,
        _: Request<v1::FeedRequest>,
    ) -> Result<Response<Self::FeedStream>, Status> {
        let nothing = v1::FeedResponse {
            records: Vec::new(),
            cursor: 0,
            caught_up: true,
        };
        let open = tokio_stream::once(Ok(nothing)).chain(tokio_stream::pending());
        Ok(Response::new(Box::pin(open)))
    }
}
