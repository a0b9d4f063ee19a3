//! Workers that wait for a job: the order in which they get jobs, and how soon.

use std::time::{Duration, Instant};

use sproutnet_proto::v1;
use tonic::{Code, Status};

use sproutnet_testkit::cluster::facts::{children, state};
use sproutnet_testkit::cluster::hand::{Hand, for_games, unsolved};
use sproutnet_testkit::cluster::{
    Client, Cluster, cancel, fleet, list, pause, set_weight, soon, start, start_as, start_request,
};

/// Half of the wait of a lease call without a job. A call that is answered sooner was woken.
const WOKEN: Duration = Duration::from_millis(2500);

/// A waiting lease call.
struct Waiter(tokio::task::JoinHandle<(Result<Option<v1::Job>, Status>, Hand)>);

impl Waiter {
    fn new(mut worker: Hand, slot: u32) -> Self {
        Self(tokio::spawn(async move {
            let job = worker.lease_in(slot).await;
            (job, worker)
        }))
    }

    async fn answer(self) -> Result<Option<v1::Job>, Status> {
        soon(self.0).await.expect("no panic").0
    }
}

/// Waits until earlier calls have reached the coordinator.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(300)).await;
}

#[tokio::test]
async fn two_hundred_who_wait_get_jobs_at_once() {
    let cluster = Cluster::start().await;
    let client = cluster.client().await;
    let calls = cluster.worker_calls().await;
    let mut waiting = Vec::new();
    for _ in 0..200 {
        let worker = Hand::register(calls.clone(), "one of many").await;
        waiting.push(Waiter::new(worker, 0));
    }
    settle().await;
    let began = Instant::now();
    for spots in 7..207 {
        let mut client = client.clone();
        tokio::spawn(async move { start(&mut client, &format!("0*{spots}")).await });
    }
    for waiter in waiting {
        waiter.answer().await.expect("no error").expect("a job");
    }
    assert!(began.elapsed() < WOKEN, "{:?}", began.elapsed());
    println!(
        "200 jobs were started and given out in {:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn one_computation_wakes_many() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut waiting = Vec::new();
    for _ in 0..10 {
        waiting.push(Waiter::new(cluster.worker("waits").await, 0));
    }
    settle().await;
    let began = Instant::now();
    start(&mut client, "0*30").await;
    for waiter in waiting {
        let job = waiter.answer().await.expect("no error");
        assert!(job.is_some_and(|job| job.state == state("0*30")));
    }
    assert!(began.elapsed() < WOKEN, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_worker_that_comes_again_frees_what_it_held() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    start(&mut client, "0*7").await;
    let mut before = cluster.worker("comes again").await;
    let held = before.job().await;
    let calls = cluster.worker_calls().await;
    let after = Hand::register_as(calls, "comes again", before.identity).await;
    let job = cluster.worker("other").await.job().await;
    assert_eq!(job.state, held.state);
    assert_ne!(after.id, before.id);
    let status = before.lease_in(9).await.expect_err("forgotten");
    assert_eq!(status.code(), Code::NotFound, "{status}");
    let state = fleet(&mut client).await;
    assert_eq!((state.workers.len(), state.expired), (2, 1), "{state:?}");
}

/// The wake-up may reach the call of a worker that is no longer known.
#[tokio::test]
async fn who_is_woken_for_nothing_wakes_the_next() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let before = cluster.worker("comes again").await;
    let calls = cluster.worker_calls().await;
    let stale = Waiter::new(Hand::known_as(calls, before.id, before.identity), 17);
    settle().await;
    let waiting = Waiter::new(cluster.worker("waits").await, 0);
    settle().await;
    let calls = cluster.worker_calls().await;
    Hand::register_as(calls, "comes again", before.identity).await;
    let began = Instant::now();
    start(&mut client, "0*7").await;
    let job = waiting.answer().await.expect("no error");
    assert!(job.is_some());
    assert!(began.elapsed() < WOKEN, "{:?}", began.elapsed());
    let status = stale.answer().await.expect_err("forgotten");
    assert_eq!(status.code(), Code::NotFound, "{status}");
}

#[tokio::test]
async fn whoever_asks_again_has_lost_the_answer() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    start(&mut client, "0*7").await;
    let mut worker = cluster.worker("one").await;
    let lost = worker.lease_in(3).await.expect("no error").expect("a job");
    let began = Instant::now();
    let again = worker.lease_in(3).await.expect("no error").expect("a job");
    assert!(began.elapsed() < WOKEN, "{:?}", began.elapsed());
    assert_eq!(again.state, lost.state);
    assert_eq!(
        worker.renew_all(vec![lost.lease, again.lease]).await,
        [lost.lease]
    );
    let state = fleet(&mut client).await;
    assert_eq!((state.leased, state.expired), (2, 1));
    assert_eq!(state.workers[0].jobs, 1);
}

