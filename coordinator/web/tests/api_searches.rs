//! What answers say of their searches.

use sproutnet_testkit::cluster::Cluster;

use crate::api::told;

#[tokio::test]
async fn one_learns_what_came_of_the_search() {
    let cluster = Cluster::start().await;
    for (path, searched) in [
        ("/positions/0*5?within_ms=10000", "yes"),
        ("/positions/0*40?within_ms=1000", "too large"),
        ("/positions/0*40?within_ms=0", "no"),
        ("/positions/0*4.1a1a?within_ms=0", "no"),
        ("/positions/0*12?within_ms=1", "out of time"),
    ] {
        let answer = told(&cluster, path).await;
        assert_eq!(answer["searched"], searched, "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_table_says_whether_positions_may_be_missing() {
    let cluster = Cluster::start().await;
    let table = "/tables/misere?game=octal(0.45)&limit=1000";
    let none = told(&cluster, &format!("{table}&within_ms=0")).await;
    assert_eq!(none["searched"], "no", "{none}");
    let short = told(&cluster, &format!("{table}&within_ms=1")).await;
    assert_eq!(short["searched"], "out of time", "{short}");
    let whole = told(&cluster, &format!("{table}&within_ms=10000")).await;
    let length = |of: &serde_json::Value| of["items"].as_array().expect("a list").len();
    assert!(length(&whole) > length(&short), "{short} {whole}");
    // The heaps of up to 35 tokens.
    assert_eq!(whole["searched"] == "yes", length(&whole) == 36, "{whole}");
}
