//! Calls of clients.

use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;
use tokio_stream::StreamExt;
use tonic::{Code, Status};

use sproutnet_testkit::cluster::facts::children;
use sproutnet_testkit::cluster::hand::{outcome, unsolved};
use sproutnet_testkit::cluster::wire::{LOSS, NORMAL, PAUSED, RUNNING, SOLVED, UNKNOWN, WIN};
use sproutnet_testkit::cluster::{Client, Cluster, cancel, end, list, now, pause, query, resume};
use sproutnet_testkit::cluster::{soon, start, start_as, start_request, watch};

async fn refused(client: &mut Client, request: v1::StartRequest) -> Status {
    let result = soon(client.start(request.clone())).await;
    let status = result.expect_err(&request.position);
    assert_eq!(status.code(), Code::InvalidArgument, "{request:?}");
    status
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    for (position, part) in [
        ("0*6+?", "column 5"),
        ("kayles:5+x", "column 10"),
        ("", "column"),
        ("chess:5", "chess"),
        ("21", "`0*21` is 21 spots, `21}` a boundary"),
        ("0*3+0", "column 5"),
        ("1a1A", "column 2: the letter `a`"),
        ("12 spots", "did you mean `0*12`?"),
        (&"x".repeat(1 << 20), "column 3"),
        (&format!("kayles:{}", "9".repeat(1 << 20)), "column 8"),
    ] {
        let status = refused(&mut client, start_request(position)).await;
        assert!(status.message().contains(part), "{status}");
        assert!(status.message().chars().count() < 250, "{status}");
        let request = v1::QueryRequest {
            position: position.to_owned(),
            moves: true,
            ..v1::QueryRequest::default()
        };
        let status = soon(client.query(request)).await.expect_err(position);
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(part), "{status}");
    }
    let nimber = v1::StartRequest {
        play: v1::Play::Misere.into(),
        nimber: true,
        ..start_request("0*6")
    };
    let status = refused(&mut client, nimber).await;
    assert!(status.message().contains("nimber"), "{status}");
    let partizan = v1::StartRequest {
        nimber: true,
        ..start_request("switching:gale(2)/short")
    };
    let status = refused(&mut client, partizan).await;
    assert!(status.message().contains("no nimbers"), "{status}");
    for play in [0, 17] {
        let request = v1::StartRequest {
            play,
            ..start_request("0*6")
        };
        let status = refused(&mut client, request).await;
        assert!(status.message().contains("play"), "{status}");
    }
}

#[tokio::test]
async fn there_are_only_computations_that_were_started() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*6").await + 1000;
    let request = v1::WatchRequest { computation };
    let status = soon(client.watch(request)).await.expect_err("none");
    assert_eq!(status.code(), Code::NotFound);
    let request = v1::CancelRequest { computation };
    let status = soon(client.cancel(request)).await.expect_err("none");
    assert_eq!(status.code(), Code::NotFound);
    let request = v1::TableRequest {
        game: "chess".to_owned(),
        within_ms: 0,
    };
    let status = soon(client.table(request)).await.expect_err("none");
    assert_eq!(status.code(), Code::NotFound);
}

#[tokio::test]
async fn a_watch_streams_progress_and_ends() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let mut progress = watch(&mut client, computation).await;
    let first = soon(progress.next()).await.expect("open").expect("running");
    assert_eq!((first.status, first.outcome), (RUNNING, UNKNOWN));
    let job = worker.job().await;
    let report = unsolved(job.lease, children(&job));
    worker.report(report).await.expect("taken");
    let next = soon(progress.next()).await.expect("open").expect("running");
    assert_eq!((next.status, next.expansions), (RUNNING, 1));
    assert_ne!(next.root, first.root, "the children's numbers count");
    let job = worker.job().await;
    // The report is false, but credible: a lost child makes the root a win.
    let report = outcome(job.lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    let last = soon(progress.next()).await.expect("open").expect("solved");
    assert_eq!((last.status, last.outcome), (SOLVED, WIN));
    assert_eq!(last.source, v1::Source::Search as i32);
    assert!(last.seconds > 0.0, "{last:?}");
    assert!(soon(progress.next()).await.is_none(), "it ends");
    assert_eq!(end(&mut client, computation).await, last, "a late watcher");

    let again = start(&mut client, "0*6").await;
    let found = end(&mut client, again).await;
    let source = v1::Source::Store.into();
    let root = found.root;
    assert_eq!(
        found,
        v1::Progress {
            source,
            root,
            ..last
        }
    );
}

