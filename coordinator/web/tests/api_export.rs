//! Exports over HTTP.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use sproutnet_coordinator::with_rules;
use sproutnet_game as game;
use sproutnet_store::Store;
use sproutnet_store::transfer::Import;
use sproutnet_testkit::cluster::Cluster;
use sproutnet_testkit::cluster::facts::exact;

use crate::api_certificates::raw;

const PATH: &str = "/api/v1/export";

/// The chunks of a body, put together.
fn joined(mut body: &[u8]) -> Vec<u8> {
    let mut joined = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n");
        let end = end.expect("a chunk begins");
        let length = std::str::from_utf8(&body[..end]).expect("digits");
        let length = usize::from_str_radix(length, 16).expect("digits");
        if length == 0 {
            return joined;
        }
        joined.extend(&body[end + 2..][..length]);
        body = &body[end + 2 + length + 2..];
    }
}

/// The keys that an export brings into an empty store.
fn imported(file: &[u8]) -> BTreeSet<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.export");
    fs::write(&path, file).expect("written");
    let store = Store::open(&folder.path().join("store"), &game::encodings()).expect("a store");
    with_rules(|rules| {
        let (store, now) = (&store, 0);
        let import = Import { store, rules, now };
        import.file(&path, &mut |_| ControlFlow::Continue(()))
    })
    .expect("a sound file");
    let keys = store.iter().map(|stored| stored.expect("sound").record.key);
    keys.map(Vec::from).collect()
}

#[tokio::test]
async fn an_export_has_all_records_of_a_coordinator_in_use() {
    let cluster = Cluster::start().await;
    let none = raw(&cluster, &format!("GET {PATH}"), "", b"").await;
    assert_eq!(none.status, 200);
    assert_eq!(imported(&joined(&none.body)), BTreeSet::new());

    let mut worker = cluster.worker("w").await;
    let facts = [("0*3", 1), ("0*4", 1), ("0*5", 1), ("0*6", 0)];
    let facts = facts.map(|(position, nimber)| exact(position, nimber));
    worker.hand_over(facts.to_vec()).await.expect("taken");
    let all = raw(&cluster, &format!("GET {PATH}"), "", b"").await;
    assert!(
        all.head.contains("filename=\"sproutnet.export\""),
        "{}",
        all.head
    );
    let keys = imported(&joined(&all.body));
    assert_eq!(keys.len(), facts.len());
    assert_eq!(keys, cluster.records().await);
    // Who proved them is told, too.
    let name = b"\"w\"";
    assert!(all.body.windows(name.len()).any(|part| part == name));

    let misere = raw(&cluster, &format!("GET {PATH}?play=misere"), "", b"").await;
    assert_eq!(imported(&joined(&misere.body)), BTreeSet::new());
    let wrong = raw(&cluster, &format!("GET {PATH}?play=other"), "", b"").await;
    assert_eq!(wrong.status, 400);
}