#[tokio::test]
async fn higher_priorities_come_first_and_of_equals_the_oldest() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let with = |spots: u32, priority| v1::StartRequest {
        priority: Some(priority),
        ..start_request(&format!("0*{spots}"))
    };
    let low = start_as(&mut client, with(7, -1)).await;
    let old = start_as(&mut client, with(8, 0)).await;
    let new = start_as(&mut client, with(9, 0)).await;
    let high = start_as(&mut client, with(10, 5)).await;
    for expected in [high, old, new, low] {
        assert_eq!(worker.job().await.computation, expected);
        if expected == high {
            // A lower priority gets no job while a higher one has jobs.
            assert_eq!(worker.job().await.computation, high);
            cancel(&mut client, high).await;
        }
        if expected == new {
            for equal in [old, new] {
                assert_ne!(worker.job().await.computation, low);
                cancel(&mut client, equal).await;
            }
        }
    }
    let raised = start_as(&mut client, with(11, 0)).await;
    let above = start_as(&mut client, with(12, 7)).await;
    assert_eq!(
        start_as(&mut client, with(11, 9)).await,
        raised,
        "it takes the new priority"
    );
    for (expected, spots) in [(raised, 11), (above, 12)] {
        let job = worker.job().await;
        assert_eq!(job.computation, expected);
        assert_eq!(job.state, state(&format!("0*{spots}")));
        cancel(&mut client, expected).await;
    }
}

#[tokio::test]
async fn an_easy_position_need_not_wait_for_a_hard_one_to_end() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let hard = start(&mut client, "0*9").await;
    let root = worker.job().await;
    let report = v1::Finding {
        expansions: 100_000,
        ..unsolved(root.lease, children(&root))
    };
    worker.report(report).await.expect("taken");
    assert_eq!(worker.job().await.computation, hard);
    let easy = start(&mut client, "0*8").await;
    let root = worker.job().await;
    assert_eq!(root.computation, easy);
    let report = v1::Finding {
        expansions: 100_000,
        ..unsolved(root.lease, children(&root))
    };
    worker.report(report).await.expect("taken");
    // The other one has a job out, which is charged. Then they take turns.
    assert_eq!(worker.job().await.computation, easy);
    let mut of_easy = 0;
    for _ in 0..4 {
        of_easy += u32::from(worker.job().await.computation == easy);
    }
    assert_eq!(of_easy, 2);
}

#[tokio::test]
async fn a_worker_of_few_games_keeps_nobody_from_a_job() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut calls = cluster.worker_calls().await;
    let few = soon(calls.register(for_games(&["wythoff"], 17))).await;
    let few = Hand::known_as(calls, few.expect("accepted").into_inner().worker, 17);
    let few = Waiter::new(few, 0);
    settle().await;
    let all = Waiter::new(cluster.worker("all games").await, 0);
    settle().await;
    // One slot is woken, and it is not the one that has waited longest.
    let began = Instant::now();
    let sprouts = start(&mut client, "0*8").await;
    let job = all.answer().await.expect("known").expect("a job");
    assert_eq!(job.computation, sprouts);
    assert!(began.elapsed() < WOKEN, "{:?}", began.elapsed());
    let pairs = start(&mut client, "wythoff:40,60").await;
    let job = few.answer().await.expect("known").expect("a job");
    assert_eq!(job.computation, pairs);
}

/// Why each computation waits.
async fn waits(client: &mut Client) -> Vec<v1::WaitsFor> {
    let listed = list(client).await;
    listed.iter().map(v1::Computation::waits_for).collect()
}

#[tokio::test]
async fn the_list_says_why_a_computation_waits() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let none = v1::WaitsFor::Unspecified;
    let heavy = v1::StartRequest {
        weight: Some(1000),
        ..start_request("0*8")
    };
    start_as(&mut client, heavy).await;
    assert_eq!(waits(&mut client).await, [v1::WaitsFor::Worker]);
    let mut worker = cluster.worker("one").await;
    worker.job().await;
    assert_eq!(waits(&mut client).await, [none]);
    let paused = start(&mut client, "0*9").await;
    pause(&mut client, paused).await;
    start(&mut client, "0*10").await;
    let low = v1::StartRequest {
        priority: Some(-1),
        ..start_request("0*11")
    };
    start_as(&mut client, low).await;
    let expected = [
        none,
        v1::WaitsFor::Resumption,
        v1::WaitsFor::Turn,
        v1::WaitsFor::Priority,
    ];
    assert_eq!(waits(&mut client).await, expected);
    let listed = list(&mut client).await;
    assert_eq!(listed[1].paused_by, None, "there are no tokens");
}

#[tokio::test]
async fn jobs_are_given_by_weight_and_the_weight_may_change() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let one = start(&mut client, "0*8").await;
    let three = v1::StartRequest {
        weight: Some(3),
        ..start_request("0*9")
    };
    let three = start_as(&mut client, three).await;
    let mut of_one = 0;
    for _ in 0..8 {
        of_one += u32::from(worker.job().await.computation == one);
    }
    assert_eq!(of_one, 2);
    set_weight(&mut client, one, 3).await;
    set_weight(&mut client, three, 1).await;
    for _ in 0..8 {
        of_one += u32::from(worker.job().await.computation == one);
    }
    assert_eq!(of_one, 8);
    for (computation, weight, code) in [
        (one, 0, Code::InvalidArgument),
        (one, 1001, Code::InvalidArgument),
        (99, 1, Code::NotFound),
    ] {
        let request = v1::SetWeightRequest {
            computation,
            weight,
        };
        let refused = soon(client.set_weight(request)).await;
        assert_eq!(refused.expect_err("refused").code(), code);
    }
    let unreadable = v1::StartRequest {
        label: "a\nb".to_owned(),
        ..start_request("0*9")
    };
    let refused = soon(client.start(unreadable)).await.expect_err("refused");
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(refused.message().starts_with("label: "), "{refused}");
}
