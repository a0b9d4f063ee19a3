//! The pages about the fleet and about the API.

use crate::browser::get;
use crate::pages::shown;
use sproutnet_testkit::cluster::{Cluster, soon, start};

#[tokio::test]
async fn the_fleet_has_a_page() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/fleet").await;
    for text in [
        "No worker is connected.",
        "No computation has been started yet.",
        "The store has ",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let mut client = cluster.client().await;
    start(&mut client, "0*30").await;
    let page = shown(&cluster, "/fleet").await;
    assert!(page.contains("It waits: "), "{page}");
    let _worker = cluster.worker("a <b>worker</b>").await;
    let page = shown(&cluster, "/fleet").await;
    assert!(page.contains("a &lt;b&gt;worker&lt;/b&gt;"), "{page}");
    // The headings differ, and so do the two figures of records.
    let parts = [
        "<h1>Fleet</h1>",
        ">Workers</h2>",
        "<dt>Records</dt>",
        "<small>in the store, ",
        "data-label=\"New records\"",
    ];
    for part in parts {
        assert!(page.contains(part), "{part}: {page}");
    }
    let version = "data-label=\"Version\">unknown<";
    assert!(page.contains(version), "{page}");
    // The menu of each page leads there.
    assert!(shown(&cluster, "/help").await.contains("href=\"/fleet\""));
}

#[tokio::test]
async fn every_request_is_listed_and_every_example_works() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/api").await;
    let contract = soon(get(cluster.http(), "/api/v1/openapi.json", None)).await;
    let contract = contract.json();
    let mut listed = 0;
    for (path, operations) in contract["paths"].as_object().expect("paths") {
        for method in operations.as_object().expect("operations").keys() {
            let name = format!("<h3><code>{} /api/v1{path}</code>", method.to_uppercase());
            assert!(page.contains(&name), "{name}");
            listed += 1;
        }
    }
    assert_eq!(page.matches("<h3>").count(), listed);
    assert!(!page.contains("></h2>"), "each topic has a name");
    for topic in page.split("<h2 id=\"").skip(1) {
        let (id, _) = topic.split_once('"').expect("an id");
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    assert!(!page.contains('`') && page.contains("<code>Authorization: Bearer TOKEN</code>"));
    let examples = page.split("Try <a href=\"").skip(1);
    let examples: Vec<String> = examples
        .filter_map(|rest| rest.split('"').next())
        .map(|link| link.replace("&amp;", "&"))
        .collect();
    assert!(examples.len() >= 12, "{examples:?}");
    for example in examples {
        // This cluster has no folder of certificates.
        let expected = match &*example {
            "/api/v1/certificates/normal-8" => 404,
            _ => 200,
        };
        let answer = soon(get(cluster.http(), &example, None)).await;
        assert_eq!(answer.status, expected, "{example}: {}", answer.text);
    }
    for from in ["/help", "/"] {
        assert!(
            shown(&cluster, from).await.contains("href=\"/api\""),
            "{from}"
        );
    }
}
