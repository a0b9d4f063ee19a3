//! Hostile input: it is refused without effect, and the coordinator goes on.

use std::time::Duration;

use sproutnet_coordinator::Config;
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_store::block;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::{Code, Request, Status};

use sproutnet_testkit::cluster::facts::{blocks, children, exact};
use sproutnet_testkit::cluster::hand::{fault, is_invalid, registration, unsolved};
use sproutnet_testkit::cluster::wire::{FAILED, RUNNING};
use sproutnet_testkit::cluster::{Cluster, forged, is_of_the_atlas, raw};
use sproutnet_testkit::cluster::{end, fleet, list, now, query, soon, start, start_request};

const TOKEN: &str = "a-token-of-some-length";
const REPORT: &str = "/sproutnet.v1.WorkerService/Report";

/// A request with the given token, if any.
fn with<T>(token: Option<&str>, message: T) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        let token = format!("Bearer {token}").parse().expect("visible");
        request.metadata_mut().insert("authorization", token);
    }
    request
}

fn assert_turned_away<T>(what: &str, result: Result<T, Status>) {
    let Err(status) = result else {
        panic!("{what}: let in");
    };
    assert_eq!(status.code(), Code::Unauthenticated, "{what}: {status}");
    assert!(status.message().contains("token"), "{what}: {status}");
    assert!(!status.message().contains(TOKEN), "{what}: {status}");
}

#[tokio::test]
async fn without_the_token_nothing_is_done() {
    let mut cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    let channel = cluster.channel().await;
    let mut calls = WorkerServiceClient::new(channel.clone());
    let mut client = ClientServiceClient::new(channel.clone());
    for token in [
        None,
        Some(""),
        Some("wrong"),
        Some("A-token-of-some-length"),
    ] {
        let what = format!("{token:?}");
        let hello = registration("intruder", 1);
        assert_turned_away(&what, soon(calls.register(with(token, hello))).await);
        let report = v1::ReportRequest::default();
        assert_turned_away(&what, soon(calls.report(with(token, report))).await);
        let feed = v1::FeedRequest::default();
        assert_turned_away(&what, soon(calls.feed(with(token, feed))).await);
        assert_turned_away(
            &what,
            soon(client.start(with(token, start_request("0*6")))).await,
        );
        assert_turned_away(
            &what,
            soon(client.list(with(token, v1::ListRequest {}))).await,
        );
        let watch = v1::WatchRequest::default();
        assert_turned_away(&what, soon(client.watch(with(token, watch))).await);
    }
    let twice = {
        let mut request = with(Some(TOKEN), v1::ListRequest {});
        let other = "Bearer other".parse().expect("visible");
        request.metadata_mut().append("authorization", other);
        request
    };
    assert_turned_away("two tokens", soon(client.list(twice)).await);

    let state = soon(client.fleet(with(Some(TOKEN), v1::FleetRequest {}))).await;
    assert!(state.expect("let in").into_inner().workers.is_empty());
    let listed = soon(client.list(with(Some(TOKEN), v1::ListRequest {}))).await;
    assert!(listed.expect("let in").into_inner().computations.is_empty());
    let hello = with(Some(TOKEN), registration("friend", 2));
    soon(calls.register(hello)).await.expect("let in");
    drop((calls, client, channel));
    cluster.end().await;
    let sources = cluster.documents("source/");
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources[0].1.contains("friend"), "{sources:?}");
    assert!(cluster.documents("computation/").is_empty());
}

#[tokio::test]
async fn bytes_that_are_no_http_harm_nobody() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*6").await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let after_preface = |bytes: &[u8]| [&preface[..], bytes].concat();
    let noise: Vec<u8> = (0..5000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for garbage in [
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        noise.clone(),
        after_preface(&noise),
        // A frame that says it is 16 MiB long, and one of an unknown kind.
        after_preface(&[0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
        after_preface(&[0, 0, 4, 0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]),
        // Data on a stream that nobody opened.
        after_preface(&[0, 0, 1, 0, 1, 0, 0, 0, 9, 7]),
        Vec::new(),
    ] {
        let mut connection = TcpStream::connect(cluster.address())
            .await
            .expect("a connection");
        // The other side may close the connection before everything is sent.
        let _ = connection.write_all(&garbage).await;
        let mut answer = Vec::new();
        let read = connection.read_to_end(&mut answer);
        let _ = tokio::time::timeout(Duration::from_millis(200), read).await;
        drop(connection);
        assert_eq!(now(&mut client, computation).await.status, RUNNING);
    }
}

#[tokio::test]
async fn bytes_that_are_no_message_are_refused() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let channel = cluster.channel().await;
    let long_varint = [0x08; 1]
        .iter()
        .chain(&[0xff; 11])
        .copied()
        .collect::<Vec<u8>>();
    for garbage in [
        &[0xff; 100][..],
        &long_varint,
        // A delivery with a length of 2 GiB, but no content.
        &[0x52, 0xff, 0xff, 0xff, 0xff, 0x07],
        // The reason of a fault that is not UTF-8.
        &[0x62, 0x04, 0x12, 0x02, 0xff, 0xfe],
        // Groups without end.
        &[0x4b; 1000],
    ] {
        let result = raw::call(channel.clone(), REPORT, garbage).await;
        let status = result.expect_err("refused");
        let codes = [Code::Internal, Code::InvalidArgument];
        assert!(codes.contains(&status.code()), "{garbage:x?}: {status}");
    }
    let unknown = raw::call(channel, "/sproutnet.v1.WorkerService/Nothing", &[]).await;
    assert_eq!(unknown.expect_err("none").code(), Code::Unimplemented);
    assert_eq!(fleet(&mut client).await.records, 0);
}

#[tokio::test]
async fn blocks_that_are_forged_are_refused_whole() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("forger").await);
    start(&mut client, "0*7").await;
    let job = worker.job().await;
    let good = blocks(vec![exact("0*6", 0)]).remove(0);
    let mut flipped = good.clone();
    flipped[5] ^= 0x10;
    let mut other_format = good[..good.len() - 8].to_vec();
    other_format[0] += 1;
    let one = forged::of_one(b"Sn", 1);
    for (what, bad) in [
        ("nothing", Vec::new()),
        ("cut short", good[..good.len() - 1].to_vec()),
        ("a flipped bit", flipped),
        ("another format", forged::sealed(&other_format)),
        ("a count beyond all bounds", forged::counting(u64::MAX, b"")),
        ("a count beyond the bytes", forged::counting(200, &[0; 60])),
        ("a count beyond a block", forged::counting(257, &[0; 4000])),
        (
            "a length beyond the bytes",
            forged::counting(1, &[0, 0xff, 0xff, 0xff, 0x7f, 1]),
        ),
        ("a prefix of nothing", forged::counting(1, &[9, 1, 1, 1])),
        (
            "bytes behind the end",
            forged::counting(1, &[0, 1, b'S', 1, 0, 0, 0]),
        ),
        ("no land", one),
        ("a key too long", forged::of_one(&vec![b'S'; 70_000], 1)),
    ] {
        let report = v1::Finding {
            blocks: vec![good.clone(), bad],
            ..unsolved(job.lease, children(&job))
        };
        let result = worker.report(report).await;
        assert!(is_invalid(&result), "{what}: {result:?}");
        let status = result.expect_err("refused");
        assert!(status.message().contains("block 1"), "{what}: {status}");
    }
    assert!(worker.renew(job.lease).await, "the lease is still held");
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");
    assert!(is_of_the_atlas(&query(&mut client, "0*6").await));
}

