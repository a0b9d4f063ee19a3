//! The ports of a coordinator that waits for room on its disk, and its end.

use rustix::process::Signal;
use sproutnet_proto::v1::ListRequest;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::program::{Program, soon, until};
use sproutnet_testkit::disk::Disk;

const WAITING: &str = "disk full: waiting for room to open the store";

async fn health(program: &Program, service: &str) -> ServingStatus {
    let mut health = HealthClient::new(program.channel().await);
    let request = HealthCheckRequest {
        service: service.to_owned(),
    };
    let response = soon(health.check(request)).await.expect("known");
    response.into_inner().status()
}

#[tokio::test]
async fn a_coordinator_that_waits_for_room_says_so_on_its_ports() {
    let disk = Disk::mount(8).expect("this test mounts a disk, so it runs as root");
    disk.fill();
    let folder = tempfile::tempdir().expect("a folder");
    let data = disk.path().join("data");
    let program = Program::start_with(folder, &data, &[]);

    let page = until(|| {
        let page = program.get("/healthz", "");
        page.ends_with(&format!("{WAITING}\n")).then_some(page)
    });
    assert!(page.starts_with("HTTP/1.1 503"), "{page}");
    let page = program.get("/metrics", "");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.contains("\nsproutnet_disk_full 1"), "{page}");
    assert!(page.contains("\nprocess_resident_memory_bytes "), "{page}");
    for path in ["/", "/api/v1/fleet"] {
        let page = program.get(path, "");
        assert!(
            page.starts_with("HTTP/1.1 503") && page.contains(WAITING),
            "{page}"
        );
    }
    assert_eq!(health(&program, "").await, ServingStatus::NotServing);
    let clients = "sproutnet.v1.ClientService";
    assert_eq!(health(&program, clients).await, ServingStatus::Serving);
    assert!(program.healthcheck().success(), "a restart would not help");
    let mut client = ClientServiceClient::new(program.channel().await);
    let refused = soon(client.list(ListRequest::default()))
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), Code::Unavailable);
    assert_eq!(refused.message(), WAITING);

    disk.clear();
    until(|| program.get("/healthz", "").ends_with("ok\n").then_some(()));
    assert_eq!(health(&program, "").await, ServingStatus::Serving);
    // The same client, on a new connection.
    let listed = async {
        loop {
            match client.list(ListRequest::default()).await {
                Err(status) if status.code() == Code::Unavailable => {}
                listed => return listed,
            }
        }
    };
    soon(listed).await.expect("it is listed");
}

#[test]
fn a_coordinator_that_waits_for_room_ends_at_once() {
    let disk = Disk::mount(8).expect("this test mounts a disk, so it runs as root");
    disk.fill();
    for signal in [Signal::TERM, Signal::INT] {
        let folder = tempfile::tempdir().expect("a folder");
        let program = Program::start_with(folder, &disk.path().join("data"), &[]);
        until(|| program.log().contains(WAITING).then_some(()));
        program.signal(signal);
        let (status, log) = program.end();
        assert_eq!(status.code(), Some(0), "{log}");
    }
}
