//! A worker that reported a false record is quarantined, and the records since its registration are revoked. A
//! coordinator that is killed meanwhile completes the revocation at its next start.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::{
    AuditShare, Config, Coordinator, Introduction, Report, ReportContent, Start,
};
use sproutnet_game as game;
use sproutnet_notation::ComputationId;
use sproutnet_proto::v1;
use sproutnet_solver::play::{Knowledge, Outcome, Play, Record, Rules};
use sproutnet_store::Store;
use tonic::Code;

use sproutnet_testkit::cluster::facts::{blocks, children, exact, excluded, land_key};
use sproutnet_testkit::cluster::hand::{Hand, fault, outcome, registration, unsolved};
use sproutnet_testkit::cluster::wire::{FAILED, RUNNING, SOLVED};
use sproutnet_testkit::cluster::{
    Client, Cluster, end, fleet, is_of_the_atlas, now, query, soon, start,
};

/// A coordinator that audits all records.
async fn court() -> Cluster {
    court_that_audits(1.0).await
}

/// A coordinator that audits only doubtful records.
async fn credulous() -> Cluster {
    court_that_audits(1e-9).await
}

async fn court_that_audits(share: f64) -> Cluster {
    let config = Config {
        audit: AuditShare::constant(share),
        seed: Some(1),
        ..Config::default()
    };
    Cluster::with(config, None).await
}