#[tokio::test]
async fn a_million_blocks_keep_nobody_waiting() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("tireless").await);
    let empty = block::encode(std::iter::empty()).expect("a block");
    let calls = tokio::spawn(async move {
        // Either answer will do, as long as nothing is stored.
        let of_no_records = worker.hand_over_blocks(vec![empty; 1_000_000]).await;
        let of_no_bytes = worker.hand_over_blocks(vec![Vec::new(); 4_000_000]).await;
        assert!(is_invalid(&of_no_bytes), "{of_no_bytes:?}");
        (of_no_records, worker)
    });
    while !calls.is_finished() {
        let asked = tokio::time::timeout(Duration::from_secs(5), query(&mut client, "0*6"));
        assert!(is_of_the_atlas(&asked.await.expect("promptly")));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (_, mut worker) = calls.await.expect("no panic");
    assert_eq!(fleet(&mut client).await.records, 0);
    worker
        .hand_over(vec![exact("0*6", 0)])
        .await
        .expect("taken");
}

#[tokio::test]
async fn leases_that_nobody_has_are_nobodys() {
    let cluster = Cluster::start().await;
    let (mut client, mut holder) = (cluster.client().await, cluster.worker("holder").await);
    let mut other = cluster.worker("other").await;
    let computation = start(&mut client, "0*7").await;
    let lease = holder.job().await.lease;
    let all: Vec<u64> = (0..100_000).chain([lease, u64::MAX]).collect();
    assert_eq!(other.renew_all(all.clone()).await, all, "none is its own");
    for unknown in [lease, lease + 1, 1, u64::MAX] {
        other.release(unknown).await;
        other
            .report(fault(unknown, "nothing is right"))
            .await
            .expect("taken");
    }
    let progress = now(&mut client, computation).await;
    assert_eq!((progress.status, progress.jobs), (RUNNING, 1));
    assert!(holder.renew(lease).await);
    let state = fleet(&mut client).await;
    assert_eq!((state.finished, state.released), (0, 0), "{state:?}");
}

#[tokio::test]
async fn counts_beyond_all_bounds_stay_at_the_bound() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("boaster").await);
    let computation = start(&mut client, "0*7").await;
    for _ in 0..2 {
        let report = v1::Finding {
            expansions: u64::MAX,
            visits: u64::MAX,
            ..unsolved(worker.job().await.lease, Vec::new())
        };
        worker.report(report).await.expect("taken");
    }
    assert_eq!(now(&mut client, computation).await.expansions, u64::MAX);
    for expansions in [u64::MAX, 0, u64::MAX] {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let told = v1::RenewRequest {
            expansions,
            visits: expansions,
            memory: u64::MAX,
            ..v1::RenewRequest::default()
        };
        worker.tell(told).await;
    }
    let state = fleet(&mut client).await;
    assert_eq!(state.workers[0].expansions, u64::MAX);
    assert!(state.workers[0].expansions_per_second.is_finite());
}

#[tokio::test]
async fn a_long_story_of_a_fault_is_cut_short() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("talker").await);
    let computation = start(&mut client, "0*7").await;
    let lease = worker.job().await.lease;
    let report = fault(lease, &"it is a long story… ".repeat(500_000));
    worker.report(report).await.expect("taken");
    // By default, a client accepts messages of up to 4 MiB.
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED);
    assert!(ended.fault.contains("a long story") && ended.fault.len() < 10_000);
    assert_eq!(list(&mut client).await.len(), 1);
}
