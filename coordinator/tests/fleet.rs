//! The state of the coordinator and its workers, as clients see it.

use std::time::{Duration, Instant};

use sproutnet_proto::v1;

use sproutnet_testkit::cluster::facts::{children, exact, true_record};
use sproutnet_testkit::cluster::hand::unsolved;
use sproutnet_testkit::cluster::{Cluster, fleet, now, start};

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
    // An average over ten seconds, mostly idle.
    let rate = told.expansions_per_second;
    let share = 1.0 - (-passed / 10.0).exp();
    assert!(
        rate > 0.5 * share * 3000.0 / passed,
        "{rate} after {passed} s"
    );
    assert!(rate < 3000.0 / 0.3, "{rate} after {passed} s");
}

#[tokio::test]
async fn a_worker_that_leaves_is_gone_at_once_and_its_job_is_free() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    start(&mut client, "0*7").await;
    let job = one.job().await;
    let told = v1::RenewRequest {
        expansions: 600,
        leaving: true,
        ..v1::RenewRequest::default()
    };
    one.tell(told).await;
    let state = fleet(&mut client).await;
    assert!(state.workers.is_empty(), "{state:?}");
    assert_eq!(cluster.worker("two").await.job().await.state, job.state);
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
    assert_eq!(again.state, job.state);
    while fleet(&mut client).await.expired == 0 {
        assert!(busy.renew(again.lease).await, "it is renewed");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let state = fleet(&mut client).await;
    assert_eq!((state.leased, state.expired), (2, 1), "{state:?}");
    assert!(!lazy.renew(job.lease).await);
}

#[tokio::test]
async fn a_job_whose_state_others_solved_is_not_wanted_any_more() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    start(&mut client, "0*7").await;
    let root = one.job().await;
    one.report(unsolved(root.lease, children(&root)))
        .await
        .expect("taken");
    let (first, second) = (one.job().await, one.job().await);
    let held = vec![first.lease, second.lease];
    assert!(one.renew_all(held.clone()).await.is_empty());
    let mut other = cluster.worker("other").await;
    other
        .hand_over(vec![true_record(&second)])
        .await
        .expect("taken");
    assert_eq!(one.renew_all(held).await, [second.lease]);
    // Its result is still accepted.
    one.report(unsolved(second.lease, Vec::new()))
        .await
        .expect("taken");
}
