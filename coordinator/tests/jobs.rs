//! The life of a job: leased, renewed, released, reported.

use std::collections::BTreeSet;

use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;

use sproutnet_testkit::cluster::facts::{
    blocks, children, children_with_states, exact, land_key, state, true_outcome,
};
use sproutnet_testkit::cluster::hand::{Hand, outcome, unsolved};
use sproutnet_testkit::cluster::wire::{FAILED, LOSS, RUNNING, SOLVED};
use sproutnet_testkit::cluster::{
    Client, Cluster, cancel, end, now, start, start_as, start_request,
};

#[tokio::test]
async fn the_first_job_is_the_root_and_solving_it_solves_the_computation() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let job = worker.job().await;
    assert_eq!(job.state, state("0*6"));
    assert_eq!(job.game, "sprouts");
    assert_eq!(job.play, v1::Play::Normal as i32);
    assert!(0 < job.slice_ms && job.slice_ms < job.expires_ms);
    let report = v1::Finding {
        expansions: 7,
        ..outcome(job.lease, Outcome::Loss)
    };
    worker.report(report).await.expect("taken");
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (SOLVED, LOSS));
    assert_eq!(ended.source, v1::Source::Search as i32);
    assert_eq!(ended.expansions, 7);
}

#[tokio::test]
async fn several_workers_search_one_state_and_then_its_children() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    start(&mut client, "0*6").await;
    let root = one.job().await;
    let mut two = cluster.worker("two").await;
    let same = two.job().await;
    assert_eq!(same.state, root.state, "little was searched yet");
    assert_ne!(same.lease, root.lease);

    let below = children_with_states(&root);
    let states: Vec<Vec<u8>> = below.iter().map(|(state, _)| state.clone()).collect();
    let report = unsolved(root.lease, children(&root));
    one.report(report).await.expect("taken");
    let jobs = [one.job().await, one.job().await, one.job().await];
    assert_eq!(
        jobs[0].state, states[0],
        "the child of least disproof number"
    );
    let mut seen = BTreeSet::new();
    for job in &jobs {
        assert!(states.contains(&job.state), "not a child");
        assert!(
            seen.insert(job.state.clone()),
            "a job makes its state look harder"
        );
        // The next child becomes better where its disproof number is exceeded by a tenth.
        let limit = job.limit.expect("a limit");
        assert!((11..100).contains(&limit.disproof), "{limit:?}");
    }
    // A late report on the same state does no harm.
    two.report(unsolved(same.lease, Vec::new()))
        .await
        .expect("taken");
    assert!(states.contains(&two.job().await.state));
}

#[tokio::test]
async fn a_worker_without_work_is_told_so() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("idle").await;
    assert_eq!(worker.lease().await, None);
}

#[tokio::test]
async fn a_released_job_goes_to_another_worker() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    start(&mut client, "0*6").await;
    let first = one.job().await;
    let mut two = cluster.worker("two").await;
    one.release(first.lease).await;
    let second = two.job().await;
    assert_eq!(second.state, first.state);
    assert_ne!(second.lease, first.lease);
    assert!(!one.renew(first.lease).await, "released");
}

#[tokio::test]
async fn renewal_tells_whether_the_lease_is_held() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    let mut two = cluster.worker("two").await;
    start(&mut client, "0*6").await;
    let lease = one.job().await.lease;
    assert!(one.renew(lease).await);
    assert!(!two.renew(lease).await, "of another worker");
    assert!(!one.renew(lease + 1).await, "never given");
    assert!(one.renew(lease).await);
    let report = outcome(lease, Outcome::Loss);
    one.report(report).await.expect("taken");
    assert!(!one.renew(lease).await, "reported");
}

#[tokio::test]
async fn the_jobs_of_a_cancelled_computation_are_not_wanted() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    cancel(&mut client, computation).await;
    assert!(!worker.renew(lease).await);
}

#[tokio::test]
async fn a_repeated_report_changes_nothing_but_its_records_are_kept() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let root = worker.job().await;
    let report = unsolved(root.lease, children(&root));
    worker.report(report).await.expect("taken");
    let before = now(&mut client, computation).await;
    let again = v1::Finding {
        blocks: blocks(vec![exact("0*4", 1)]),
        ..outcome(root.lease, Outcome::Win)
    };
    worker.report(again).await.expect("welcome");
    assert_eq!(now(&mut client, computation).await, before);
    let (known, _) = worker.known(0).await;
    assert_eq!(known.get(&land_key("0*4")), Some(&3));
}