#[tokio::test]
async fn cancelling_ends_a_computation_once() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let progress = watch(&mut client, computation).await;
    let lease = worker.job().await.lease;
    for _ in 0..2 {
        cancel(&mut client, computation).await;
    }
    let all: Vec<_> = soon(progress.collect()).await;
    let last = all.into_iter().last().expect("some").expect("no error");
    assert_eq!(last.status, v1::Status::Cancelled as i32);
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("welcome");
    let after = now(&mut client, computation).await;
    assert_eq!((after.status, after.outcome), (last.status, UNKNOWN));
    let other = start(&mut client, "0*7").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    assert_eq!(end(&mut client, other).await.status, SOLVED);
}

#[tokio::test]
async fn a_deadline_counts_from_the_first_job() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let request = v1::StartRequest {
        deadline_ms: 400,
        ..start_request("0*6")
    };
    let computation = start_as(&mut client, request).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
    let job = worker.job().await;
    assert!(job.slice_ms <= 400, "{} ms", job.slice_ms);
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, v1::Status::Expired as i32);
    assert_eq!(ended.outcome, UNKNOWN);
    assert!((0.4..2.0).contains(&ended.seconds), "{} s", ended.seconds);
}

/// The outcomes under normal and misère play.
fn outcomes(answer: &v1::QueryResponse) -> (i32, i32) {
    let told = |standing: &Option<v1::Standing>| standing.as_ref().expect("told").outcome;
    (told(&answer.normal), told(&answer.misere))
}

#[tokio::test]
async fn queries_tell_what_is_known() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let small = query(&mut client, "0*2").await;
    assert_eq!(small.canonical, "0*2");
    assert_eq!(outcomes(&small), (LOSS, LOSS));
    assert_eq!(small.nimber, Some(0));
    // The outcome is published, the nimber is found.
    let request = v1::QueryRequest {
        position: "0*4".to_owned(),
        within_ms: 10_000,
        ..v1::QueryRequest::default()
    };
    let four = soon(client.query(request)).await.expect("an answer");
    let four = four.into_inner();
    assert_eq!((outcomes(&four), four.nimber), ((WIN, LOSS), Some(1)));
    let large = query(&mut client, "0*9.1a1a").await;
    assert_eq!(outcomes(&large), (UNKNOWN, UNKNOWN));
    assert_eq!(large.nimber, None);
    let proved = query(&mut client, "0*9").await;
    assert_eq!(outcomes(&proved), (WIN, LOSS));
    let citation = proved.misere.expect("told").citation;
    assert_eq!(citation, "proved by Sproutnet, certificate misere-9");
    let published = query(&mut client, "0*33").await;
    assert_eq!(outcomes(&published), (WIN, UNKNOWN));
    let citation = published.normal.expect("told").citation;
    assert_eq!(citation, "GLOP 2007-2011");
    let request = v1::QueryRequest {
        position: "kayles:3+100".to_owned(),
        moves: true,
        ..v1::QueryRequest::default()
    };
    let response = soon(client.query(request)).await.expect("an answer");
    let v1::QueryResponse {
        game, lands, moves, ..
    } = response.into_inner();
    assert_eq!(game, "kayles");
    let nimbers: Vec<_> = lands.iter().map(|land| land.nimber).collect();
    assert_eq!(nimbers, [Some(3), Some(1)]);
    // Three from the row of 3; 50 and 50 from the row of 100.
    assert_eq!(moves.len(), 103);
}

