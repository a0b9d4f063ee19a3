//! Access to the API: the token, and pages of other sites.

use serde_json::json;
use sproutnet_coordinator::Config;

use crate::api::{COMPUTATIONS, told};
use crate::browser::{Page, ask, get, post_json};
use sproutnet_testkit::cluster::{Cluster, soon};

#[tokio::test]
async fn pages_of_other_sites_read_and_change_nothing() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    let elsewhere = [
        ("Origin", "http://example.org"),
        ("Sec-Fetch-Site", "cross-site"),
    ];
    let read = soon(ask(address, "GET", "/api/v1/fleet", &elsewhere, "")).await;
    assert_eq!(read.status, 200);
    assert_eq!(read.header("access-control-allow-origin"), Some("*"));
    let preflight = [
        ("Origin", "http://example.org"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let permission = soon(ask(address, "OPTIONS", COMPUTATIONS, &preflight, "")).await;
    let methods = permission.header("access-control-allow-methods");
    assert!(methods.is_none_or(|methods| !methods.contains("post")));
    let body = json!({ "position": "0*9", "play": "normal" }).to_string();
    let mut headers = elsewhere.to_vec();
    headers.push(("Content-Type", "application/json"));
    let refused = soon(ask(address, "POST", COMPUTATIONS, &headers, &body)).await;
    assert_eq!(refused.status, 403);
    assert_eq!(told(&cluster, "/computations").await["total"], 0);
}

/// What a page of another site asks before it sends its own request.
async fn preflight(cluster: &Cluster, path: &str, method: &str) -> Page {
    let headers = [
        ("Origin", "http://example.org"),
        ("Access-Control-Request-Method", method),
        (
            "Access-Control-Request-Headers",
            "authorization,content-type",
        ),
    ];
    soon(ask(cluster.http(), "OPTIONS", path, &headers, "")).await
}

#[tokio::test]
async fn pages_of_other_sites_find_out_what_they_may_without_the_token() {
    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";
    let cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    for (path, may_post) in [
        ("/api/v1/positions/0*8", false),
        ("/api/v1/positions", true),
        (COMPUTATIONS, false),
    ] {
        let permission = preflight(&cluster, path, "POST").await;
        assert_eq!(permission.status, 204, "{path}");
        let header = |name| permission.header(name).unwrap_or_default();
        assert_eq!(header("access-control-allow-origin"), "*");
        assert!(header("access-control-allow-headers").contains("authorization"));
        let methods = header("access-control-allow-methods");
        assert!(methods.contains("get"), "{path}: {methods}");
        assert_eq!(methods.contains("post"), may_post, "{path}: {methods}");
    }
    // Nothing else passes without the token, and a page may see why.
    let address = cluster.http();
    let refused = soon(get(address, "/api/v1/fleet", None)).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.json()["code"], "token-missing");
    assert!(
        refused.text.contains("Authorization: Bearer"),
        "{}",
        refused.text
    );
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    let refused = soon(get(address, "/api/v1/fleet", Some("wrong-wrong-wrong"))).await;
    assert_eq!(refused.json()["code"], "token-wrong");
    let options = soon(ask(address, "OPTIONS", "/api/v1/fleet", &[], "")).await;
    assert_eq!(options.status, 401, "no method is asked about");
    let pages = preflight(&cluster, "/positions/0*8", "GET").await;
    assert_eq!(pages.status, 401, "only the API is open to other sites");
}

#[tokio::test]
async fn the_token_is_asked_for_where_there_is_one() {
    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";
    let cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    let address = cluster.http();
    for path in ["/openapi.json", "/fleet", "/positions/0*8", "/nothing"] {
        let path = format!("/api/v1{path}");
        for token in [None, Some("wrong-wrong-wrong")] {
            let page = soon(get(address, &path, token)).await;
            assert_eq!(page.status, 401, "{path}");
            assert_eq!(page.header("www-authenticate"), Some("bearer"));
        }
    }
    let page = soon(get(address, "/api/v1/fleet", Some(TOKEN))).await;
    assert_eq!(page.status, 200);
    let body = json!({ "position": "0*9", "play": "normal" }).to_string();
    let refused = soon(post_json(address, COMPUTATIONS, &body)).await;
    assert_eq!(refused.status, 401);
    let token = format!("Bearer {TOKEN}");
    let headers = [
        ("Content-Type", "application/json"),
        ("Authorization", &*token),
    ];
    let started = soon(ask(address, "POST", COMPUTATIONS, &headers, &body)).await;
    assert_eq!(started.status, 201);
}