#[tokio::test]
async fn a_report_for_the_lease_of_another_changes_nothing_but_its_records_are_kept() {
    let cluster = Cluster::start().await;
    let (mut client, mut holder) = (cluster.client().await, cluster.worker("holder").await);
    let mut other = cluster.worker("other").await;
    let computation = start(&mut client, "0*6").await;
    let lease = holder.job().await.lease;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*4", 1)]),
        ..outcome(lease, Outcome::Win)
    };
    other.report(report).await.expect("welcome");
    other.release(lease).await;
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
    assert!(holder.renew(lease).await, "still held");
    let (known, _) = other.known(0).await;
    assert_eq!(known.get(&land_key("0*4")), Some(&3));
}

/// A nimber takes several proofs in turn. Returns two jobs of the first proof that are still out, and then the first
/// job of the second proof.
async fn out_in_two_proofs(client: &mut Client, worker: &mut Hand) -> (u64, [v1::Job; 3]) {
    let request = v1::StartRequest {
        nimber: true,
        ..start_request("0*4")
    };
    let computation = start_as(client, request).await;
    let root = worker.job().await;
    let below = children(&root);
    let count = below.len();
    let report = unsolved(root.lease, below);
    worker.report(report).await.expect("taken");
    let mut out: Vec<v1::Job> = Vec::new();
    for _ in 0..20 * count {
        let job = worker.job().await;
        if out.iter().all(|other| other.state != job.state) {
            out.push(job);
        }
    }
    assert_eq!(out.len(), count, "each child is a job");
    // A lost child proves that the nimber is not 0.
    let is_lost = |job: &v1::Job| true_outcome(&job.state) == Outcome::Loss;
    let lost = out.swap_remove(out.iter().position(is_lost).expect("0*4 is a win"));
    let report = outcome(lost.lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    let next = worker.job().await;
    assert_ne!(next.state, root.state, "the same land beside *1");
    let late = [out.pop(), out.pop()].map(|job| job.expect("several children"));
    let [one, other] = late;
    (computation, [one, other, next])
}

#[tokio::test]
async fn a_report_from_an_earlier_proof_is_not_taken_for_one_of_the_next() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let (computation, [one, other, next]) = out_in_two_proofs(&mut client, &mut worker).await;
    // Now the second proof has children too.
    let report = unsolved(next.lease, children(&next));
    worker.report(report).await.expect("taken");
    for late in [one, other] {
        let report = outcome(late.lease, true_outcome(&late.state));
        worker.report(report).await.expect("welcome");
    }
    while now(&mut client, computation).await.status == RUNNING {
        solve_one(&mut worker).await;
    }
    let ended = now(&mut client, computation).await;
    assert_eq!((ended.status, ended.nimber), (SOLVED, Some(1)), "{ended:?}");
}

#[tokio::test]
async fn a_job_of_an_earlier_proof_can_be_released_and_reported() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let (_, [one, other, next]) = out_in_two_proofs(&mut client, &mut worker).await;
    worker.release(one.lease).await;
    let report = outcome(other.lease, true_outcome(&other.state));
    worker.report(report).await.expect("welcome");
    assert!(worker.renew(next.lease).await);
}

async fn solve_one(worker: &mut Hand) {
    if let Some(job) = worker.lease().await {
        let report = outcome(job.lease, true_outcome(&job.state));
        worker.report(report).await.expect("taken");
    }
}

/// Leases do not outlive the coordinator, and their numbers must not be mistaken for new ones.
#[tokio::test]
async fn a_report_from_before_a_restart_is_not_taken_for_one_of_a_new_job() {
    let mut cluster = Cluster::start().await;
    let mut before = cluster.worker("before").await;
    let lost = start(&mut cluster.client().await, "0*6").await;
    let old = before.job().await;
    cluster.restart().await;

    let mut after = cluster.worker("after").await;
    let mut client = cluster.client().await;
    cancel(&mut client, lost).await;
    let computation = start(&mut client, "0*9").await;
    after.job().await;
    let calls = cluster.worker_calls().await;
    let mut before = Hand::known_as(calls, before.id, before.identity);
    // 0*6 is a loss, 0*9 is a win. Whether the old worker is still known is left open.
    let _ = before.report(outcome(old.lease, Outcome::Loss)).await;
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}

/// A search may panic, or crash its worker, each time.
#[tokio::test]
async fn a_job_that_always_fails_does_not_go_round_for_ever() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("unlucky").await);
    let computation = start(&mut client, "0*7").await;
    for round in 0..40 {
        let job = worker.job().await;
        if round == 10 {
            // The job can be searched, so the count starts anew.
            let report = unsolved(job.lease, Vec::new());
            worker.report(report).await.expect("taken");
            continue;
        }
        worker.give_up(job.lease).await;
        let progress = now(&mut client, computation).await;
        if progress.status == FAILED {
            assert_eq!(round, 10 + 16);
            let ended = end(&mut client, computation).await;
            assert!(
                ended.fault.contains("16 workers in a row"),
                "{}",
                ended.fault
            );
            return;
        }
    }
    panic!("it goes round and round");
}