/// Waits until a worker is quarantined; returns it.
async fn quarantined(client: &mut Client) -> v1::SourceStatus {
    let began = Instant::now();
    loop {
        if let Some(aside) = fleet(client).await.quarantined.pop() {
            return aside;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "nobody");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until an ended computation is running again.
async fn goes_on(client: &mut Client, computation: u64) {
    let began = Instant::now();
    while now(client, computation).await.status != RUNNING {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "it does not go on"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn epoch_of(cluster: &Cluster) -> u64 {
    let request = registration("who asks", 77);
    let registered = cluster.worker_calls().await.register(request).await;
    registered.expect("accepted").into_inner().epoch
}

/// Waits until the coordinator is in the next epoch. Until then, it removes workers that register.
async fn revoked(cluster: &Cluster) {
    let began = Instant::now();
    while epoch_of(cluster).await == 0 {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "nothing is revoked"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn who_tells_a_false_record_is_quarantined_and_the_computation_goes_on() {
    let mut cluster = court().await;
    let mut client = cluster.client().await;
    let mut right = cluster.worker("right").await;
    right.hand_over(vec![exact("0*5", 1)]).await.expect("taken");
    let mut wrong = cluster.worker("wrong").await;
    let computation = start(&mut client, "0*8").await;
    // No other record contradicts it.
    wrong.hand_over(vec![exact("0*6", 1)]).await.expect("taken");
    let aside = quarantined(&mut client).await;
    assert_eq!((&*aside.name, aside.source), ("wrong", 2));
    assert!(
        aside.quarantine_reason.contains("normal 0*6: nimber 1"),
        "{aside:?}"
    );

    // Everything it sends is refused, with the reason.
    while let Ok(()) = wrong.hand_over(vec![exact("0*7", 0)]).await {
        // The revocation is still under way.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let late = wrong.hand_over(vec![exact("0*7", 0)]).await;
    assert_eq!(late.expect_err("refused").code(), Code::NotFound);
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
    let again = registration("wrong", wrong.identity);
    let refused = soon(wrong.calls.register(again))
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert!(refused.message().contains("nimber 1"), "{refused}");

    // The other worker has to register again, and goes on.
    let late = right.hand_over(vec![exact("0*7", 0)]).await;
    assert_eq!(late.expect_err("refused").code(), Code::NotFound);
    revoked(&cluster).await;
    let calls = cluster.worker_calls().await;
    let mut right = Hand::register_as(calls, "right", right.identity).await;
    let (known, _) = right.known(0).await;
    assert_eq!(known.get(&land_key("0*6")), None);
    assert_eq!(
        known.get(&land_key("0*5")),
        Some(&3),
        "what came before stays"
    );
    assert_eq!(epoch_of(&cluster).await, 1);
    right.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    let lease = right.job().await.lease;
    right
        .report(outcome(lease, Outcome::Loss))
        .await
        .expect("taken");
    assert_eq!(end(&mut client, computation).await.status, SOLVED);

    // To revoke it again would only remove what others proved since.
    let again = v1::RevokeRequest {
        source: "wrong".to_owned(),
    };
    let refused = soon(client.revoke(again)).await.expect_err("refused");
    assert_eq!(refused.code(), Code::FailedPrecondition, "{refused}");
    let (known, _) = right.known(0).await;
    assert!(known.contains_key(&land_key("0*6")), "{known:?}");

    // The same after a restart.
    cluster.restart().await;
    let mut client = cluster.client().await;
    assert_eq!(quarantined(&mut client).await.name, "wrong");
    let mut calls = cluster.worker_calls().await;
    let refused = calls.register(registration("wrong", wrong.identity)).await;
    assert_eq!(refused.expect_err("refused").code(), Code::PermissionDenied);
    assert_eq!(epoch_of(&cluster).await, 1);
}

#[tokio::test]
async fn a_false_outcome_of_a_job_is_found_as_a_false_record_is() {
    // A false outcome alone, and with a record that agrees with it.
    for told in [Vec::new(), vec![excluded("0*6", 0)]] {
        let cluster = court().await;
        let mut client = cluster.client().await;
        let computation = start(&mut client, "0*6").await;
        let mut wrong = cluster.worker("wrong").await;
        let lease = wrong.job().await.lease;
        // In truth, it is a loss.
        let report = v1::Finding {
            blocks: blocks(told),
            ..outcome(lease, Outcome::Win)
        };
        wrong.report(report).await.expect("taken");
        let aside = quarantined(&mut client).await;
        assert!(
            aside.quarantine_reason.contains("0*6: nimber not 0"),
            "{aside:?}"
        );
        goes_on(&mut client, computation).await;
        let answer = query(&mut client, "0*6").await;
        assert!(is_of_the_atlas(&answer), "{answer:?}");
    }
}

/// An honest worker built on a lie, and is contradicted first.
#[tokio::test]
async fn who_built_on_a_lie_is_not_the_one_to_blame() {
    let cluster = credulous().await;
    let (mut client, mut wrong) = (cluster.client().await, cluster.worker("wrong").await);
    wrong.hand_over(vec![exact("0*6", 1)]).await.expect("taken");
    let mut misled = cluster.worker("misled").await;
    misled
        .hand_over(vec![exact("0*8", 3)])
        .await
        .expect("taken");
    let mut right = cluster.worker("right").await;
    let computation = start(&mut client, "0*9").await;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*8", 0)]),
        ..unsolved(right.job().await.lease, Vec::new())
    };
    // The two contradict each other; it is not known yet which is right.
    right.report(report).await.expect("taken");
    let aside = quarantined(&mut client).await;
    assert_eq!(aside.name, "wrong", "{aside:?}");
    goes_on(&mut client, computation).await;
}

#[tokio::test]
async fn a_worker_that_cannot_go_on_points_at_the_lie() {
    let cluster = credulous().await;
    let (mut client, mut wrong) = (cluster.client().await, cluster.worker("wrong").await);
    wrong.hand_over(vec![exact("0*6", 1)]).await.expect("taken");
    let mut right = cluster.worker("right").await;
    let computation = start(&mut client, "0*9").await;
    let report = v1::Fault {
        disputed: land_key("0*6"),
        ..fault(right.job().await.lease, "two and two are five")
    };
    right.report(report).await.expect("taken");
    assert_eq!(quarantined(&mut client).await.name, "wrong");
    // It failed because of the contradiction, and runs again.
    goes_on(&mut client, computation).await;
}

#[tokio::test]
async fn without_deriving_anew_it_is_as_it_was() {
    let cluster = Cluster::start().await;
    let (mut client, mut wrong) = (cluster.client().await, cluster.worker("wrong").await);
    wrong.hand_over(vec![exact("0*6", 1)]).await.expect("taken");
    let mut right = cluster.worker("right").await;
    let computation = start(&mut client, "0*9").await;
    let job = right.job().await;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*6", 0)]),
        ..unsolved(job.lease, children(&job))
    };
    right.report(report).await.expect("taken");
    assert_eq!(end(&mut client, computation).await.status, FAILED);
    assert!(fleet(&mut client).await.quarantined.is_empty());
}

#[tokio::test]
async fn by_hand() {
    let cluster = Cluster::start().await;
    let (mut client, mut early) = (cluster.client().await, cluster.worker("early").await);
    early.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    let kept = start(&mut client, "0*6").await;
    let mut late = cluster.worker("late").await;
    late.hand_over(vec![exact("0*7", 0), excluded("0*9", 0)])
        .await
        .expect("taken");
    early.hand_over(vec![exact("0*8", 0)]).await.expect("taken");
    let lost = start(&mut client, "0*7").await;
    for computation in [kept, lost] {
        assert_eq!(end(&mut client, computation).await.status, SOLVED);
    }

    let sources = soon(client.sources(v1::SourcesRequest {})).await;
    let sources = sources.expect("a list").into_inner().sources;
    let list = sources.iter().map(|s| (&*s.name, s.records));
    assert_eq!(list.collect::<Vec<_>>(), [("early", 2), ("late", 2)]);
    let source = |source: &str| v1::RecordsRequest {
        source: source.to_owned(),
    };
    let records = soon(client.records(source("late"))).await.expect("known");
    let records = soon(records.into_inner().message())
        .await
        .expect("no error");
    let records = records.expect("a message").records;
    let mut says: Vec<String> = records
        .iter()
        .map(|told| format!("{}: {}", told.position, told.says))
        .collect();
    says.sort();
    assert_eq!(says, ["0*7: nimber 0", "0*9: nimber not 0"]);
    let unknown = soon(client.records(source("nobody"))).await;
    assert_eq!(unknown.expect_err("nobody").code(), Code::NotFound);

    for unknown in ["nobody", "9", "0"] {
        let source = unknown.to_owned();
        let refused = soon(client.revoke(v1::RevokeRequest { source })).await;
        assert_eq!(refused.expect_err(unknown).code(), Code::NotFound);
    }
    let source = "2".to_owned();
    let revoked = soon(client.revoke(v1::RevokeRequest { source })).await;
    let revoked = revoked.expect("done").into_inner().source;
    assert_eq!(revoked.expect("it").name, "late");
    assert_eq!(now(&mut client, kept).await.status, SOLVED);
    assert_eq!(now(&mut client, lost).await.status, RUNNING);
    assert_eq!(query(&mut client, "0*6").await.nimber, Some(0));
    for gone in ["0*7", "0*8"] {
        assert!(is_of_the_atlas(&query(&mut client, gone).await), "{gone}");
    }
    let two = cluster.worker("early").await;
    drop(two);
    let source = "early".to_owned();
    let refused = soon(client.revoke(v1::RevokeRequest { source })).await;
    let refused = refused.expect_err("two of that name");
    assert!(refused.message().contains("[1, 3]"), "{refused}");
}

/// The number of records before the revoked worker, and again after it.
const RECORDS: u32 = 20_000;

const FOLDER: &str = "SPROUTNET_WITHDRAWAL_TEST_FOLDER";
const TEST: &str = "revocations::one_that_is_killed_on_the_way_is_ended_at_the_next_start";
const LATE: &str = "late";

/// A coordinator in this process without a port.
struct Alone {
    coordinator: Coordinator,
    now: Instant,
}

impl Alone {
    fn open(folder: &Path) -> Self {
        let now = Instant::now();
        let coordinator = Coordinator::open(folder, Config::default(), now).expect("a store");
        Self { coordinator, now }
    }

    fn tell(&self, name: &str, identity: u64, records: Vec<Record>) {
        let who = Introduction {
            name: name.to_owned(),
            peer: Some("nowhere".to_owned()),
            cores: 1,
            identity,
            ..Introduction::default()
        };
        let registered = self.coordinator.jobs.register(who, self.now);
        let report = Report {
            worker: registered.expect("accepted").0,
            content: ReportContent::Delivery(blocks(records)),
        };
        self.coordinator
            .jobs
            .report(report, self.now)
            .expect("taken");
    }

    fn start(&self, position: &str) -> ComputationId {
        let start = Start {
            position,
            play: Play::Normal,
            nimber: false,
            deadline: None,
            priority: None,
            weight: None,
            owner: "",
            label: "",
        };
        let started = self.coordinator.computations.start(&start, self.now);
        started.expect("it starts").0
    }

    fn status(&self, computation: ComputationId) -> Status {
        let listed = self.coordinator.computations.listed(computation, self.now);
        listed.expect("it is kept").progress.status
    }
}

/// Outcomes of pairs of rows of pins, right or wrong.
fn rows(numbers: std::ops::Range<u32>) -> Vec<Record> {
    let knowledge = Knowledge::default();
    let kayles = knowledge.game("kayles").expect("a game");
    let pair = |n: u32| {
        let text = format!("{}+{}", 20 + n % 200, 300 + n / 200);
        let position = kayles.game().parse(&text).expect("two rows");
        let state = kayles.misere.state(&position).encode(&*kayles.misere);
        let record = kayles.record_of(Play::Misere, &state.expect("small"), Outcome::Win);
        record.expect("a state")
    };
    numbers.map(pair).collect()
}

/// Records of two workers, a result that follows from the first worker's records, and one that does not.
fn prepare(folder: &Path) -> [ComputationId; 2] {
    let alone = Alone::open(folder);
    alone.tell(
        "early",
        1,
        [rows(0..RECORDS), vec![exact("0*6", 0)]].concat(),
    );
    let first = alone.start("0*6");
    alone.tell(LATE, 2, vec![exact("0*7", 0)]);
    alone.tell("early", 1, rows(RECORDS..2 * RECORDS));
    let second = alone.start("0*7");
    assert_eq!(
        [first, second].map(|id| alone.status(id)),
        [Status::Solved; 2]
    );
    [first, second]
}

/// The child process: prints when it begins and when it is done, and waits to be killed.
fn revoke(folder: &Path) {
    let alone = Alone::open(folder);
    let say = |word: &str| {
        println!("{word}");
        std::io::stdout().flush().expect("somebody reads");
    };
    say("begins");
    let source = alone.coordinator.sources.named(LATE).expect("it is known");
    let done = alone
        .coordinator
        .sources
        .revoke(Some(source), "a test", alone.now);
    done.expect("a sound store");
    say("done");
    std::thread::sleep(Duration::from_secs(60));
}

fn begin(folder: &Path) -> (Child, impl Iterator<Item = String>) {
    let mut child = Command::new(env::current_exe().expect("this test"))
        .args([TEST, "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child");
    let stdout = child.stdout.take().expect("a pipe");
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.ends_with("begins")), "it begins");
    (child, lines)
}

#[test]
fn one_that_is_killed_on_the_way_is_ended_at_the_next_start() {
    if let Ok(folder) = env::var(FOLDER) {
        return revoke(Path::new(&folder));
    }
    let mut takes = Duration::ZERO;
    let (mut before, mut on_the_way, mut after) = (0, 0, 0);
    let rounds = 12;
    for round in 0..=rounds {
        let folder = tempfile::tempdir().expect("a folder");
        let [first, second] = prepare(folder.path());
        let (mut child, mut lines) = begin(folder.path());
        let began = Instant::now();
        if round == 0 {
            // The time of an undisturbed revocation.
            assert!(lines.any(|line| line.ends_with("done")), "it is done");
            takes = began.elapsed();
        } else {
            std::thread::sleep(takes * round / rounds);
        }
        child.kill().expect("it runs");
        child.wait().expect("it ran");
        let is_under_way = {
            let store = Store::open(folder.path(), &game::encodings()).expect("a store");
            store
                .get_document("withdrawal")
                .expect("readable")
                .is_some()
        };

        let alone = Alone::open(folder.path());
        let store = alone.coordinator.store();
        assert_eq!(store.get_document("withdrawal").expect("readable"), None);
        let aside = alone.coordinator.sources.quarantined();
        let status = [first, second].map(|id| alone.status(id));
        if aside.is_empty() {
            assert!(!is_under_way);
            assert_eq!(store.len(), 2 * RECORDS as usize + 2);
            assert_eq!((status, store.epoch().0), ([Status::Solved; 2], 0));
            before += 1;
            continue;
        }
        assert_eq!(aside[0].name, LATE);
        assert!(store.epoch().0 > 0);
        assert_eq!(store.len(), RECORDS as usize + 1);
        assert_eq!(store.get(&land_key("0*7")).expect("readable"), None);
        for record in store.iter() {
            assert_eq!(record.expect("readable").source, 1);
        }
        assert_eq!(status, [Status::Solved, Status::Running]);
        *if is_under_way {
            &mut on_the_way
        } else {
            &mut after
        } += 1;
        // Records after the revocation stay.
        alone.tell("early", 1, vec![exact("0*7", 0)]);
        drop(alone);
        let alone = Alone::open(folder.path());
        assert!(
            alone
                .coordinator
                .store()
                .get(&land_key("0*7"))
                .expect("readable")
                .is_some()
        );
    }
    println!("killed before {before}, on the way {on_the_way}, after {after}, of {takes:?}");
    assert!(on_the_way > 0, "never killed on the way");
}
