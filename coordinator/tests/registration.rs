//! Registrations that a coordinator accepts or refuses.

use sproutnet_proto::v1;
use tonic::{Code, Status};

use sproutnet_testkit::cluster::hand::{Hand, encodings, for_games, registration, unsolved};
use sproutnet_testkit::cluster::{Cluster, fleet, list, soon, start};

async fn refusal(cluster: &Cluster, request: v1::RegisterRequest) -> Status {
    let mut calls = cluster.worker_calls().await;
    let refused = soon(calls.register(request)).await;
    let status = refused.expect_err("a refusal");
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    status
}

fn acceptable() -> v1::RegisterRequest {
    registration("new", 17)
}

#[tokio::test]
async fn another_protocol_is_refused() {
    let cluster = Cluster::start().await;
    for (protocol, outdated) in [(0, "the worker"), (2, "the worker"), (4, "the coordinator")] {
        let request = v1::RegisterRequest {
            protocol,
            ..acceptable()
        };
        let status = refusal(&cluster, request).await;
        let refusal = format!(
            "the worker speaks protocol {protocol}, this coordinator speaks 3: update {outdated}"
        );
        assert_eq!(status.message(), refusal);
    }
}

#[tokio::test]
async fn other_encodings_are_refused() {
    let cluster = Cluster::start().await;
    for i in 0..encodings().len() {
        let mut other = acceptable();
        other.encodings[i].version += 6;
        let v1::Encoding { game, version } = other.encodings[i].clone();
        let status = refusal(&cluster, other).await;
        let message = status.message();
        assert!(
            message.contains(&game) && message.contains(&version.to_string()),
            "{message}"
        );

        let mut fewer = acceptable();
        fewer.encodings.remove(i);
        let status = refusal(&cluster, fewer).await;
        let message = status.message();
        assert!(
            message.contains(&game) && message.contains("none"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_worker_may_know_more_games_than_the_coordinator() {
    let cluster = Cluster::start().await;
    let mut more = acceptable();
    more.encodings.push(v1::Encoding {
        game: "nim".to_owned(),
        version: 1,
    });
    let mut calls = cluster.worker_calls().await;
    let first = soon(calls.register(more.clone())).await.expect("accepted");
    more.identity += 1;
    let second = soon(calls.register(more)).await.expect("accepted");
    let (first, second) = (first.into_inner(), second.into_inner());
    assert_ne!(first.worker, second.worker, "a name is for people only");
    assert_eq!(first.store, second.store);
    let workers = fleet(&mut cluster.client().await).await.workers;
    assert_eq!(workers.len(), 2);
}

#[tokio::test]
async fn a_worker_for_some_games_needs_their_encodings_only() {
    let cluster = Cluster::start().await;
    let mut calls = cluster.worker_calls().await;
    let accepted = soon(calls.register(for_games(&["nim", "cram"], 1))).await;
    accepted.expect("accepted");

    let mut other = for_games(&["nim", "cram"], 2);
    other.encodings[1].version += 6;
    let status = refusal(&cluster, other).await;
    assert!(status.message().contains("cram"), "{status}");
    let mut none = for_games(&["nim", "cram"], 2);
    none.encodings.clear();
    let status = refusal(&cluster, none).await;
    assert!(status.message().contains("none"), "{status}");
    let status = refusal(&cluster, for_games(&["chess"], 2)).await;
    let message = status.message();
    assert_eq!(message, "this coordinator has no game called \"chess\"");
}

#[tokio::test]
async fn a_worker_gets_jobs_of_its_games_only() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut calls = cluster.worker_calls().await;
    let few = soon(calls.register(for_games(&["wythoff"], 17))).await;
    let mut few = Hand::known_as(calls, few.expect("accepted").into_inner().worker, 17);
    let sprouts = start(&mut client, "0*8").await;
    let waits = |listed: Vec<v1::Computation>| -> Vec<v1::WaitsFor> {
        listed.iter().map(v1::Computation::waits_for).collect()
    };
    assert_eq!(waits(list(&mut client).await), [v1::WaitsFor::Game]);
    let pairs = start(&mut client, "wythoff:40,60").await;
    let job = few.job().await;
    assert_eq!((job.computation, &*job.game), (pairs, "wythoff"));
    let mut all = cluster.worker("all games").await;
    assert_eq!(all.job().await.computation, sprouts);
    let listed = list(&mut client).await;
    assert_eq!(waits(listed), [v1::WaitsFor::Unspecified; 2]);
}

#[tokio::test]
async fn names_that_are_too_long_are_refused() {
    let cluster = Cluster::start().await;
    let mut calls = cluster.worker_calls().await;
    let longest = registration(&"n".repeat(256), 1);
    soon(calls.register(longest)).await.expect("accepted");
    let longer = registration(&"n".repeat(257), 2);
    let status = soon(calls.register(longer)).await.expect_err("too long");
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert!(status.message().contains("257"), "{status}");
}

#[tokio::test]
async fn versions_are_shown_within_limits_and_may_be_missing() {
    let cluster = Cluster::start().await;
    let mut calls = cluster.worker_calls().await;
    let (longest, longer) = ("v".repeat(64), "v".repeat(65));
    // An earlier worker tells none.
    let versions = [
        ("", "unknown"),
        ("\n\u{e9}\u{202e} \0", "unknown"),
        ("0.1.0 (1a2b3c4)", "0.1.0 (1a2b3c4)"),
        ("0.1.0\u{1b}[2J\n", "0.1.0[2J"),
        (&*longer, &*longest),
    ];
    for (identity, (version, _)) in (1..).zip(versions) {
        let request = v1::RegisterRequest {
            version: version.to_owned(),
            ..registration("one of many", identity)
        };
        soon(calls.register(request)).await.expect("accepted");
    }
    let workers = fleet(&mut cluster.client().await).await.workers;
    let shown: Vec<&str> = workers.iter().map(|worker| &*worker.version).collect();
    assert_eq!(shown, versions.map(|(_, shown)| shown));
}

fn assert_unknown_worker<T>(what: &str, result: Result<T, Status>) {
    let Err(status) = result else {
        panic!("{what}: accepted");
    };
    assert_eq!(status.code(), Code::NotFound, "{what}: {status}");
    assert!(status.message().contains("worker"), "{what}: {status}");
}

#[tokio::test]
async fn calls_of_unknown_workers_are_refused() {
    let cluster = Cluster::start().await;
    let known = cluster.worker("known").await;
    let (worker, lease) = (known.id + 1000, 1);
    let mut calls = known.calls;
    let request = v1::LeaseRequest { worker, slot: 0 };
    assert_unknown_worker("lease", soon(calls.lease(request)).await);
    // A worker of protocol 1 also has to register again, and is then refused.
    for content in [Some(unsolved(lease, Vec::new()).into()), None] {
        let request = v1::ReportRequest { worker, content };
        assert_unknown_worker("report", soon(calls.report(request)).await);
    }
    let request = v1::RenewRequest {
        worker,
        leases: vec![lease],
        ..v1::RenewRequest::default()
    };
    assert_unknown_worker("renew", soon(calls.renew(request)).await);
    let request = v1::ReleaseRequest {
        worker,
        lease,
        failed: false,
    };
    assert_unknown_worker("release", soon(calls.release(request)).await);
}

#[tokio::test]
async fn the_feed_is_for_known_workers_only() {
    let cluster = Cluster::start().await;
    let known = cluster.worker("known").await;
    let worker = known.id + 1000;
    let mut calls = known.calls;
    let request = v1::FeedRequest {
        worker,
        ..v1::FeedRequest::default()
    };
    assert_unknown_worker("feed", soon(calls.feed(request)).await);
}

#[tokio::test]
async fn workers_have_as_many_searches_as_they_say_and_not_too_many() {
    let cluster = Cluster::start().await;
    let mut calls = cluster.worker_calls().await;
    let with = |cores| v1::RegisterRequest {
        cores,
        slots: cores,
        ..registration("one", 1)
    };
    for (cores, told) in [(4097, "4097"), (0, "no cores")] {
        let refused = soon(calls.register(with(cores))).await;
        let status = refused.expect_err(told);
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(told), "{status}");
    }
    let accepted = soon(calls.register(with(2))).await.expect("accepted");
    let mut worker = Hand::known_as(calls, accepted.into_inner().worker, 1);
    worker.lease_in(1).await.expect("the second of two");
    let status = worker.lease_in(2).await.expect_err("there is no third");
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert!(status.message().contains("2 slots"), "{status}");
}
