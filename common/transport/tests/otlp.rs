//! Traces arrive at a collector, with the name of the program and nothing of other libraries.

use std::convert::Infallible;
use std::task::{Context, Poll};

use sproutnet_transport::telemetry::{LogFormat, TelemetryArgs};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::body::Body;
use tonic::codegen::BoxFuture;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::Server;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

/// The tested fields of `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest`.
#[derive(Clone, PartialEq, prost::Message)]
struct ExportRequest {
    #[prost(message, repeated, tag = "1")]
    of_programs: Vec<ResourceSpans>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct ResourceSpans {
    #[prost(message, optional, tag = "1")]
    resource: Option<Attributes>,
    #[prost(message, repeated, tag = "2")]
    scopes: Vec<ScopeSpans>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Attributes {
    #[prost(message, repeated, tag = "1")]
    attributes: Vec<Attribute>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct ScopeSpans {
    #[prost(message, repeated, tag = "2")]
    spans: Vec<Span>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Span {
    #[prost(string, tag = "5")]
    name: String,
    #[prost(message, repeated, tag = "9")]
    attributes: Vec<Attribute>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Attribute {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(message, optional, tag = "2")]
    value: Option<Value>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Value {
    #[prost(string, optional, tag = "1")]
    text: Option<String>,
    #[prost(int64, optional, tag = "3")]
    number: Option<i64>,
}

fn value<'a>(attributes: &'a [Attribute], key: &str) -> Option<&'a Value> {
    let attribute = attributes.iter().find(|attribute| attribute.key == key)?;
    attribute.value.as_ref()
}

/// A collector that passes on what it receives.
#[derive(Clone)]
struct Collector(mpsc::UnboundedSender<ExportRequest>);

impl NamedService for Collector {
    const NAME: &'static str = "opentelemetry.proto.collector.trace.v1.TraceService";
}

impl tower::Service<http::Request<Body>> for Collector {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let collector = self.clone();
        let mut grpc = Grpc::new(ProstCodec::<(), ExportRequest>::default());
        Box::pin(async move { Ok(grpc.unary(collector, request).await) })
    }
}

impl UnaryService<ExportRequest> for Collector {
    type Response = ();
    type Future = BoxFuture<Response<()>, Status>;

    fn call(&mut self, request: Request<ExportRequest>) -> Self::Future {
        let sent = self.0.send(request.into_inner());
        Box::pin(async move {
            sent.map_err(|_| Status::unavailable("the test has ended"))?;
            Ok(Response::new(()))
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_arrive_with_what_was_recorded() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let (sender, mut received) = mpsc::unbounded_channel();
    let server = Server::builder().add_service(Collector(sender));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let options = TelemetryArgs {
        log_format: LogFormat::Json,
        otlp: Some(format!("http://{address}")),
    };
    let telemetry = options.start("sproutnet-test").expect("the only log");

    let job = tracing::debug_span!(target: "sproutnet_worker::slot", "job", lease = 7);
    drop(job.entered());
    drop(tracing::info_span!(target: "h2", "a frame").entered());
    tokio::task::spawn_blocking(|| telemetry.end())
        .await
        .expect("no panic");

    let request = received.recv().await.expect("it was sent");
    let [of_program] = &request.of_programs[..] else {
        panic!("one program: {request:?}");
    };
    let resource = of_program.resource.as_ref().expect("it says who it is");
    let name = value(&resource.attributes, "service.name").expect("a name");
    assert_eq!(name.text.as_deref(), Some("sproutnet-test"));
    let spans = of_program.scopes.iter().flat_map(|scope| &scope.spans);
    let spans: Vec<&Span> = spans.collect();
    let [span] = spans[..] else {
        panic!("one span: {spans:?}");
    };
    assert_eq!(span.name, "job");
    let lease = value(&span.attributes, "lease").expect("it was recorded");
    assert_eq!(lease.number, Some(7));
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    let options = TelemetryArgs {
        log_format: LogFormat::Text,
        otlp: Some("not a url".to_owned()),
    };
    let error = options.start("sproutnet-test").expect_err("no address");
    assert_eq!(error.to_string(), "--otlp");
}
