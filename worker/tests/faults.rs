//! Workers whose facts contradict each other.

use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_solver::play::Record;
use sproutnet_store::{OWN, Sourced, Worth, block};
use v1::Play::Normal;

use crate::fake::{Asked, Fake, Script, job, records_of};
use sproutnet_testkit::cluster::Running;

/// The record with another nimber, as a block.
fn denied(record: &Record) -> Vec<u8> {
    let denied = Sourced {
        key: &record.key,
        value: record.value ^ 2,
        worth: Worth::LEAST,
        source: OWN,
    };
    block::encode([denied]).expect("one record")
}

#[tokio::test]
async fn a_contradiction_is_reported_and_the_worker_resets_without_it() {
    let small = job(1, "0*9", Normal, Duration::from_secs(60));
    let mut fake = Fake::serve(Script::with_jobs([small])).await;
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Running::in_folder(fake.address, folder.path());
    let mut proved = Vec::new();
    fake.until(|asked| {
        proved.extend(records_of(&asked));
        matches!(asked, Asked::Found(finding) if finding.lease == 1).then_some(())
    })
    .await;
    let exact = proved.iter().rfind(|record| record.value & 1 == 1);
    let exact = exact.expect("a nimber").clone();
    fake.script
        .feed
        .send_modify(|blocks| blocks.push(denied(&exact)));
    let mut fault = String::new();
    fake.until(|asked| match asked {
        Asked::Faulted(reported) => {
            fault = reported.reason;
            None
        }
        // It resets.
        Asked::Fed(0) => Some(()),
        _ => None,
    })
    .await;
    assert!(fault.contains("contradiction"), "{fault}");
    worker.stop().await;

    // Another coordinator gets all records except the disputed one.
    let script = Script {
        store: 8,
        ..Script::default()
    };
    let mut other = Fake::serve(script).await;
    let worker = Running::in_folder(other.address, folder.path());
    let sent = other.records_within(Duration::from_secs(4)).await;
    worker.stop().await;
    assert!(sent.iter().all(|record| record.key != exact.key));
    let others = proved.iter().filter(|record| record.key != exact.key);
    assert!(others.clone().count() > 0);
    for record in others {
        assert!(sent.iter().any(|sent| sent.key == record.key), "{record:?}");
    }
}

#[tokio::test]
async fn a_job_of_the_contradiction_ends_by_the_fault_and_another_goes_back() {
    let minute = Duration::from_secs(60);
    let jobs = [
        job(2, "0*24", v1::Play::Misere, minute),
        job(3, "0*33", Normal, minute),
    ];
    let mut fake = Fake::serve(Script::with_jobs(jobs)).await;
    let worker = Running::at(fake.address, 2);
    // Sprouts under normal play is under way, and something of it is proved.
    let mut proved = None;
    fake.until(|asked| {
        let found = records_of(&asked)
            .into_iter()
            .rfind(|record| record.value & 1 == 1 && record.key[..2] == *b"Sn");
        proved = proved.take().or(found);
        matches!(asked, Asked::Renewed(renewal) if renewal.leases == [2, 3] && proved.is_some())
            .then_some(())
    })
    .await;
    let denied = denied(&proved.expect("a nimber"));
    fake.script.feed.send_modify(|blocks| blocks.push(denied));
    let (mut at_fault, mut released) = (0, 0);
    fake.until(|asked| {
        match asked {
            Asked::Faulted(fault) => at_fault = fault.lease.unwrap_or_default(),
            Asked::Released(lease) => released = lease,
            _ => {}
        }
        (at_fault > 0 && released > 0).then_some(())
    })
    .await;
    assert_eq!((at_fault, released), (3, 2));
    worker.stop().await;
}
