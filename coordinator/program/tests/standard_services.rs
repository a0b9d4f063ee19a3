//! The standard gRPC services of the real program.

mod program;

use std::process::Command;

use program::{Program, soon};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

#[tokio::test]
async fn health_is_reported() {
    let program = Program::start();
    let mut health = HealthClient::new(program.channel().await);
    for service in [
        "",
        "sproutnet.v1.ClientService",
        "sproutnet.v1.WorkerService",
    ] {
        let request = HealthCheckRequest {
            service: service.to_owned(),
        };
        let response = soon(health.check(request)).await.expect(service);
        assert_eq!(
            response.into_inner().status(),
            ServingStatus::Serving,
            "{service}"
        );
    }
    let request = HealthCheckRequest {
        service: "sproutnet.v9.NoService".to_owned(),
    };
    let status = soon(health.check(request)).await.expect_err("unknown");
    assert_eq!(status.code(), Code::NotFound);
}

#[tokio::test]
async fn the_http_port_says_that_it_is_one() {
    let program = Program::start();
    let endpoint = Endpoint::from_shared(program.http.clone()).expect("an address");
    let channel = soon(endpoint.connect()).await.expect("a connection");
    let request = HealthCheckRequest::default();
    let status = soon(HealthClient::new(channel).check(request)).await;
    let status = status.expect_err("it is the wrong port");
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(status.message().contains("HTTP port"), "{status}");
}

#[test]
fn a_fault_is_one_line_without_a_backtrace() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sproutnet-coordinator"));
    program.args(["--listen", "localhost:0", "--data", "/proc/no-such-folder"]);
    program.env_clear().env("RUST_BACKTRACE", "1");
    let ended = program.output().expect("it runs");
    assert_eq!(ended.status.code(), Some(1));
    let text = String::from_utf8_lossy(&ended.stderr);
    assert!(text.starts_with("error: cannot use the store in"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[tokio::test]
async fn older_clients_can_ask_too() {
    use tonic_reflection::pb::v1alpha;
    use v1alpha::server_reflection_request::MessageRequest;
    let program = Program::start();
    let channel = program.channel().await;
    let mut reflection = v1alpha::server_reflection_client::ServerReflectionClient::new(channel);
    let request = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let responses = reflection.server_reflection_info(tokio_stream::once(request));
    let mut responses = soon(responses).await.expect("a stream").into_inner();
    let response = soon(responses.next()).await.expect("a response");
    let text = format!("{:?}", response.expect("no error"));
    assert!(text.contains("sproutnet.v1.WorkerService"), "{text}");
}

#[tokio::test]
async fn services_describe_themselves() {
    let program = Program::start();
    let mut reflection = ServerReflectionClient::new(program.channel().await);
    let ask = |request| ServerReflectionRequest {
        host: String::new(),
        message_request: Some(request),
    };
    let requests = [
        ask(MessageRequest::ListServices(String::new())),
        ask(MessageRequest::FileContainingSymbol(
            "sproutnet.v1.Job".to_owned(),
        )),
    ];
    let responses = reflection.server_reflection_info(tokio_stream::iter(requests));
    let mut responses = soon(responses).await.expect("a stream").into_inner();
    let mut next = async || {
        let response = soon(responses.next()).await.expect("a response");
        response
            .expect("no error")
            .message_response
            .expect("a message")
    };
    let MessageResponse::ListServicesResponse(services) = next().await else {
        panic!("services are expected");
    };
    let names: Vec<&str> = services.service.iter().map(|s| &*s.name).collect();
    for name in ["sproutnet.v1.ClientService", "sproutnet.v1.WorkerService"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let MessageResponse::FileDescriptorResponse(files) = next().await else {
        panic!("descriptors are expected");
    };
    let files = String::from_utf8_lossy(&files.file_descriptor_proto.concat()).into_owned();
    assert!(files.contains("slice_ms"), "the fields of a job");
}
