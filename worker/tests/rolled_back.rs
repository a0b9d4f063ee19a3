//! A coordinator whose store was rolled back gets back what a worker proved.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_solver::play::Record;
use sproutnet_store::{OWN, Store, number_of};
use sproutnet_testkit::cluster::wire::SOLVED;
use sproutnet_testkit::cluster::{Cluster, Running, end, soon, start_under};
use sproutnet_testkit::folder;

use crate::fake::{Fake, Script, job, records_of};

const QUIET: Duration = Duration::from_secs(4);

/// The records in a store that were proved by its process.
fn proved(store: &Path) -> BTreeSet<Record> {
    let store = Store::open(store, &game::encodings()).expect("a store");
    let all = store.iter().map(|kept| kept.expect("a sound store"));
    let own = all.filter(|kept| number_of(kept.source) == OWN);
    own.map(|kept| kept.record).collect()
}

/// A fake coordinator with this history of its store: timelines 1, 2, … begin after these blocks.
fn with_history(begins: &[u64], cursor: u64) -> Script {
    let timelines = (1..).zip(begins);
    let timelines = timelines.map(|(id, &after)| v1::Timeline { id, after });
    Script {
        history: Some(v1::History {
            timelines: timelines.collect(),
            cursor,
        }),
        ..Script::default()
    }
}

#[tokio::test]
async fn a_worker_that_was_away_sends_all_if_the_store_lost_something() {
    let dir = tempfile::tempdir().expect("a folder");
    let [first, second] = ["first", "second"].map(|name| dir.path().join(name));
    let mark = v1::Mark {
        timeline: 1,
        cursor: 5,
    };
    let hard = job(1, "0*24", v1::Play::Misere, Duration::from_secs(60));
    let mut fake = Fake::serve(Script {
        mark: Some(mark),
        ..Script::with_jobs([hard])
    })
    .await;
    let worker = Running::in_folder(fake.address, &first);
    fake.until(|asked| (!records_of(&asked).is_empty()).then_some(()))
        .await;
    worker.stop().await;
    let delivered = proved(&first.join("0"));
    assert!(!delivered.is_empty());
    folder::copy(&first, &second);

    let lost_nothing = [with_history(&[0], 5), with_history(&[0, 5], 7)];
    for script in lost_nothing {
        let mut fake = Fake::serve(script).await;
        let worker = Running::in_folder(fake.address, &first);
        let again = fake.records_within(QUIET).await;
        assert!(again.is_empty(), "{} again", again.len());
        worker.stop().await;
    }
    // The second store has gone on beyond the number of the lost block.
    let lost_some = [with_history(&[0], 4), with_history(&[0, 4], 9)];
    for (script, folder) in lost_some.into_iter().zip([first, second]) {
        let mut fake = Fake::serve(script).await;
        let worker = Running::in_folder(fake.address, &folder);
        let sent: BTreeSet<Record> = fake.records_within(QUIET).await.into_iter().collect();
        assert!(sent == delivered, "{} of {}", sent.len(), delivered.len());
        worker.stop().await;
    }
}

/// Waits until the coordinator has all these keys.
async fn until_it_has(cluster: &Cluster, keys: &BTreeSet<Vec<u8>>) {
    soon(async {
        while !cluster.records().await.is_superset(keys) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    })
    .await;
}

async fn solve(cluster: &Cluster, position: &str) {
    let mut client = cluster.client().await;
    let computation = start_under(&mut client, position, v1::Play::Misere).await;
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, SOLVED);
}

#[tokio::test]
async fn a_worker_that_runs_sends_all_that_an_older_copy_lacks() {
    let dir = tempfile::tempdir().expect("a folder");
    let [copied, own] = ["copied", "worker"].map(|name| dir.path().join(name));
    let mut cluster = Cluster::start().await;
    let worker = Running::in_folder(cluster.address(), &own);
    solve(&cluster, "0*5").await;
    cluster.kill().await;
    folder::copy(cluster.data(), &copied);
    cluster.run().await;
    solve(&cluster, "0*8").await;
    let proved: BTreeSet<Vec<u8>> = {
        let copy = sproutnet_store::Copy::of(&own.join("0")).expect("a copy");
        let records = proved(copy.path());
        records
            .into_iter()
            .map(|record| Vec::from(record.key))
            .collect()
    };
    until_it_has(&cluster, &proved).await;
    cluster.kill().await;
    folder::put_back(&copied, cluster.data());
    let older = {
        let store = Store::open(cluster.data(), &game::encodings()).expect("a store");
        let all = store.iter().map(|kept| kept.expect("sound").record.key);
        all.map(Vec::from).collect::<BTreeSet<_>>()
    };
    assert!(!older.is_superset(&proved), "it lost something");
    cluster.run().await;

    until_it_has(&cluster, &proved).await;
    worker.stop().await;
}