async fn table_entry(client: &mut Client, game: &str, size: u32) -> Option<v1::TableEntry> {
    let game = game.to_owned();
    let response = soon(client.table(v1::TableRequest {
        game,
        within_ms: 10_000,
    }))
    .await;
    let entries = response.expect("a table").into_inner().entries;
    let mut found = entries
        .into_iter()
        .filter(|entry| (entry.size, entry.play) == (size, NORMAL));
    let first = found.next();
    assert_eq!(found.next(), None, "twice");
    first
}

#[tokio::test]
async fn tables_prefer_what_was_solved_here() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let published = table_entry(&mut client, "", 6).await.expect("published");
    assert_eq!(published.outcome, LOSS);
    assert_eq!(published.source, v1::Source::Atlas as i32);
    assert!(!published.citation.is_empty());
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, computation).await;
    let solved = table_entry(&mut client, "sprouts", 6).await;
    let solved = solved.expect("solved");
    assert_eq!((solved.outcome, solved.nimber), (LOSS, Some(0)));
    assert_eq!(solved.source, v1::Source::Store as i32);
    // Six pins are solved on the spot; 36 crosses are not known.
    let found = table_entry(&mut client, "kayles", 6).await.expect("found");
    assert_eq!(
        (found.outcome, found.source),
        (WIN, v1::Source::Derived as i32)
    );
    assert_eq!(table_entry(&mut client, "brussels", 36).await, None);
}

#[tokio::test]
async fn a_client_that_stops_reading_blocks_nobody() {
    let cluster = Cluster::start().await;
    let narrow = |endpoint: tonic::transport::Endpoint| endpoint.initial_stream_window_size(100);
    let mut lazy = Client::new(cluster.channel_with(narrow).await);
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*8").await;
    let unread = watch(&mut lazy, computation).await;
    for _ in 0..100 {
        let lease = worker.job().await.lease;
        let report = unsolved(lease, Vec::new());
        worker.report(report).await.expect("taken");
    }
    assert_eq!(now(&mut client, computation).await.expansions, 100);
    assert_eq!(query(&mut lazy, "0*2").await.nimber, Some(0));
    cancel(&mut lazy, computation).await;
    let all: Vec<_> = soon(unread.collect()).await;
    assert!(all.len() < 50, "{} were kept for it", all.len());
    let last = all.into_iter().last().expect("some").expect("no error");
    assert_eq!(last.status, v1::Status::Cancelled as i32);
}

#[tokio::test]
async fn a_paused_computation_takes_in_what_is_out_but_gives_nothing() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*7").await;
    let root = worker.job().await;
    pause(&mut client, computation).await;
    pause(&mut client, computation).await;
    assert!(!worker.renew(root.lease).await, "not wanted for now");
    let report = unsolved(root.lease, children(&root));
    worker.report(report).await.expect("taken");
    let paused = now(&mut client, computation).await;
    assert_eq!((paused.status, paused.jobs), (PAUSED, 0));
    assert_eq!(paused.expansions, 1);
    let other = start(&mut client, "0*8").await;
    assert_eq!(worker.job().await.computation, other);
    resume(&mut client, computation).await;
    let job = worker.job().await;
    assert_eq!(job.computation, computation);
    assert_ne!(job.state, root.state);
}

#[tokio::test]
async fn what_has_ended_is_not_paused_and_what_is_solved_is_not_resumed() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    cancel(&mut client, computation).await;
    let request = v1::PauseRequest { computation };
    let status = soon(client.pause(request)).await.expect_err("it has ended");
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    resume(&mut client, computation).await;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("welcome");
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    assert_eq!(end(&mut client, computation).await.status, SOLVED);
    let request = v1::ResumeRequest { computation };
    let status = soon(client.resume(request))
        .await
        .expect_err("it is solved");
    assert_eq!(status.code(), Code::FailedPrecondition, "{status}");
    let listed = list(&mut client).await;
    let [only] = &listed[..] else {
        panic!("one is expected: {listed:?}");
    };
    assert_eq!((only.computation, &*only.canonical), (computation, "0*6"));
    assert_eq!((only.play, only.priority, only.nimber), (NORMAL, 0, false));
    assert!(only.started_at > 1_700_000_000, "in seconds since 1970");
}
