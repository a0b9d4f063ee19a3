//! Reports that are refused.

use sproutnet_notation::Play;
use sproutnet_proto::v1;
use tonic::Code;

use sproutnet_testkit::cluster::facts::{children, exact, excluded, impossible, land_key, record};
use sproutnet_testkit::cluster::hand::{is_invalid, unsolved};
use sproutnet_testkit::cluster::wire::RUNNING;
use sproutnet_testkit::cluster::{Cluster, forged, is_of_the_atlas, now, query, start};

#[tokio::test]
async fn malformed_records_are_refused_with_the_whole_report() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let malformed = [
        record(b"", 1),
        record(b"?n123", 1),
        record(&land_key("0*6")[..1], 1),
        record(&land_key("0*6")[..3], 1),
        record(b"Kn\0\0", 1),
        record(&[b"Kn".as_slice(), &[9; 100]].concat(), 1),
        record(b"Km\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1),
        exact("0*4", 1 << 40),
        // Nimbers of small lands are known without records.
        exact("0*2", 1),
        excluded("0*2", 0),
        exact("kayles:5", 2),
        // No nimber is left.
        record(&land_key("0*7"), u64::MAX - 1),
        record(&land_key("0*7"), (1 << 22) - 2),
    ];
    for bad in malformed {
        let records = vec![exact("0*6", 0), bad.clone()];
        let result = worker.hand_over(records).await;
        assert!(is_invalid(&result), "{bad:?}: {result:?}");
    }
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");
    let answer = query(&mut client, "0*6").await;
    assert!(is_of_the_atlas(&answer), "known, but not stored");
}

#[tokio::test]
async fn records_of_positions_that_no_drawing_has_are_refused() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    for text in ["0*9.A.B|ABC|0.1aCa", "0*9.abcabc", "0*5.ABCD|0*5.ACBD"] {
        for game in [Play::Normal, Play::Misere] {
            let records = vec![exact("0*6", 0), impossible(text, game)];
            let result = worker.hand_over(records).await;
            assert!(is_invalid(&result), "{text}: {result:?}");
            let message = result.unwrap_err().message().to_owned();
            assert!(message.contains("no drawing in the plane"), "{message}");
        }
    }
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");
}

#[tokio::test]
async fn records_too_long_for_the_store_are_refused() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    // A misère sum of 30,000 rows of one pin, which the player to move wins.
    let rows = [2, 0, 1].repeat(30_000);
    let key = [&b"Km\xb0\xea\x01"[..], &rows, &[0, 0]].concat();
    let result = worker.hand_over_blocks(vec![forged::of_one(&key, 1)]).await;
    assert!(is_invalid(&result), "{result:?}");
}

#[tokio::test]
async fn reports_that_make_no_sense_are_refused() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let job = worker.job().await;
    let zero = Some(v1::Numbers {
        proof: 0,
        disproof: 0,
    });
    for numbers in [None, zero] {
        let report = v1::Finding {
            numbers,
            ..unsolved(job.lease, Vec::new())
        };
        let result = worker.report(report).await;
        assert!(is_invalid(&result), "{numbers:?}: {result:?}");
    }
    assert!(worker.renew(job.lease).await, "still held");
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}

#[tokio::test]
async fn numbers_of_children_that_claim_an_outcome_are_ignored() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    for (proof, disproof) in [(0, u32::MAX), (u32::MAX, 0), (0, 0), (7, 0)] {
        let job = worker.job().await;
        let mut below = children(&job);
        for child in &mut below {
            (child.proof, child.disproof) = (proof, disproof);
        }
        let report = v1::Finding {
            children: below,
            ..unsolved(job.lease, Vec::new())
        };
        worker.report(report).await.expect("taken");
        assert_eq!(now(&mut client, computation).await.status, RUNNING);
        assert_eq!(worker.job().await.state, job.state);
    }
}

#[tokio::test]
async fn messages_that_are_too_large_are_refused() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    let huge = vec![vec![b'S'; (16 << 20) + 1]];
    let status = worker.hand_over_blocks(huge).await;
    let status = status.expect_err("too large");
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    let records = vec![exact("0*6", 0)];
    worker.hand_over(records).await.expect("taken");
}
