//! A client service that needs no coordinator. Not made from the generated server, so that it need not
//! have every call that the real one has.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::{Progress, QueryRequest, QueryResponse, WatchRequest};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::codegen::BoxFuture;
use tonic::server::{Grpc, NamedService, ServerStreamingService, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

/// The position that is never answered.
pub(crate) const HANG: &str = "hang";

/// The position that is answered with a message of more than the limit.
pub(crate) const LARGE: &str = "large";

/// Answers queries with what was asked, and streams progress until the client leaves.
#[derive(Clone, Default)]
pub(crate) struct Service {
    /// Requests whose message was decoded.
    pub(crate) decoded: Arc<AtomicUsize>,
    /// Unary calls that are being answered.
    pub(crate) open: Arc<AtomicUsize>,
}

impl NamedService for Service {
    const NAME: &'static str = "sproutnet.v1.ClientService";
}

impl tower::Service<http::Request<Body>> for Service {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            let limit = Some(LARGEST_MESSAGE);
            Ok(match request.uri().path() {
                "/sproutnet.v1.ClientService/Query" => {
                    let codec = ProstCodec::<QueryResponse, QueryRequest>::default();
                    let mut grpc = Grpc::new(codec).apply_max_message_size_config(limit, limit);
                    grpc.unary(Query(service), request).await
                }
                "/sproutnet.v1.ClientService/Watch" => {
                    let codec = ProstCodec::<Progress, WatchRequest>::default();
                    let mut grpc = Grpc::new(codec).apply_max_message_size_config(limit, limit);
                    grpc.server_streaming(Watch(service), request).await
                }
                path => Status::unimplemented(path.to_owned()).into_http(),
            })
        })
    }
}

struct Query(Service);

impl UnaryService<QueryRequest> for Query {
    type Response = QueryResponse;
    type Future = BoxFuture<Response<QueryResponse>, Status>;

    fn call(&mut self, request: Request<QueryRequest>) -> Self::Future {
        self.0.decoded.fetch_add(1, Ordering::SeqCst);
        let open = Open::new(&self.0.open);
        Box::pin(async move {
            let _open = open;
            let position = request.into_inner().position;
            let game = match position.as_str() {
                HANG => std::future::pending().await,
                LARGE => "x".repeat(LARGEST_MESSAGE),
                _ => position,
            };
            Ok(Response::new(QueryResponse {
                game,
                ..QueryResponse::default()
            }))
        })
    }
}

/// Counts a call for as long as it is not dropped.
struct Open(Arc<AtomicUsize>);

impl Open {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Watch(Service);

impl ServerStreamingService<WatchRequest> for Watch {
    type Response = Progress;
    type ResponseStream = Pin<Box<ReceiverStream<Result<Progress, Status>>>>;
    type Future = BoxFuture<Response<Self::ResponseStream>, Status>;

    fn call(&mut self, request: Request<WatchRequest>) -> Self::Future {
        self.0.decoded.fetch_add(1, Ordering::SeqCst);
        let every = Duration::from_millis(request.into_inner().computation);
        Box::pin(async move {
            let (responses, stream) = mpsc::channel(1);
            tokio::spawn(async move {
                loop {
                    if responses.send(Ok(Progress::default())).await.is_err() {
                        break;
                    }
                    tokio::time::sleep(every).await;
                }
            });
            Ok(Response::new(Box::pin(ReceiverStream::new(stream))))
        })
    }
}
