//! How the coordinator and its workers do, as told to people, and the services that come with gRPC.

use std::time::{Duration, Instant};

use sproutnet_proto::v1;
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::cluster::facts::{children, exact};
use crate::cluster::hand::unsolved;
use crate::cluster::{Cluster, fleet, now, soon, start};

#[tokio::test]
async fn workers_are_listed_with_what_they_did() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let empty = fleet(&mut client).await;
    assert!(empty.workers.is_empty());
    assert_eq!((empty.records, empty.nodes, empty.leased), (0, 0, 0));
    let (mut one, mut two) = (cluster.worker("one").await, cluster.worker("two").await);
    start(&mut client, "0*7").await;
    let root = one.job().await;
    one.report(unsolved(root.lease, children(&root)))
        .await
        .expect("taken");
    one.job().await;
    one.job().await;
    let records = [exact("0*5", 1), exact("0*4", 1), exact("0*5", 1)];
    one.hand_over(records[..2].to_vec()).await.expect("taken");
    two.hand_over(records[2..].to_vec()).await.expect("taken");

    let state = fleet(&mut client).await;
    assert_eq!((state.leased, state.finished), (3, 1), "{state:?}");
    assert_eq!((state.expired, state.released), (0, 0));
    assert_eq!(state.records, 2);
    assert!(
        state.nodes > 5 && state.store_bytes > 0 && state.uptime > 0.0,
        "{state:?}"
    );
    let [first, second] = &state.workers[..] else {
        panic!("two are expected: {state:?}");
    };
    assert_eq!((&*first.name, first.worker), ("one", one.id));
    assert_eq!((&*second.name, second.worker), ("two", two.id));
    assert_eq!((first.jobs, second.jobs), (2, 0));
    assert_eq!((first.records, second.records), (2, 0), "only what was new");
    for worker in [first, second] {
        assert!(worker.peer.starts_with("127.0.0.1:"), "{worker:?}");
        assert_eq!(worker.cores, 1024);
        assert!((0.0..5.0).contains(&worker.silent), "{worker:?}");
    }
}

#[tokio::test]
async fn rates_follow_what_workers_tell() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let began = Instant::now();
    for round in 1..=5 {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let told = v1::RenewRequest {
            expansions: 600 * round,
            visits: 1000 * round,
            memory: 1 << 20,
            ..v1::RenewRequest::default()
        };
        worker.tell(told).await;
    }
    let passed = began.elapsed().as_secs_f64();
    let state = fleet(&mut client).await;
    let [told] = &state.workers[..] else {
        panic!("one is expected: {state:?}");
    };
    assert_eq!((told.expansions, told.memory), (3000, 1 << 20));
    // An average over ten seconds, of which most were idle.
    let rate = told.expansions_per_second;
    let share = 1.0 - (-passed / 10.0).exp();
    assert!(
        rate > 0.5 * share * 3000.0 / passed,
        "{rate} after {passed} s"
    );
    assert!(rate < 3000.0 / 0.3, "{rate} after {passed} s");
}

#[tokio::test]
async fn a_lease_that_is_not_renewed_runs_out() {
    let config = sproutnet_coordinator::Config {
        lease: Duration::from_millis(700),
        ..Default::default()
    };
    let cluster = Cluster::with(config, None).await;
    let (mut client, mut lazy) = (cluster.client().await, cluster.worker("lazy").await);
    let mut busy = cluster.worker("busy").await;
    let computation = start(&mut client, "0*7").await;
    let job = lazy.job().await;
    assert_eq!(job.expires_ms, 700);
    let renewing = Instant::now();
    while renewing.elapsed() < Duration::from_millis(1200) {
        assert!(lazy.renew(job.lease).await, "it is renewed");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(now(&mut client, computation).await.jobs, 1);
    let again = busy.job().await;
    assert_eq!(again.state, job.state, "as soon as it ran out");
    let state = fleet(&mut client).await;
    assert_eq!((state.leased, state.expired), (2, 1), "{state:?}");
    assert!(!lazy.renew(job.lease).await);
}

#[tokio::test]
async fn health_is_told() {
    let cluster = Cluster::start().await;
    let mut health = HealthClient::new(cluster.channel().await);
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
async fn services_describe_themselves() {
    let cluster = Cluster::start().await;
    let mut reflection = ServerReflectionClient::new(cluster.channel().await);
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
    let told = String::from_utf8_lossy(&files.file_descriptor_proto.concat()).into_owned();
    assert!(told.contains("slice_ms"), "the fields of a job");
}
